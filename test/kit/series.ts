// A project whose days a test closes by a clock of its own, and an auditor of its series of statements.
import { createHash, randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { App } from '../../src/kit/context.ts'
import { readFile } from '../../src/modules/artifacts/read-file.ts'
import { readXml, textAt, type XmlNode } from '../../src/modules/iso20022/read-xml.ts'
import { readOnChainPayments, readOnChainStatement } from '../../src/modules/iso20022/reader.ts'
import { writeNumbered } from '../../src/modules/statements/write.ts'

export type Booked = {
  amount?: string
  sender?: string
  receiver?: string
  chain?: string
  currency?: string
  at: Date
  refundOf?: string | null
  /** The transaction that moved the money; one of its own unless given. */
  tx?: string
  isRepeated?: boolean
  status?: 'anchored' | 'awaiting_anchor'
}

/** Inserts a receipt as it is after it was booked. */
export async function book(pool: pg.Pool, projectId: string, row: Booked): Promise<string> {
  const id = randomUUID()
  const { amount = '1', sender = 'customer', receiver = 'shop', chain = 'base', currency = 'USDC', at } = row
  const { refundOf = null, status = 'anchored', tx = id, isRepeated = false } = row
  await pool.query(
    `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
       status, booked_at, created_at, refund_of_id, refund_tx_hash, is_repeated, config_version, project_config_version)
     select $1::uuid, p.id, $11, $3, $4, $5, $6, $7, $1::text, $8::receipt_status, $9, $9, $10, case when $10::uuid is not null then $11 end,
       $12, (select max(version) from organisation_configs), p.config_version
     from projects p where p.id = $2::uuid`,
    [id, projectId, chain, amount, currency, sender, receiver, status, at, refundOf, tx, isRepeated],
  )
  return id
}

/** Makes the series of a project begin at this time, which may be in the future. */
export const beginSeries = (pool: pg.Pool, projectId: string, from: Date) =>
  pool.query('update projects set series_from = $2, closed_to = null, closed_day = null where id = $1', [
    projectId,
    from,
  ])

/** Writes all statements that are numbered. */
export async function writeAll(app: App, projectId: string): Promise<void> {
  const { rows } = await app.pool.query<{ id: string }>(
    `select id from statements where project_id = $1 and status = 'pending' order by created_at, id`,
    [projectId],
  )
  for (const { id } of rows) await writeNumbered(app, id)
}

const scale = 18
function units(decimal: string): bigint {
  const [, sign, integer = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  return BigInt(`${sign}${integer}${fraction.padEnd(scale, '0')}`)
}

type Row = {
  id: string
  account: string
  number: number
  day: string
  from: Date
  to: Date
  opening: string
  closing: string
  count: number
}

export type Series = {
  faults: string[]
  /** SHA-256 of each file, by statement and name. */
  files: Map<string, string>
  statements: Row[]
}

const nodesNamed = (node: XmlNode, name: string): XmlNode[] =>
  node.children.flatMap(child => (child.name === name ? [child] : nodesNamed(child, name)))

/**
 * Reads all written statements of a project from their files: numbers have no gap, balances chain, periods do not
 * overlap, and each movement is stated once.
 */
export async function auditSeries(app: App, projectId: string): Promise<Series> {
  const faults: string[] = []
  const files = new Map<string, string>()
  const { rows: statements } = await app.pool.query<Row>(
    `select id, account_id as account, number, day, "from", "to", opening::text, closing::text, count from statements
     where project_id = $1 and kind = 'series' order by account_id, number`,
    [projectId],
  )
  const stated = new Map<string, string>()
  for (const [, series] of Map.groupBy(statements, ({ account }) => account)) {
    for (const [index, statement] of series.entries()) {
      const where = `${statement.account} ${statement.number} of ${statement.day}`
      const before = series[index - 1]
      if (statement.number !== index + 1) faults.push(`${where}: the number should be ${index + 1}`)
      if (before !== undefined && units(before.closing) !== units(statement.opening))
        faults.push(`${where}: opens wrong`)
      if (before !== undefined && (before.day >= statement.day || before.to > statement.from))
        faults.push(`${where}: overlaps ${before.day}`)
      const seen = await readStatement(app, statement, files, stated)
      faults.push(...seen.map(fault => `${where}: ${fault}`))
    }
  }
  const { rows: missing } = await app.pool.query<{ id: string; side: string }>(
    `select r.id, side.name as side from receipts r join projects p on p.id = r.project_id
       cross join lateral (values ('CRDT', r.receiver_wallet), ('DBIT', r.sender_wallet)) as side(name, wallet)
       join statement_accounts a on a.project_id = r.project_id and a.wallet = side.wallet and a.chain = r.chain and a.currency = r.currency
     where r.project_id = $1 and r.status = 'anchored' and r.booked_at < p.closed_to - interval '3 days' and r.booked_at >= p.series_from
       and r.booked_at >= a.since`,
    [projectId],
  )
  for (const { id, side } of missing)
    if (!stated.has(`${id} ${side}`)) faults.push(`the movement ${id} ${side} is in no statement`)
  return { faults, files, statements }
}

async function readStatement(app: App, row: Row, files: Map<string, string>, stated: Map<string, string>) {
  const faults: string[] = []
  const { rows: names } = await app.pool.query<{ name: string }>(
    'select name from artifacts where statement_id = $1 order by name',
    [row.id],
  )
  let [credits, debits, entries] = [0n, 0n, 0]
  for (const { name } of names) {
    const file = await readFile(app, row.id, name)
    if (file === null) return [`${name} is missing`]
    files.set(`${row.id}/${name}`, createHash('sha256').update(file.content).digest('hex'))
    if (!name.endsWith('.xml')) continue
    const xml = file.content.toString('utf8')
    const [statement, ...others] = nodesNamed(readXml(xml), 'Stmt')
    if (statement === undefined || others.length > 0) return [`${name} does not have one Stmt`]
    for (const element of ['ElctrncSeqNb', 'LglSeqNb'])
      if (textAt(statement, element) !== String(row.number)) faults.push(`${element} is ${textAt(statement, element)}`)
    if (textAt(statement, 'CpyDplctInd') !== null) faults.push('it is marked as a copy')
    const [sums] = readOnChainStatement(xml)?.accounts ?? []
    if (sums === undefined) return [`${name} has no exact sums`]
    if (entries === 0 && units(sums.opening) !== units(row.opening))
      faults.push('the document opens with another balance')
    credits += units(sums.credits)
    debits += units(sums.debits)
    for (const { receiptId, payer, payee } of readOnChainPayments(xml)) {
      const isCredit = payee === sums.wallet && !(payer === payee && stated.get(`${receiptId} CRDT`) === row.id)
      const movement = `${receiptId} ${isCredit ? 'CRDT' : 'DBIT'}`
      const elsewhere = stated.get(movement)
      if (elsewhere !== undefined) faults.push(`${movement} is in ${elsewhere} too`)
      stated.set(movement, row.id)
      entries += 1
    }
  }
  if (entries !== row.count) faults.push(`${entries} entries, not ${row.count}`)
  if (units(row.opening) + credits - debits !== units(row.closing)) faults.push('the balances do not add up')
  return faults
}
