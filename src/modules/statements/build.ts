// Builds the files of a statement: the payments booked in its window, in pages of camt.053 for a whole day, or of
// camt.052 for part of a day.
import { randomUUID } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import { addressKey } from '../../core/identity.ts'
import type { Context } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { createSemaphore } from '../../kit/semaphore.ts'
import { sqlOf } from '../../kit/transaction.ts'
import type { VerbTransaction } from '../../kit/verb.ts'
import { type RecordedFacts, readAnchors, readFacts, readProvenWallets } from '../artifacts/read-facts.ts'
import { type KeptArtifact, keepBytes, storeArtifact } from '../artifacts/store.ts'
import { inLife } from '../iso20022/facts.ts'
import { camt052 } from '../iso20022/messages/camt052.ts'
import { camt053 } from '../iso20022/messages/camt053.ts'
import { fileName } from '../iso20022/messages/message.ts'
import { type AccountFacts, pagesOf } from '../iso20022/messages/statement.ts'
import { type Configuration, type Organisation, unnamed } from '../settings/organisation.ts'
import { presentConfiguration, presentOrganisation } from '../settings/read.ts'
import { type AccountMovements, collect, type Owner } from './collect.ts'
import { writePage } from './pages.ts'
import type { Window } from './window.ts'

const entriesPerPage = 250
export const mostEntries = 10_000

/** Statements are built one at a time, because a large statement occupies the thread that writes pages for seconds. */
export const statementSemaphore = perApp(() =>
  createSemaphore({ atOnce: 1, eachAtOnce: 1, anonymousAtOnce: 1, waiting: 64, eachWaiting: 16 }),
)

export type Built = { id: string; owner: Owner; type: string; window: Window; count: number; pages: KeptArtifact[] }

/** Builds a statement and keeps its pages. Throws `statement_too_large` beyond `most` entries, `caller_gone`. */
export async function build(context: Context, owner: Owner, window: Window, most: number): Promise<Built> {
  const { from, to } = window
  const sql = sqlOf(context.pool)
  const [id, at] = [randomUUID(), new Date()]
  const collected = await collect(sql, owner, from, to)
  const count = collected.reduce((sum, { movements }) => sum + movements.length, 0)
  if (count > most) throw new AppError('statement_too_large')
  // A wallet's statement has no names: its payments may belong to several projects, and a project states names for its
  // own payments only.
  const naming = 'wallet' in owner ? unnamed : (organisation: Configuration) => organisation
  const organisation =
    'wallet' in owner
      ? unnamed(await presentOrganisation(context, sql))
      : await presentConfiguration(context, sql, owner.projectId)
  const proven = 'wallet' in owner ? new Set<string>() : await readProvenWallets(sql, owner.projectId)
  const accounts = (await accountsOf(context, collected, organisation, naming)).map(account => ({
    ...account,
    isProven: proven.has(addressKey(account.wallet)),
  }))
  const { type, version } = window.isWholeDay ? camt053 : camt052
  const pages: KeptArtifact[] = []
  const content = pagesOf({ id, at, from, to, organisation, accounts }, entriesPerPage)
  for (const [index, page] of content.entries()) {
    const suffix = content.length === 1 ? '' : `-${String(index + 1).padStart(4, '0')}`
    const bytes = await writePage(context, { type, page }, context.allowance.signal)
    const file = { type, version, name: fileName(type, suffix), mediaType: 'application/xml', bytes }
    pages.push(await keepBytes(context, { owner: { statementId: id }, ...file }))
  }
  return { id, owner, type, window, count, pages }
}

async function accountsOf(
  context: Context,
  collected: AccountMovements[],
  present: Organisation,
  naming: (organisation: Configuration) => Configuration,
): Promise<Omit<AccountFacts, 'isProven'>[]> {
  const ids = [...new Set(collected.flatMap(({ movements }) => movements.map(({ id }) => id)))]
  const { anchors, recorded } = await factsOf(context, ids)
  return collected.map(({ wallet, chain, currency, exact, inBand, movements }) => ({
    wallet,
    chain,
    currency,
    opening: { exact, inBand },
    entries: movements.map(({ id, side }) => {
      const facts = recorded.get(id)
      if (facts === undefined) throw new Error(`receipt ${id} vanished`)
      const { receipt } = facts
      const organisation = naming(facts.organisation)
      const anchor = anchors.get(id) ?? null
      // The receipt's own configuration, so that its ids are those of its other messages. Only the currencies are those
      // of the present one, as in the account.
      const mapping = { ...organisation.mapping, assets: present.mapping.assets }
      const occasion = inLife(receipt, anchor?.anchoredAt ?? receipt.createdAt)
      return { side, facts: { receipt, anchor, organisation: { ...organisation, mapping }, occasion } }
    }),
  }))
}

/** Reads a few hundred receipts at a time, so that the process serves other requests in between. */
async function factsOf(context: Context, ids: readonly string[]) {
  const sql = sqlOf(context.pool)
  const recorded = new Map<string, RecordedFacts>()
  const anchors: Awaited<ReturnType<typeof readAnchors>> = new Map()
  for (let start = 0; start < ids.length; start += entriesPerPage) {
    if (context.allowance.signal?.aborted) throw new AppError('caller_gone')
    const some = ids.slice(start, start + entriesPerPage)
    for (const [id, anchor] of await readAnchors(sql, some)) anchors.set(id, anchor)
    for (const facts of await readFacts(context, sql, some)) recorded.set(facts.receipt.id, facts)
  }
  return { anchors, recorded }
}

/** Stores a statement. Returns it with its audit row, as a verb does. */
export async function store(tx: VerbTransaction, { pages, window, owner, ...statement }: Built) {
  const { from, to } = window
  const made = await tx.db.statement.create({ data: { ...statement, ...owner, from, to } })
  for (const page of pages) await storeArtifact(tx, page)
  const details = { type: made.type, date: window.date, window: window.window }
  return { result: made, audit: [{ objectType: 'statement', objectId: made.id, projectId: made.projectId, details }] }
}
