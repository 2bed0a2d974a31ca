// Statements of a day that a project's series has: the numbered one of an account, or copies of all of them in one
// statement, with the accounts that only hold a balance. Each is made once.
import { randomUUID } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../kit/context.ts'
import { type Sql, sqlOf } from '../../kit/transaction.ts'
import { readProvenWallets } from '../artifacts/read-facts.ts'
import { readFile } from '../artifacts/read-file.ts'
import { camt053 } from '../iso20022/messages/camt053.ts'
import type { StatementHead } from '../iso20022/messages/statement.ts'
import { joined } from '../iso20022/messages/statement-copy.ts'
import { type AccountKey, receiptUetr } from '../iso20022/slots.ts'
import { unerased } from '../receipts/texts.ts'
import { presentConfiguration } from '../settings/read.ts'
import { archiveOf } from './archive.ts'
import { type Document, documentsOf, entriesPerPage, filesOf, kept, pageNames } from './documents.ts'
import { onceOf, type Prepared, storedOnce } from './made.ts'
import type { Window } from './window.ts'
import { writeNumbered } from './write.ts'

/** An account on a day of the series: with its numbered statement, or with the balance that it held. */
type OnDay = AccountKey & {
  accountId: string
  wallet: string
  chain: string
  /** Null: it has none of this day. */
  statement: string | null
  isWritten: boolean
  count: number
  balance: string
}

type Request = { projectId: string; account: AccountKey | null; window: Window }

/** Throws `statement_too_large` beyond `most` entries, `not_found` for an unknown account, `caller_gone`. */
export async function statementOfClosedDay(context: Context, request: Request, most: number): Promise<Prepared> {
  const { projectId, account, window } = request
  const accounts = await accountsOn(context, request)
  const [only] = accounts
  if (account !== null) {
    if (only === undefined)
      throw new AppError('not_found', 'There is no such account with a payment or a balance then.')
    if (only.statement !== null) {
      await written(context, [only])
      return { stored: only.statement }
    }
  }
  const once = onceOf(
    'day',
    projectId,
    window.date,
    ...(only === undefined || account === null ? [] : [only.accountId]),
  )
  const stored = await storedOnce(context, once)
  if (stored !== null) return { stored }
  const count = accounts.reduce((sum, one) => sum + one.count, 0)
  if (count > most) throw new AppError('statement_too_large')
  await written(context, accounts)
  const { from, to, timeZone } = window
  const sql = sqlOf(context.pool)
  const stated = await statedTexts(sql, accounts)
  const organisation = await presentConfiguration(context, sql, projectId)
  const proven = await readProvenWallets(sql, projectId)
  const [id, at] = [randomUUID(), new Date()]
  const head = { id, at, from, to, timeZone, organisation, number: null, isProvisional: false }
  const each: (OnDay & { documents: Document[] })[] = []
  for (const one of accounts) each.push({ ...one, documents: await documentsOn(context, head, one, proven) })
  const pages = each.flatMap(({ documents, statement }) =>
    documents.map(({ bytes, entries }) => ({ xml: bytes.toString('utf8'), isOfSeries: statement !== null, entries })),
  )
  const texts =
    pages.length === 0
      ? [camt053.build({ statement: head, number: 1, count: 1, pieces: [] })]
      : joined(head, pages, entriesPerPage)
  const files = filesOf(
    id,
    'camt.053',
    texts.map(text => Buffer.from(text, 'utf8')),
  )
  if (account === null && each.length > 0) files.push(await archiveOf(id, 'camt.053', each))
  return {
    made: {
      id,
      projectId,
      wallet: null,
      accountId: account === null ? null : (only?.accountId ?? null),
      type: 'camt.053',
      kind: account === null ? 'copy' : 'report',
      window,
      count,
      once,
      files: await kept(context, files),
      texts: stated,
    },
  }
}

/** Reads the accounts that moved on the day or held a balance at its end, ordered by wallet, chain and asset. */
const accountsOn = ({ pool }: Context, { projectId, account, window }: Request) =>
  sqlOf(pool)<OnDay>(
    `select a.id as "accountId", a.wallet, a.chain, a.wallet_key as "walletKey", a.chain_key as "chainKey", a.currency, s.id as statement,
       coalesce(s.status <> 'pending', true) as "isWritten", coalesce(s.count, 0) as count,
       held.balance::text as balance
     from statement_accounts a
     left join statements s on s.account_id = a.id and s.kind = 'series' and s.day = $2::text
     left join lateral (
       select opening from statements later
       where later.account_id = a.id and later.kind = 'series' and later.day > $2::text order by later.day limit 1
     ) as next on true
     cross join lateral (select coalesce(next.opening, a.balance) as balance) as held
     where a.project_id = $1::uuid and ($4::text is null or (a.wallet_key, a.chain_key, a.currency) = ($4::text, $5::text, $6::text))
       and (s.id is not null or a.since < $3::timestamptz and held.balance <> 0)
     order by a.wallet, a.chain, a.currency`,
    [
      projectId,
      window.date,
      window.to,
      account?.walletKey ?? null,
      account?.chainKey ?? null,
      account?.currency ?? null,
    ],
  )

/** Returns whether a numbered statement of the day has lost its content, so that it can be neither given nor copied. */
export async function isErased({ pool }: Context, { projectId, account, window }: Request): Promise<boolean> {
  const [row] = await sqlOf(pool)<{ isErased: boolean }>(
    `select exists (
       select from statements s join statement_accounts a on a.id = s.account_id
         join artifacts f on f.statement_id = s.id join blobs b using (sha256)
       where s.project_id = $1::uuid and s.kind = 'series' and s.day = $2 and b.erased_at is not null
         and ($3::text is null or (a.wallet_key, a.chain_key, a.currency) = ($3::text, $4::text, $5::text))
     ) as "isErased"`,
    [projectId, window.date, account?.walletKey ?? null, account?.chainKey ?? null, account?.currency ?? null],
  )
  return row?.isErased ?? false
}

/** Returns the receipts whose texts the numbered statements state. */
async function statedTexts(sql: Sql, accounts: readonly OnDay[]): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    'select distinct receipt_id as id from statement_entries where statement_id = any($1::uuid[])',
    [accounts.flatMap(({ statement }) => statement ?? [])],
  )
  return unerased(
    sql,
    rows.map(({ id }) => id),
  )
}

/** Writes the numbered statements that the worker has not written yet. */
async function written(context: Context, accounts: readonly OnDay[]): Promise<void> {
  for (const { statement, isWritten } of accounts)
    if (statement !== null && !isWritten) await writeNumbered(context, statement)
}

/** Returns the stored documents of a numbered statement, or documents that state the balance alone. */
async function documentsOn(
  context: Context,
  head: StatementHead,
  account: OnDay,
  proven: ReadonlySet<string>,
): Promise<Document[]> {
  const { wallet, chain, walletKey, chainKey, currency, statement, balance, count } = account
  const { signal } = context.allowance
  if (statement === null) {
    const id = receiptUetr([head.id, wallet, chain, currency].join('\n'))
    const isProven = proven.has(walletKey)
    const accounts = [{ wallet, chain, walletKey, chainKey, currency, isProven, opening: balance, entries: [] }]
    return documentsOf(context, 'camt.053', { ...head, id, accounts }, signal)
  }
  const documents: Document[] = []
  const size = Math.max(1, Math.ceil(count / entriesPerPage))
  for (const [index, name] of pageNames('camt.053', size).entries()) {
    if (signal?.aborted) throw new AppError('caller_gone')
    const file = await readFile(context, statement, name)
    if (file === null) throw new Error(`the statement ${statement} lacks ${name}`)
    documents.push({ bytes: file.content, entries: Math.min(entriesPerPage, count - index * entriesPerPage) })
  }
  return documents
}
