// The tools of one conversation. What they may show is one condition, which the caller's key and the scope of the request make
// before the model is asked: nothing that the model says can widen it.
import { ownProject } from '../../core/principal.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { appErrorIn } from '../../kit/app-error-in.ts'
import type { Context } from '../../kit/context.ts'
import type { ModelTool } from '../../ports/model.ts'
import type { Scope } from './input.ts'
import { messageTools, receiptTools, statementTools, type Tool } from './tools.ts'

export type UsedTool = { tool: string; ok: boolean; receiptIds: string[] }

/** Of one answer; further calls are told that there were enough. */
const mostCalls = 24
/** Of a tool's answer as JSON. */
const mostCharacters = 16_000

/** The receipts that a caller's model may read. Of an administrator, who has no project, those that the request names. */
function reachOf({ principal }: Context, { allowedReceiptIds }: Scope): Prisma.ReceiptWhereInput {
  if (principal.kind === 'admin') return { id: { in: allowedReceiptIds ?? [] } }
  return { projectId: ownProject(principal), ...(allowedReceiptIds && { id: { in: allowedReceiptIds } }) }
}

function allowed({ principal }: Context, scope: Scope): Record<string, Tool> {
  if (scope.allowReadReceipts === false) return {}
  // A statement adds up receipts beyond those that are named.
  const isWhole = principal.kind !== 'admin' && scope.allowedReceiptIds == null
  return { ...receiptTools, ...(isWhole && statementTools), ...(scope.allowReadArtifacts && messageTools) }
}

/** `used` takes up each call; `fail` is told of what is no fault of the model's, and must end the conversation. */
export function toolsFor(
  context: Context,
  scope: Scope,
  used: UsedTool[],
  fail: (error: unknown) => void,
): ModelTool[] {
  const where = reachOf(context, scope)
  return Object.entries(allowed(context, scope)).map(([name, { description, cost, input, run }]) => ({
    ...{ name, description, input },
    async run(given) {
      if (used.length >= mostCalls) return { error: 'too_many_calls', message: 'Answer with what you have.' }
      const call: UsedTool = { tool: name, ok: false, receiptIds: [] }
      used.push(call)
      try {
        context.allowance.spend(cost)
        const see = (id: string) => {
          if (!call.receiptIds.includes(id)) call.receiptIds.push(id)
        }
        const result = bounded(await run({ context, where, see }, given))
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
