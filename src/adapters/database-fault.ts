// Says why this process cannot use its database now, for the probe of readiness.
import type pg from 'pg'
import { recently } from '../core/recently.ts'
import { missingRights } from './database-rights.ts'
import { isBehind, migrationState } from './migrations.ts'

type Fault = 'database' | 'read_only' | 'rights' | 'schema'

// Grants and migrations change by hands, and looking them up reads the catalogue.
const schemaKeptMs = 30_000

/**
 * `database`: it does not answer. `read_only`: it is a standby, or was made one. A schema that has more than this
 * program knows is no fault of a running process, because an update migrates before it replaces processes.
 */
export function databaseFault(pool: pg.Pool): () => Promise<Fault | null> {
  const schemaFault = recently(async (): Promise<Fault | null> => {
    if ((await missingRights(pool, { migrates: false })) === null) return (await isBehind(pool)) ? 'schema' : null
    // While a newer version migrates, this role may not yet have its rights on tables that this version does not use.
    const { ahead } = await migrationState(pool).catch(() => ({ ahead: [] }))
    return ahead.length > 0 ? null : 'rights'
  }, schemaKeptMs)
  return async () => {
    try {
      const { rows } = await pool.query<{ isReadOnly: boolean }>(
        `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
      )
      return rows[0]?.isReadOnly ? 'read_only' : await schemaFault()
    } catch {
      return 'database'
    }
  }
}
