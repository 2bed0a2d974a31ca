// The requests that caused what the worker does, and the lines that name them.
import { isSampled } from '../core/sampling.ts'
import { currentScope, inScope, type Origin, originOf } from '../core/scope.ts'
import type { App } from './context.ts'

type Texts = readonly { origin: string }[]

/** Returns each origin once. */
const distinct = (texts: Texts): Origin[] => [...new Set(texts.map(({ origin }) => origin))].map(originOf)

/** Returns the requests that recorded these receipts. */
export async function originsOfReceipts({ pool }: Pick<App, 'pool'>, ids: readonly string[]): Promise<Origin[]> {
  const { rows } = await pool.query<{ origin: string }>({
    name: 'origins-of-receipts',
    text: 'select distinct origin from receipts where id = any($1::uuid[]) and origin is not null',
    values: [ids],
  })
  return distinct(rows)
}

/** Returns the requests that recorded the receipts of these anchors. */
export async function originsOfAnchors({ pool }: Pick<App, 'pool'>, ids: readonly string[]): Promise<Origin[]> {
  const { rows } = await pool.query<{ origin: string }>({
    name: 'origins-of-anchors',
    text: `select distinct r.origin from anchors a join receipts r on r.id = a.receipt_id
      where a.id = any($1::uuid[]) and r.origin is not null`,
    values: [ids],
  })
  return distinct(rows)
}

/** Returns the requests that recorded the receipts of this anchor transaction. */
export async function originsOfTransaction({ pool }: Pick<App, 'pool'>, id: string): Promise<Origin[]> {
  const { rows } = await pool.query<{ origin: string }>({
    name: 'origins-of-transaction',
    text: `select distinct r.origin from anchors a join receipts r on r.id = a.receipt_id
      where a.transaction_id = $1::uuid and r.origin is not null`,
    values: [id],
  })
  return distinct(rows)
}

/** Runs work that these requests caused, beside those that caused the work in progress. */
export function causedBy<T>(origins: readonly Origin[], work: () => T): T {
  const own = currentScope()?.origins ?? []
  const others = origins.filter(one => !own.some(({ requestId }) => requestId === one.requestId))
  return inScope({ origins: [...own, ...others], request: null }, work)
}

// As many as a line names.
const perLine = 100

/** Writes a line for the sampled ones of the requests that caused the work in progress; for many, several lines. */
export function tell({ log, requestShare }: Pick<App, 'log' | 'requestShare'>, details: object, message: string): void {
  const origins = (currentScope()?.origins ?? []).filter(({ requestId }) => isSampled(requestId, requestShare))
  for (let from = 0; from < origins.length; from += perLine)
    inScope({ origins: origins.slice(from, from + perLine), request: null }, () => log.info(details, message))
}
