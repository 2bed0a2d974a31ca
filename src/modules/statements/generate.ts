// Makes a statement of a project, or returns the one that the series has of a day that has ended.
import { z } from 'zod'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import { addressKey, chainKey } from '../../core/identity.ts'
import { ownProject } from '../../core/principal.ts'
import { text, uuid } from '../../core/text.ts'
import { utc } from '../../core/time-zone.ts'
import type { Context } from '../../kit/context.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { verb } from '../../kit/verb.ts'
import type { AccountKey } from '../iso20022/slots.ts'
import { configOf } from '../projects/config.ts'
import { build, mostEntries, statementSemaphore } from './build.ts'
import { bookingTime, closeDays } from './close.ts'
import { isErased, statementOfClosedDay } from './closed-day.ts'
import { countListed, type Owner } from './collect.ts'
import { type Prepared, store } from './made.ts'
import { type Window, windowInput, windowOf } from './window.ts'

const account = z
  .strictObject({
    wallet: text().describe('The wallet, in any notation.'),
    chain: text().describe('The chain, by any of its names.'),
    currency: text().describe('The asset label, exactly as recorded.'),
  })
  .meta({ graphql: 'StatementAccountKey', description: 'An account: one wallet, one chain and one asset.' })

const generateStatementInput = z.strictObject({
  projectId: uuid.nullish().describe('The project; needed from a service administrator, else the key’s own.'),
  account: account
    .nullish()
    .describe('Only this account. Unless given, all accounts, with a ZIP that has one file for each.'),
  ...windowInput,
})

// An entry is about five kilobytes of XML, which are stored permanently.
const costPerEntry = 2.5

/**
 * Errors: `not_found`, `project_key_required`, `validation_failed`, `statement_too_large`, `too_many_requests`,
 * `conflict`.
 */
export const generateStatement = verb({
  name: 'statement.generate',
  access: 'write',
  input: generateStatementInput,
  async prepare(input, context): Promise<Prepared> {
    const projectId = await projectOf(context, input.projectId ?? null)
    const window = windowOf(input, new Date(), await timeZoneOf(context, projectId))
    const owner = { projectId, account: input.account == null ? null : keyOf(context, input.account) }
    const count = await countListed(sqlOf(context.pool), owner, window, mostEntries + 1)
    if (count > mostEntries) throw new AppError('statement_too_large')
    context.allowance.spend(count * costPerEntry)
    return statementSemaphore(context).run(context.allowance, () => statementOf(context, owner, window, mostEntries))
  },
  run: (tx, _input, context, prepared) => store(context, tx, prepared),
})

/**
 * Returns the statement that the series has, and else makes one. Throws `statement_too_large` beyond `most` entries,
 * `not_found` for an unknown account, `caller_gone`.
 */
export async function statementOf(context: Context, owner: Owner, window: Window, most: number): Promise<Prepared> {
  if ('wallet' in owner || !window.isWholeDay || !window.hasEnded) return build(context, owner, window, most)
  await closeDays(context, owner.projectId, await bookingTime(context))
  const { seriesFrom, closedDay } = await context.db.project.findUniqueOrThrow({ where: { id: owner.projectId } })
  // Also the day in which the series began, if the time zone is another now: the series has only a part of it.
  if (seriesFrom !== null && window.from < seriesFrom) return build(context, owner, window, most)
  if (closedDay === null || closedDay < window.date) return build(context, owner, { ...window, hasEnded: false }, most)
  if (await isErased(context, { ...owner, window })) return build(context, owner, { ...window, hasEnded: false }, most)
  return statementOfClosedDay(context, { ...owner, window }, most)
}

/** Returns the time zone of the owner's days. */
export async function timeZoneOf({ db }: Context, projectId: string | null): Promise<string> {
  if (projectId === null) return utc
  const { config } = await db.project.findUniqueOrThrow({ where: { id: projectId }, select: { config: true } })
  return configOf(config).timeZone
}

async function projectOf({ principal, db }: Context, requested: string | null): Promise<string> {
  if (principal.kind !== 'admin') {
    const own = ownProject(principal)
    if (requested !== null && requested !== own) throw notFound('project')
    return own
  }
  if (requested === null) throw invalid([{ path: ['input', 'projectId'], message: 'Field required', type: 'missing' }])
  if ((await db.project.count({ where: { id: requested } })) === 0) throw notFound('project')
  return requested
}

const keyOf = ({ chainAliases }: Context, { wallet, chain, currency }: z.output<typeof account>): AccountKey => ({
  walletKey: addressKey(wallet),
  chainKey: chainKey(chain, chainAliases),
  currency,
})
