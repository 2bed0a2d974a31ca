// `quittance audit`: recomputes every hash chain of audit rows and reports which chains are intact.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { z } from 'zod'
import { openPool } from '../adapters/pg-pool.ts'
import { readDotEnv } from '../dot-env.ts'
import { startPostgres } from '../embedded/postgres.ts'
import { StartError } from '../embedded/start-error.ts'
import { EnvError, readEnv } from '../env.ts'
import { sqlOf } from '../kit/transaction.ts'
import { verifyChains } from '../modules/audit/chain.ts'
import { command, readArguments, UsageError } from './command.ts'

const usage = `usage: quittance audit

Recomputes every hash chain of audit rows in the database that DATABASE_URL names, or else in the embedded database of a
service that is stopped. While a service with the embedded database runs, query { auditChain { rows fault } } instead.
Exit code: 0 when every chain is intact, 1 when one is not, 2 when there is no database to read.`

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    readArguments(args, {}, z.object({}))
    const { url, stop } = await database()
    try {
      const reports = await readReports(url)
      for (const { chain, rows, fault } of reports) {
        console.log(`${fault === null ? 'ok    ' : 'BROKEN'} ${chain}: ${rows} rows. ${fault ?? ''}`.trimEnd())
      }
      return reports.every(({ fault }) => fault === null) ? 0 : 1
    } finally {
      await stop()
    }
  })

async function readReports(url: string) {
  const pool = openPool(url, 2, console)
  try {
    const { rows } = await pool.query(`select to_regclass('audit_heads') as heads`)
    if (rows[0]?.heads === null) throw new UsageError('The database has no audit chain yet: start the service once.')
    return await verifyChains(sqlOf(pool))
  } finally {
    await pool.end()
  }
}

/** Returns the configured database, or starts the embedded one, which no other process may be using. */
async function database(): Promise<{ url: string; stop(): Promise<void> }> {
  try {
    const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = readEnv(process.env, readDotEnv(process.env))
    if (databaseUrl !== null) return { url: databaseUrl, stop: async () => undefined }
    const folder = join(dataDir, 'postgres')
    if (!existsSync(folder)) throw new UsageError(`There is no database: set DATABASE_URL, or DATA_DIR (${dataDir}).`)
    return await startPostgres(folder, pino({ level: 'silent' }))
  } catch (error) {
    if (error instanceof EnvError) throw new UsageError(`These settings cannot be used:\n${error.message}`)
    if (error instanceof StartError) throw new UsageError(error.message)
    throw error
  }
}
