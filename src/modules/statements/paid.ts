// The paid mutation that makes a statement: of the project whose API key the request carries, or else of the payer's
// wallet, over the receipts of all projects.
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { addressKey } from '../../core/identity.ts'
import type { Principal } from '../../core/principal.ts'
import type { Context } from '../../kit/context.ts'
import { mutation } from '../../kit/mutation.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { runVerb, verb } from '../../kit/verb.ts'
import { paidMutation, whole } from '../x402/field.ts'
import { mostEntries, statementSemaphore } from './build.ts'
import { countListed, type Owner } from './collect.ts'
import { statementOf, timeZoneOf } from './generate.ts'
import { type Prepared, store } from './made.ts'
import { wholeDay, windowInput, windowOf } from './window.ts'

const statementArguments = z.strictObject(windowInput)

/** Fills in the defaults, so that a request with or without them is the same request for a payment. */
const paidArguments = statementArguments.transform(({ date, window }) => ({
  date: date ?? null,
  window: window ?? wholeDay,
}))

function ownerOf(principal: Principal): Owner {
  if (principal.kind !== 'payer') throw new Error('the principal of a paid statement must be a payer')
  const { projectId, wallet } = principal
  return projectId === null ? { wallet: addressKey(wallet) } : { projectId, account: null }
}

async function windowFor(context: Context, owner: Owner, period: z.output<typeof statementArguments>, at: Date) {
  return windowOf(period, at, await timeZoneOf(context, 'projectId' in owner ? owner.projectId : null))
}

/** If the process dies before delivery, a provisional statement is made twice, and only one is delivered. */
const buyStatement = verb({
  name: 'statement.generate',
  access: 'pay',
  // The default date is the day of admission, because the statement may be made after midnight.
  input: z.strictObject({ ...windowInput, at: z.date() }),
  async prepare({ at, ...period }, context): Promise<Prepared> {
    const owner = ownerOf(context.principal)
    const window = await windowFor(context, owner, period, at)
    // No limit, whatever was booked or queued since admission, because a paid request is never refused.
    return statementSemaphore(context).run(context.allowance, () =>
      statementOf(context, owner, window, Number.POSITIVE_INFINITY),
    )
  },
  run: (tx, _input, context, prepared) => store(context, tx, prepared),
})

async function admit(context: Context, period: z.output<typeof paidArguments>, at: Date): Promise<void> {
  const owner = ownerOf(context.principal)
  const window = await windowFor(context, owner, period, at)
  statementSemaphore(context).admit(context.allowance)
  const count = await countListed(sqlOf(context.pool), owner, window, mostEntries + 1)
  if (count > mostEntries) throw new AppError('statement_too_large')
}

mutation('premiumStatement', {
  ...paidMutation({
    description:
      'Makes a statement as `generateStatement` does. With an API key of any role it is the statement of the key’s project; without an API key it is the statement of the payer’s wallet over all projects, where a payment that several projects recorded counts once.',
    errors: ['validation_failed', 'statement_too_large', 'too_many_requests'],
    rules: statementArguments,
    endpoint: 'generateStatement',
    input: paidArguments,
    output: z.object({ id: z.string() }),
    admit,
    run: async (context, period, at) => ({ id: (await runVerb(context, buyStatement, { ...period, at })).id }),
  }),
  takes: 'The window of a statement.',
  payload: t => ({
    statement: t.prismaField({
      type: 'Statement',
      description: 'The statement.',
      resolve: (query, { id }, _, context) =>
        whole(context, context.db.statement.findUniqueOrThrow({ ...query, where: { id } })),
    }),
  }),
})
