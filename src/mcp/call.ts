// Runs an MCP tool: the operation of a REST route, with the same access, cost and payment, and a result in MCP's form.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { type GraphQLSchema, parse } from 'graphql'
import { AppError, invalid } from '../core/errors.ts'
import { demand } from '../core/principal.ts'
import { noteCode } from '../core/scope.ts'
import { appErrorIn } from '../kit/app-error-in.ts'
import { charge } from '../kit/charge.ts'
import type { Context } from '../kit/context.ts'
import { declaredCost } from '../kit/field-cost.ts'
import { challengeOf } from '../modules/x402/field.ts'
import { failing, hidesRefusals, maxIssues, wireLoc } from '../rest/failure.ts'
import type { WireIssue } from '../rest/faults.ts'
import { jsonReader, members } from '../rest/input.ts'
import { pageReader } from '../rest/page.ts'
import { prepare } from '../rest/prepared.ts'
import { inList } from '../rest/request.ts'
import { rewritten } from '../rest/rewrite.ts'
import { rootField, ruleIssues } from '../rest/rule-issues.ts'
import type { Tool } from './tool.ts'

export type RunTool = (context: Context, args: unknown) => Promise<CallToolResult>

/** Prepares a tool. The returned function reports errors in its result, for the model to read. */
export function toolRunner(schema: GraphQLSchema, tool: Tool): RunTool {
  const { operation } = tool
  const document = parse(operation.document, { noLocation: true })
  const prepared = prepare(schema, document)
  const root = rootField(schema, document)
  const addRuleIssues = ruleIssues(operation, root)
  const read = members(
    operation.params.map(({ variable, type, ...param }) => ({
      ...param,
      field: variable,
      reader: inList(param, jsonReader(type, schema)),
    })),
  )

  const readPage = operation.page && pageReader(operation.page)

  async function answerOf(context: Context, args: unknown): Promise<unknown> {
    demand(context.principal, operation.access)
    if (root !== null) {
      context.allowance.spendSignatures(declaredCost(root).signatures)
      await challengeOf(context, root)
    }
    const issues: WireIssue[] = []
    const variables = read(args, ['body'], issues)
    readPage?.(variables, issues)
    if (issues.length > 0) {
      addRuleIssues(variables, issues)
      throw invalid(issues.map(({ loc, msg, type }) => ({ path: [...loc.slice(1)], message: msg, type })))
    }
    charge(context, prepared.cost(variables))
    if (prepared.kind !== 'once') throw new Error(`${tool.name} is a stream.`)
    const result = await prepared.run(variables, context)
    if (result.errors?.length) throw failing(result, context.log, hidesRefusals(operation, root))
    const value = result.data?.[operation.root]
    if (value === null || value === undefined) throw new AppError('not_found')
    return rewritten(value, operation.rewrite, variables)
  }

  return async (context, args) => {
    const paid: Record<string, string> = {}
    const paying = { ...context.paying, respond: (headers: object) => void Object.assign(paid, headers) }
    const own: Context = { ...context, paying }
    try {
      const value = await answerOf(own, args)
      return { ...resultOf(tool.isList ? { items: value } : value), ...receiptIn(paid) }
    } catch (error) {
      return refused(error, own, operation.feeds)
    }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns the value as structured content and as text, for clients that do not read structured content. */
function resultOf(value: unknown): CallToolResult {
  const plain: unknown = JSON.parse(JSON.stringify(value))
  const content: CallToolResult['content'] = [{ type: 'text', text: JSON.stringify(plain) }]
  return isObject(plain) ? { content, structuredContent: plain } : { content }
}

/** Converts the header PAYMENT-RESPONSE of x402 to the form of its MCP transport. */
function receiptIn(headers: Readonly<Record<string, string>>): Pick<CallToolResult, '_meta'> {
  const header = headers['PAYMENT-RESPONSE']
  return header === undefined
    ? {}
    : { _meta: { 'x402/payment-response': JSON.parse(Buffer.from(header, 'base64').toString('utf8')) } }
}

function refused(error: unknown, { log, requestId }: Context, feeds: Tool['operation']['feeds']): CallToolResult {
  const known = appErrorIn(error)
  if (known === null || known.code === 'internal_error') log.error({ err: error }, 'a tool failed')
  const { code, message, body, headers, retryAfterSeconds, issues } = known ?? new AppError('internal_error')
  noteCode(code)
  // The x402 challenge is returned unchanged, for clients that pay.
  if (code === 'payment_required') return { ...resultOf(body), ...receiptIn(headers), isError: true }
  const wrong = issues
    .slice(0, maxIssues)
    .map(({ path, ...issue }) => ({ argument: wireLoc(path, feeds).slice(1), ...issue }))
  const text = JSON.stringify({
    detail: code,
    message,
    request_id: requestId,
    ...(wrong.length > 0 && { issues: wrong }),
    ...(retryAfterSeconds !== null && { retry_after_seconds: retryAfterSeconds }),
  })
  return { content: [{ type: 'text', text }], ...receiptIn(headers), isError: true }
}
