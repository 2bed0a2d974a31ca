// The statements that the service sends, and how PostgreSQL carries them out.
import pg from 'pg'
import type { App } from '../../src/kit/context.ts'
import { median } from '../kit.ts'
import { rows } from './rows.ts'

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] }
/**
 * `indexes`: with `alone` where the table is not read. `scanned`: the tables that are read from end to end. `tables`:
 * the large tables of which rows are read, and not the entries of an index alone.
 */
export type Seen = { indexes: string[]; scanned: string[]; tables: string[]; ms: number }
/** `isRead`: it was compiled from GraphQL, and runs on connections with settings of their own. */
export type Statement = { text: string; values: unknown[]; isRead: boolean }

// Every process adds to `rate_windows` from time to time, whatever it does.
const large = Object.keys(rows).filter(table => table !== 'rate_windows')

/** Runs `work` and returns the statements on these tables that were sent meanwhile. */
export async function statementsOf(
  work: () => Promise<unknown>,
  tables = [...large, 'receipt_counts'],
): Promise<Statement[]> {
  const mentioned = new RegExp(`\\b(${tables.join('|')})\\b`)
  const sent: Statement[] = []
  const query = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
    const [config, values = []] = args as unknown as [pg.QueryConfig & { rowMode?: string }, unknown[]?]
    const queryConfig = typeof config === 'string' ? { text: config } : config
    const statement = {
      text: queryConfig.text ?? '',
      values: queryConfig.values ?? values,
      isRead: queryConfig.rowMode === 'array',
    }
    if (/^\s*(select|with|insert|update|delete)/i.test(statement.text) && mentioned.test(statement.text))
      sent.push(statement)
    return (query as (...args: never[]) => unknown).apply(this, args)
  } as typeof query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return sent
}

const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)]

/** Explains a statement. What it writes is rolled back. */
export async function explain({ pool, reads }: App, { text, values, isRead }: Statement): Promise<Seen> {
  const plans: { Plan: Plan; 'Execution Time': number }[] = []
  const database = await (isRead ? reads : pool).connect()
  for (let round = 0; round < 8; round++) {
    await database.query('begin')
    const { rows } = await database.query({ text: `explain (analyze, timing off, format json) ${text}`, values })
    await database.query('rollback')
    plans.push(rows[0]['QUERY PLAN'][0])
  }
  database.release()
  const nodes = plans.flatMap(({ Plan }) => all(Plan))
  const isLarge = (node: Plan) => large.includes(node['Relation Name'] ?? '')
  const isScan = (node: Plan) => node['Node Type'] === 'Seq Scan' && isLarge(node)
  const readsRows = (node: Plan) => node['Node Type'] !== 'Index Only Scan' && isLarge(node)
  return {
    indexes: [
      ...new Set(
        nodes.flatMap(({ 'Index Name': index, 'Node Type': type }) =>
          index === undefined ? [] : type === 'Index Only Scan' ? `${index} alone` : index,
        ),
      ),
    ],
    scanned: [...new Set(nodes.filter(isScan).map(node => node['Relation Name'] ?? ''))],
    tables: [...new Set(nodes.filter(readsRows).map(node => node['Relation Name'] ?? ''))],
    // The first round may read from the disk.
    ms: median(plans.slice(1).map(plan => plan['Execution Time'])),
  }
}
