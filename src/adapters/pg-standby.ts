// Opens the connections to a hot standby.
import type pg from 'pg'
import type { Standby } from '../ports/standby.ts'
import { openReads } from './pg-pool.ts'
import { clientsOf } from './pg-primary.ts'
import { cut } from './pg-silence.ts'

// Short, because the primary answers what a standby does not.
const connectionTimeoutMillis = 1_000

export function openStandby(connectionString: string, max: number): Standby {
  const { Client, connectionString: url } = clientsOf(connectionString)
  const { host, port, database } = new Client({ connectionString: url })
  // Losing a standby is one line, and not one for each connection.
  const pool = openReads(connectionString, max, { warn: () => undefined }, { deadline: { connectionTimeoutMillis } })
  const open = new Set<pg.ClientBase>()
  pool.on('connect', client => void open.add(client)).on('remove', client => void open.delete(client))
  return {
    name: `${host}:${port}/${database}`,
    pool,
    async watch() {
      const limits = { connectionTimeoutMillis, query_timeout: 1_000 }
      const client = new Client({ connectionString: url, ...limits, application_name: 'quittance standby' })
      client.on('error', () => undefined).once('end', () => open.delete(client))
      open.add(client)
      await client.connect()
      return client
    },
    cut() {
      for (const client of open) cut(client)
    },
  }
}
