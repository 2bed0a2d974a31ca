// `npm run audit`: recomputes every hash chain of audit rows and reports which are intact. Exits with 1 if one is not.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { openPool } from './adapters/pg-pool.ts'
import { readDotEnv } from './dot-env.ts'
import { startPostgres } from './embedded/postgres.ts'
import { StartError } from './embedded/start-error.ts'
import { EnvError, readEnv } from './env.ts'
import { sqlOf } from './kit/transaction.ts'
import { verifyChains } from './modules/audit/chain.ts'

const log = pino({ level: 'silent' })

/** Returns the configured database, or starts the embedded one, which no other process may be using. */
async function database(): Promise<{ url: string; stop(): Promise<void> }> {
  const env = readEnv(process.env, readDotEnv(process.env))
  if (env.databaseUrl !== null) return { url: env.databaseUrl, stop: async () => undefined }
  const folder = join(env.dataDir, 'postgres')
  if (!existsSync(folder)) throw new StartError(`There is no database: set DATABASE_URL, or DATA_DIR (${env.dataDir}).`)
  return startPostgres(folder, log)
}

try {
  const { url, stop } = await database()
  const pool = openPool(url, 2, console)
  const { rows } = await pool.query(`select to_regclass('audit_heads') as heads`)
  const reports = rows[0]?.heads === null ? null : await verifyChains(sqlOf(pool))
  await pool.end()
  await stop()
  if (reports === null) throw new StartError('The database has no audit chain yet: start the service once.')
  for (const { chain, rows, fault } of reports) {
    console.log(`${fault === null ? 'ok    ' : 'BROKEN'} ${chain}: ${rows} rows. ${fault ?? ''}`.trimEnd())
  }
  process.exitCode = reports.every(({ fault }) => fault === null) ? 0 : 1
} catch (error) {
  if (!(error instanceof StartError || error instanceof EnvError)) throw error
  console.error(error instanceof EnvError ? `These settings cannot be used:\n${error.message}` : error.message)
  if (error instanceof StartError) console.error('While the service runs, query its API: { auditChain { rows fault } }')
  process.exitCode = 2
}
