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
import { chainsIn, type Reached, verifyChain } from '../modules/audit/chain.ts'
import { command, readArguments, Stopped, UsageError } from './command.ts'
import { withProgress } from './progress.ts'

const usage = `usage: quittance audit [--after <chain>:<row>:<hash>]

  --after  the place that an audit which was stopped has printed: it continues behind this row

Recomputes every hash chain of audit rows in the database that DATABASE_URL names, or else in the embedded database of a
service that is stopped. While a service with the embedded database runs, query { auditChain { rows fault } } instead.
Exit code: 0 when every chain is intact, 1 when one is not, 2 when there is no database to read, 130 when it was stopped.`

const options = { after: { type: 'string' } } as const
const shape = z.object({
  after: z
    .string()
    .regex(/^(service|[0-9a-f-]{36}):\d{1,18}:([0-9a-f]{64})?$/, 'must be what an audit printed when it was stopped')
    .transform(text => text.split(':'))
    .transform(([chain = '', seq = '', hash = '']) => ({ chain, seq: BigInt(seq), hash }))
    .optional(),
})
type After = z.output<typeof shape>['after']

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    const { after } = readArguments(args, options, shape).values
    const { url, stop } = await database()
    try {
      return (await isIntact(url, after)) ? 0 : 1
    } finally {
      await stop()
    }
  })

async function isIntact(url: string, after: After): Promise<boolean> {
  const pool = openPool(url, 2, console)
  try {
    const { rows } = await pool.query(`select to_regclass('audit_heads') as heads`)
    if (rows[0]?.heads === null) throw new UsageError('The database has no audit chain yet: start the service once.')
    const all = await chainsIn(sqlOf(pool))
    const first = after === undefined ? 0 : all.findIndex(({ chain }) => chain === after.chain)
    if (first < 0) throw new UsageError(`The database has no chain ${after?.chain}.`)
    const chains = all.slice(first)
    const total = chains.reduce((sum, chain) => sum + chain.rows, 0) - Number(after?.seq ?? 0)
    return await withProgress('audit rows', total, async ({ signal, add, print }) => {
      let isIntact = true
      for (const { chain } of chains) {
        const read = (count: number, { seq, hash }: Reached) => {
          if (signal.aborted) throw new Stopped(`Stopped. To continue: quittance audit --after ${chain}:${seq}:${hash}`)
          add(count)
        }
        const from = after?.chain === chain ? after : undefined
        const { rows, fault } = await verifyChain(sqlOf(pool), chain === 'service' ? null : chain, read, from)
        print(`${fault === null ? 'ok    ' : 'BROKEN'} ${chain}: ${rows} rows. ${fault ?? ''}`.trimEnd())
        isIntact &&= fault === null
      }
      return isIntact
    })
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
