// Fills a database with receipts and everything that belongs to them. bench/growth.ts uses it with 10,000 and 1,000,000
// receipts. As a program it fills a database of its own and prints how large each table and index became:
// `node bench/seed.ts 1000000`.
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { withProgress } from '../src/cli/progress.ts'
import { addUpCounters } from '../src/modules/receipts/counters.ts'
import { rows } from './growth/rows.ts'
import { inBench, projectKey } from './kit.ts'

const tables = Object.keys(rows)

type Constraint = { table: string; name: string; type: 'p' | 'f'; made: string }

/**
 * Replaces all rows by those of `size` receipts. The database makes the rows: 200,000 receipts took 2.0 s with
 * `insert … select`, and 1.2 s with `copy` after 1.6 s in which the text that it reads was written. Indexes and keys
 * are made afterwards. No trigger runs, so the hash chain of the audit trail is not valid.
 */
export async function seed(database: pg.Client, size: number, large: string, others: string[]): Promise<void> {
  const { rows: constraints } = await database.query<Constraint>(
    `select conrelid::regclass::text as table, conname as name, contype as type, pg_get_constraintdef(oid) as made
     from pg_constraint where contype in ('p', 'f')
       and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1)) order by contype = 'p'`,
    [tables],
  )
  const { rows: indexes } = await database.query<{ name: string; made: string }>(
    `select indexname as name, indexdef as made from pg_indexes
     where schemaname = 'public' and tablename = any($1) and indexname not like '%\\_pkey'`,
    [tables],
  )
  await database.query('set session_replication_role = replica')
  for (const { table, name } of constraints) await database.query(`alter table ${table} drop constraint "${name}"`)
  for (const { name } of indexes) await database.query(`drop index "${name}"`)
  await database.query(`truncate ${tables.join()}, audit_heads, receipt_counts, receipt_time_counts cascade`)
  await withProgress('tables and indexes', tables.length + indexes.length, async ({ signal, add }) => {
    for (const [table, of] of Object.entries(rows)) {
      signal.throwIfAborted()
      const values = [size, large, others].filter((_, index) => of.includes(`$${index + 1}`))
      await database.query(`insert into ${table} ${of}`, values)
      add()
    }
    await database.query(`set maintenance_work_mem = '512MB'`)
    for (const { made } of indexes) {
      signal.throwIfAborted()
      await database.query(made)
      add()
    }
  })
  // Foreign keys last, and unchecked: the rows are made to fit.
  for (const { table, name, type, made } of constraints.reverse())
    await database.query(`alter table ${table} add constraint "${name}" ${made} ${type === 'f' ? 'not valid' : ''}`)
  await database.query(
    `insert into audit_heads (chain, seq, hash) select project_id::text, max(seq), '' from audit_events group by 1`,
  )
  await database.query('select receipt_recount()')
  await addUpCounters({ pool: database })
  await database.query('set session_replication_role = default')
  await database.query('vacuum analyze')
}

/** Creates the projects: one that has most rows, and others. */
export async function projectsIn(
  database: pg.Client,
  base: string,
): Promise<{ large: string; others: string[]; keys: { large: string; small: string } }> {
  const keys = { large: await projectKey(base), small: await projectKey(base) }
  for (let other = 2; other < 20; other++) await projectKey(base)
  const { rows: projects } = await database.query<{ id: string }>('select id from projects order by created_at, id')
  const [large = '', ...others] = projects.map(({ id }) => id)
  return { large, others, keys }
}

export async function printSizes(database: pg.Client, size: number): Promise<void> {
  const { rows: sizes } = await database.query<{ name: string; of: string; bytes: number; index: boolean }>(
    `select c.relname as name, coalesce(t.relname, c.relname) as of, pg_total_relation_size(c.oid)::float8 as bytes, i.indrelid is not null as index
     from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
     where coalesce(t.relname, c.relname) = any($1) and c.relkind in ('r', 'i') order by 2, 4, 3 desc`,
    [[...tables, 'receipt_counts', 'receipt_time_counts']],
  )
  let all = 0
  for (const { name, of, bytes, index } of sizes) {
    const own = index
      ? bytes
      : bytes - sizes.filter(one => one.index && one.of === of).reduce((sum, one) => sum + one.bytes, 0)
    all += own
    const [ofOne, megabytes] = [(own / size).toFixed(1).padStart(8), (own / 2 ** 20).toFixed(0).padStart(6)]
    console.log(`${ofOne} bytes a receipt, ${megabytes} MB: ${index ? '  ' : ''}${name}`)
  }
  console.log(`${(all / size).toFixed(0)} bytes a receipt in all`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const size = Number(process.argv[2] ?? 1_000_000)
  await inBench(async ({ databaseUrl, serve }) => {
    const { url } = await serve('src/main.ts', { ROLES: 'api' })
    const database = new pg.Client({ connectionString: databaseUrl })
    await database.connect()
    const { large, others } = await projectsIn(database, url)
    const began = performance.now()
    await seed(database, size, large, others)
    console.log(`seeded ${size} receipts in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
    await printSizes(database, size)
    await database.end()
  })
}
