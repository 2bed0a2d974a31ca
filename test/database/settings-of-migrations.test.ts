// Migrations of databases whose settings are those of other places.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { migrate } from '../../src/adapters/migrate.ts'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { onDatabase, template } from '../kit/global-setup.ts'
import { asHostile, hostile } from '../kit/hostile-role.ts'

async function onto<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}

const made = `
  select 'column' as what, table_schema || '.' || table_name || '.' || column_name as name, column_default as text
  from information_schema.columns where table_schema in ('public', 'graphile_worker')
  union all select 'index', schemaname || '.' || indexname, replace(indexdef, 'elsewhere.', '') from pg_indexes
  where schemaname in ('public', 'graphile_worker') order by 1, 2`

it.each(Object.entries(hostile))('make the same database with the settings of %s', async (_, settings) => {
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = onDatabase(inject('postgresUrl'), name)
  await onto(inject('postgresUrl'), client => client.query(`create database ${name}`))
  // Hosts of PostgreSQL make extensions in a schema of their own.
  await onto(url, client => client.query('create schema elsewhere; create extension pg_trgm schema elsewhere'))
  const role = onDatabase(await asHostile(inject('postgresUrl'), settings), name)
  const pool = openPool(role, 2, console)
  await migrate(pool)
  await pool.end()
  const { rows } = await onto(url, client => client.query(made))
  const { rows: usual } = await onto(onDatabase(inject('postgresUrl'), template), client => client.query(made))
  expect(rows).toEqual(usual)
  expect(rows.length).toBeGreaterThan(200)
})
