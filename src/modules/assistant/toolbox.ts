// The tools of one conversation. One database condition limits what they may show. The condition is built from the
// caller's key and the request's scope before the model is called, and no output of the model can widen it.
import { ownProject } from '../../core/principal.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { appErrorIn } from '../../kit/app-error-in.ts'
import type { Context } from '../../kit/context.ts'
import type { ModelTool } from '../../ports/model.ts'
import type { Scope } from './input.ts'
import { messageTools, receiptTools, statementTools, type Tool } from './tools.ts'

export type UsedTool = { tool: string; ok: boolean; receiptIds: string[] }

/** Maximum tool calls for one answer; further calls return an error to the model. */
const mostCalls = 24
/** Maximum length of a tool's result as JSON. */
const mostCharacters = 16_000

/** Returns the filter for receipts the model may read. An administrator has no project: the request names them. */
function reachOf({ principal }: Context, { allowedReceiptIds }: Scope): Prisma.ReceiptWhereInput {
  if (principal.kind === 'admin') return { id: { in: allowedReceiptIds ?? [] } }
  return { projectId: ownProject(principal), ...(allowedReceiptIds && { id: { in: allowedReceiptIds } }) }
}

function allowed({ principal }: Context, scope: Scope): Record<string, Tool> {
  if (scope.allowReadReceipts === false) return {}
  // A statement adds up receipts beyond those that the request names.
  const isWhole = principal.kind !== 'admin' && scope.allowedReceiptIds == null
  return { ...receiptTools, ...(isWhole && statementTools), ...(scope.allowReadArtifacts && messageTools) }
}

/**
 * Returns the tools. Each call is added to `used`. `fail` receives errors that the model did not cause, and must end
 * the conversation.
 */
export function toolsFor(
  context: Context,
  scope: Scope,
  used: UsedTool[],
  fail: (error: unknown) => void,
): ModelTool[] {
  const where = reachOf(context, scope)
  return Object.entries(allowed(context, scope)).map(([name, { description, cost, input, run }]) => ({
    ...{ name, description, input },
    async run(args) {
      if (used.length >= mostCalls) return { error: 'too_many_calls', message: 'Answer with what you have.' }
      const call: UsedTool = { tool: name, ok: false, receiptIds: [] }
      used.push(call)
      try {
        context.allowance.spend(cost)
        const see = (id: string) => {
          if (!call.receiptIds.includes(id)) call.receiptIds.push(id)
        }
        const result = bounded(await run({ context, where, see }, args))
        call.ok = true
        return result
      } catch (error) {
        const known = appErrorIn(error)
        if (known === null || known.code === 'caller_gone' || known.status >= 500) fail(error)
        return { error: known?.code ?? 'internal_error', message: known?.message ?? '' }
      }
    },
  }))
}

function bounded(result: unknown): unknown {
  const json = JSON.stringify(result)
  const plain: unknown = JSON.parse(json)
  return json.length <= mostCharacters ? plain : { beginning: json.slice(0, mostCharacters).toWellFormed() }
}
