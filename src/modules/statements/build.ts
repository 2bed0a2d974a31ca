// Makes statements on request, outside the series: of part of a day, of a day that has not ended, of a day before the
// series began, and of a wallet over all projects.
import { randomUUID } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { createSemaphore } from '../../kit/semaphore.ts'
import { semaphoreLimits } from '../../kit/semaphore-limits.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { readProvenWallets } from '../artifacts/read-facts.ts'
import type { AccountFacts } from '../iso20022/messages/statement.ts'
import { receiptUetr } from '../iso20022/slots.ts'
import { unerased } from '../receipts/texts.ts'
import { type Configuration, unnamed } from '../settings/organisation.ts'
import { presentConfiguration, presentOrganisation } from '../settings/read.ts'
import { type AccountDocuments, archiveOf } from './archive.ts'
import { bookingsOf } from './bookings.ts'
import { bookingTime } from './close.ts'
import { collect, type Owner } from './collect.ts'
import { documentsOf, filesOf, kept } from './documents.ts'
import { onceOf, type Prepared, storedOnce } from './made.ts'
import type { Window } from './window.ts'

export const mostEntries = 10_000

export const statementSemaphore = perApp(() => createSemaphore(semaphoreLimits.statements))

const onceFor = (owner: Owner, { from, to }: Window): string => {
  const period = [from.toISOString(), to.toISOString()]
  if ('wallet' in owner) return onceOf('wallet', owner.wallet, ...period)
  const { walletKey, chainKey, currency } = owner.account ?? {}
  return onceOf('project', owner.projectId, ...period, walletKey ?? '', chainKey ?? '', currency ?? '')
}

// A payment is booked when its transaction begins, and the transaction may commit after midnight.
const settlingMs = 15 * 60_000

/** Returns whether no payment can become known any more that is booked in the window. A series has its own rule. */
const isSettledBy = async (context: Context, owner: Owner, { to }: Window): Promise<boolean> =>
  !('wallet' in owner) || to.getTime() + settlingMs <= (await bookingTime(context)).getTime()

/** Returns the row of the only account; null for several accounts, and for one of which no day is closed yet. */
async function rowOf({ db }: Context, owner: Owner): Promise<string | null> {
  if ('wallet' in owner || owner.account === null) return null
  const { projectId, account } = owner
  const row = await db.statementAccount.findFirst({ where: { projectId, ...account }, select: { id: true } })
  return row?.id ?? null
}

/** Throws `statement_too_large` beyond `most` entries, `not_found` for an unknown account, `caller_gone`. */
export async function build(context: Context, owner: Owner, window: Window, most: number): Promise<Prepared> {
  const { from, to, timeZone } = window
  const isReport = window.isWholeDay && window.hasEnded && (await isSettledBy(context, owner, window))
  const once = isReport ? onceFor(owner, window) : null
  const stored = once === null ? null : await storedOnce(context, once)
  if (stored !== null) return { stored }
  const sql = sqlOf(context.pool)
  const collected = await collect(sql, owner, window)
  const count = collected.reduce((sum, { movements }) => sum + movements.length, 0)
  if (count > most) throw new AppError('statement_too_large')
  const isOfWallet = 'wallet' in owner
  const hasOneAccount = !isOfWallet && owner.account !== null
  if (hasOneAccount && collected.length === 0)
    throw new AppError('not_found', 'There is no such account with a payment or a balance in this period.')
  // A wallet's statement has no names: its payments may belong to several projects, and a project states names for its
  // own payments only.
  const { chainAliases } = context
  const namesOf = (organisation: Configuration) => (isOfWallet ? unnamed(organisation, chainAliases) : organisation)
  const present = isOfWallet
    ? unnamed(await presentOrganisation(context, sql), chainAliases)
    : await presentConfiguration(context, sql, owner.projectId)
  const proven = isOfWallet ? new Set<string>() : await readProvenWallets(sql, owner.projectId)
  const { signal } = context.allowance
  const texts = await unerased(sql, [...new Set(collected.flatMap(({ movements }) => movements.map(({ id }) => id)))])
  const accounts: AccountFacts[] = []
  for (const { opening, movements, ...key } of collected) {
    const entries = await bookingsOf(context, movements, { present, namesOf, signal })
    accounts.push({ ...key, isProven: proven.has(key.walletKey), opening, entries })
  }
  const [id, at] = [randomUUID(), new Date()]
  const type = window.isWholeDay ? 'camt.053' : 'camt.052'
  const head = { id, at, from, to, timeZone, organisation: present, number: null, isProvisional: !isReport }
  const pages = await documentsOf(context, type, { ...head, accounts }, signal)
  const files = filesOf(
    id,
    type,
    pages.map(({ bytes }) => bytes),
  )
  if (!hasOneAccount && accounts.length > 0) {
    const each: AccountDocuments[] = []
    for (const account of accounts) {
      const { wallet, chain, currency } = account
      const own = { ...head, id: receiptUetr([id, wallet, chain, currency].join('\n')), accounts: [account] }
      each.push({ ...account, documents: await documentsOf(context, type, own, signal) })
    }
    files.push(await archiveOf(id, type, each))
  }
  return {
    made: {
      id,
      projectId: isOfWallet ? null : owner.projectId,
      wallet: isOfWallet ? owner.wallet : null,
      accountId: await rowOf(context, owner),
      type,
      kind: isReport ? 'report' : 'provisional',
      window,
      count,
      once,
      files: await kept(context, files),
      texts,
    },
  }
}
