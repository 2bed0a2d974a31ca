// A statement that is paid for: of the project whose key came along, or else of the payer's wallet, whoever recorded what it
// paid and was paid.
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import type { Principal } from '../../core/principal.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { perform, verb } from '../../kit/verb.ts'
import { paidField, whole } from '../payments/field.ts'
import { type Built, build, mostEntries, statementTurns, store } from './build.ts'
import { countBooked, type Owner } from './collect.ts'
import { wholeDay, windowInput, windowOf } from './window.ts'

const statementArguments = z.strictObject(windowInput)

/** The same question is the same payment's, whether the defaults are spelled out or not. */
const asked = statementArguments.transform(({ date, window }) => ({ date: date ?? null, window: window ?? wholeDay }))

function ownerOf(principal: Principal): Owner {
  if (principal.kind !== 'payer') throw new Error('a statement that is paid for has a payer')
  const { projectId, wallet } = principal
  return projectId === null ? { wallet } : { projectId }
}

/** Made twice when its process dies between making and delivering it: two statements of equal contents, one of them unseen. */
const buyStatement = verb({
  name: 'statement.generate',
  access: 'pay',
  // Today is when it was admitted: it may be done after midnight.
  input: z.strictObject({ ...windowInput, at: z.date() }),
  async prepare({ at, ...given }, context): Promise<Built> {
    const owner = ownerOf(context.principal)
    // Whatever was booked or queued up since it was admitted: nothing is refused that is paid.
    return statementTurns(context).run(context.allowance, () =>
      build(context, owner, windowOf(given, at), Number.POSITIVE_INFINITY),
    )
  },
  run: (tx, _, { principal }, built) => store(tx, built, principal),
})

async function admit(context: Context, given: z.output<typeof asked>, at: Date): Promise<void> {
  const { from, to } = windowOf(given, at)
  statementTurns(context).admit(context.allowance)
  const count = await countBooked(sqlOf(context.pool), ownerOf(context.principal), from, to, mostEntries + 1)
  if (count > mostEntries) throw new AppError('statement_too_large')
}

const paid = paidField({
  description:
    'Makes a statement as `generateStatement` does: with an API key, of any role, that of its project; without one that of the payer’s wallet over all projects, in which a payment that several recorded counts once.',
  errors: 'validation_failed, statement_too_large, too_many_requests',
  args: statementArguments,
  endpoint: 'generateStatement',
  input: asked,
  output: z.object({ id: z.string() }),
  admit,
  run: async (context, given, at) => ({ id: (await perform(context, buyStatement, { ...given, at })).id }),
})

builder.mutationField('premiumStatement', t =>
  t.prismaField({
    type: 'Statement',
    ...paid,
    resolve: (query, root, args, context) => {
      const made = paid.resolve(root, args, context)
      return whole(
        context,
        made.then(({ id }) => context.db.statement.findUniqueOrThrow({ ...query, where: { id } })),
      )
    },
  }),
)
