// Connects to the server that takes writes, among those of a URL with `target_session_attrs=read-write`, as libpq does.
// PostgreSQL counts promotions in its timeline: a server of an earlier timeline than the latest that was seen is a
// former primary that does not know of its successor, and gets no connection, although it takes writes.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readPostgresUrl } from '../core/postgres-url.ts'

const patienceMs = 3_000
// How long a primary that has answered waits for the answer of another.
const othersMs = 200
const pauseMs = 250
const lookEveryMs = 5_000

/** `timeline`: 0 where the server does not tell it, as some hosts of PostgreSQL do not. */
type Standing = { takesWrites: boolean; timeline: number }
type Server = { host: string; port: number; connectionString: string }
type Found = Server & { timeline: number }

async function standingOf(client: pg.ClientBase): Promise<Standing> {
  const { rows } = await client.query(`select current_setting('transaction_read_only') = 'off' as "takesWrites"`)
  if (!rows[0].takesWrites) return { takesWrites: false, timeline: 0 }
  const timeline = await client
    .query('select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as hex')
    .then(({ rows }) => Number.parseInt(rows[0].hex, 16))
    .catch(error => {
      if (error instanceof pg.DatabaseError) return 0
      throw error
    })
  return { takesWrites: true, timeline }
}

/** An error that callers get as `database_unavailable`, with PostgreSQL's code for a server that cannot be used now. */
const unfit = (message: string) => Object.assign(new Error(message), { code: '57P03' })

const nameOf = ({ host, port }: Server) => `${host}:${port}`

function createPrimary(urls: readonly string[]) {
  const servers = urls.map((connectionString): Server => {
    const { host, port } = new pg.Client({ connectionString })
    return { host, port, connectionString }
  })
  let current: Server | null = null
  let looking: Promise<Server> | null = null
  let newest = 0
  const members = new Map<pg.Client, number>()
  let watch: NodeJS.Timeout | undefined

  /** Cuts the connections of earlier timelines, because what a former primary still accepts is lost. */
  function note(timeline: number): void {
    if (timeline <= newest) return
    newest = timeline
    for (const [client, its] of members) if (its < timeline) client.connection.stream.destroy()
  }

  function check(server: Server, { takesWrites, timeline }: Standing): void {
    if (!takesWrites) throw unfit(`${nameOf(server)} takes no writes`)
    if (timeline > 0 && timeline < newest)
      throw unfit(`${nameOf(server)} is a former primary: its timeline is ${timeline}, and ${newest} has begun`)
  }

  async function ask(server: Server): Promise<Found> {
    const limits = { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs }
    const client = new pg.Client({ connectionString: server.connectionString, ...limits }).on('error', () => {})
    try {
      await client.connect()
      const standing = await standingOf(client)
      check(server, standing)
      return { ...server, timeline: standing.timeline }
    } catch (error) {
      throw unfit(`${nameOf(server)}: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      void client.end().catch(() => {})
    }
  }

  async function look(): Promise<Server> {
    const found: Found[] = []
    const answers = servers.map(server => ask(server).then(one => found.push(one)))
    try {
      await Promise.any(answers)
    } catch (error) {
      await sleep(pauseMs)
      const reasons = error instanceof AggregateError ? error.errors.map(({ message }) => message).join('; ') : error
      throw unfit(`no server of the database takes writes: ${reasons}`)
    }
    await Promise.race([Promise.allSettled(answers), sleep(othersMs)])
    const best = found.reduce((one, other) => (other.timeline > one.timeline ? other : one))
    note(best.timeline)
    current = best
    return best
  }

  /** All who need the server at the same time share one search, also if it fails. */
  function search(): Promise<Server> {
    looking ??= look().finally(() => {
      looking = null
    })
    return looking
  }

  function leave(server: Server): void {
    if (current === server) current = null
  }

  function join(client: pg.Client, timeline: number): void {
    members.set(client, timeline)
    // Connections that are never idle too long would stay with a former primary.
    if (servers.length > 1) watch ??= setInterval(() => void search().catch(() => {}), lookEveryMs).unref()
    client.once('end', () => {
      members.delete(client)
      if (members.size > 0) return
      clearInterval(watch)
      watch = undefined
    })
  }

  return {
    async connect(client: pg.Client, open: () => Promise<unknown>): Promise<void> {
      const server = current ?? (servers.length > 1 ? await search() : servers[0])
      if (server === undefined) throw new Error('no server')
      client.host = server.host
      client.port = server.port
      client.on('error', () => leave(server))
      try {
        await open()
        const standing = await standingOf(client)
        check(server, standing)
        note(standing.timeline)
        join(client, standing.timeline)
      } catch (error) {
        leave(server)
        void client.end().catch(() => {})
        throw error
      }
    },
  }
}

// Shared by the pools and the other connections of this process, so that all of them know the latest timeline.
const primaries = new Map<string, ReturnType<typeof createPrimary>>()

/** Returns what opens connections to the servers of this URL: the class of clients, and the URL that they take. */
export function clientsOf(text: string): { Client: typeof pg.Client; connectionString: string } {
  const read = readPostgresUrl(text)
  // The settings were read by the same rule.
  if (typeof read === 'string') throw new Error(`the URL of the database ${read}`)
  const [connectionString] = read.servers
  if (!read.writes) return { Client: pg.Client, connectionString }
  const primary = primaries.get(text) ?? createPrimary(read.servers)
  primaries.set(text, primary)
  class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      const connected = primary.connect(this, () => super.connect())
      if (callback === undefined) return connected.then(() => this)
      const tell = callback as (error: Error | null, client?: pg.Client) => void
      connected.then(() => tell(null, this), tell)
    }
  }
  return { Client: PrimaryClient, connectionString }
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)
