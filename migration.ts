// `npm run migration NAME`: writes the migration that a change of prisma/models needs, and prints it. What models do
// not have, such as functions, constraints and data, is added by hand.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from './src/adapters/migrate.ts'
import { migrations } from './src/adapters/migrations.ts'
import { openPool } from './src/adapters/pg-pool.ts'
import { startPostgres } from './src/embedded/postgres.ts'
import { differences } from './test/kit/schema-engine.ts'

const [name = ''] = process.argv.slice(2)
if (!/^[a-z0-9_]+$/.test(name)) {
  console.error('npm run migration NAME: small letters, digits and _, such as receipts_by_label')
  process.exit(1)
}
const folder = await mkdtemp(join(tmpdir(), 'quittance-migration-'))
const postgres = await startPostgres(join(folder, 'postgres'), { info() {}, error: console.error })
try {
  const pool = openPool(postgres.url, 2, console)
  await migrate(pool)
  await pool.end()
  const sql = asWritten(await differences(postgres.url))
  const { false: changes = [], true: indexes = [] } = Object.groupBy(
    sql,
    one => `${one.includes(' INDEX CONCURRENTLY ')}`,
  )
  if (sql.length === 0) console.log('The migrations already make what prisma/models describes.')
  if (changes.length > 0) await write(name, changes)
  // PostgreSQL builds them while others write, in no transaction (src/adapters/migrate.ts).
  if (indexes.length > 0) await write(changes.length > 0 ? `${name}_indexes` : name, indexes)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function write(name: string, statements: readonly string[]): Promise<void> {
  const path = join('prisma', 'migrations', `${await nextNumber()}_${name}`, 'migration.sql')
  const sql = `${statements.join('\n\n')}\n`
  await mkdir(join(fileURLToPath(new URL('.', import.meta.url)), path, '..'))
  await writeFile(new URL(path, import.meta.url), sql)
  console.log(`${sql}\nwritten to ${path}`)
}

/** Returns the present time, or the second after the last migration where that is later, because names are an order. */
async function nextNumber(): Promise<number> {
  const now = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const last = (await migrations()).at(-1)?.name.slice(0, 14)
  return Math.max(Number(now), Number(last) + 1)
}

/** Returns the statements. Indexes of tables that exist already are built while others write. */
function asWritten(script: string): string[] {
  const made = new Set([...script.matchAll(/^CREATE TABLE ("\w+")/gm)].map(([, table]) => table))
  return script
    .replace(/^-- (This is an empty migration\.|[A-Z]\w+)\n/gm, '')
    .replace(/^(CREATE (?:UNIQUE )?INDEX) (?=.* ON ("\w+"))/gm, (begin, words, table) =>
      made.has(table) ? begin : `${words} CONCURRENTLY IF NOT EXISTS `,
    )
    .replace(/^DROP INDEX /gm, 'DROP INDEX CONCURRENTLY IF EXISTS ')
    .trim()
    .split(/(?<=;)\n+/)
    .filter(statement => statement !== '')
}
