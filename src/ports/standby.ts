// The connections to a hot standby: a copy of the database that follows the primary, and answers reads.
import type pg from 'pg'

export type Standby = {
  /** Host, port and database. */
  name: string
  /** For reads; only the check of a connection runs on it besides. */
  pool: pg.Pool
  /** Opens one more connection, for probes, which no read keeps busy. */
  watch(): Promise<pg.Client>
  /** Ends all connections at once, without a goodbye, for which a silent server would be waited for. */
  cut(): void
}
