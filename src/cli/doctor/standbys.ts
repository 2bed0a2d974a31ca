// Checks the standbys of DATABASE_READ_URLS as the service does: reachable, in recovery, copies of the database of
// DATABASE_URL, readable; and how far each is behind. A process starts without them, so nothing here prevents a start.
import type pg from 'pg'
import { clientsOf } from '../../adapters/pg-primary.ts'
import type { Env } from '../../env.ts'
import { positionOf, standingOf } from '../../kit/standbys.ts'
import { about, type Finding, wordsOf } from './finding.ts'

const { ok, warn, fail } = about('standbys')
const patienceMs = 5_000

export async function inspectStandbys({ DATABASE_URL, DATABASE_READ_URLS }: Env): Promise<Finding[]> {
  if (DATABASE_READ_URLS === null) return []
  if (DATABASE_URL === null)
    return [fail('DATABASE_READ_URLS needs DATABASE_URL: the embedded PostgreSQL has no standby.')]
  const primary = clientOf(DATABASE_URL)
  try {
    await primary.connect()
    return (await Promise.all(DATABASE_READ_URLS.map(url => inspect(url, primary)))).flat()
  } catch (error) {
    return [warn(`They cannot be compared with the primary, which cannot be used: ${wordsOf(error)}.`)]
  } finally {
    await primary.end().catch(() => {})
  }
}

function clientOf(url: string): pg.Client {
  const { Client, connectionString } = clientsOf(url)
  const limits = { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs }
  return new Client({ connectionString, ...limits }).on('error', () => {})
}

async function inspect(url: string, primary: pg.Client): Promise<Finding[]> {
  const client = clientOf(url)
  const name = `${client.host}:${client.port}/${client.database}`
  const unused = (why: string) => [warn(`${name} is not read from, and the primary answers: ${why}.`)]
  try {
    await client.connect()
    const { place, timeline } = await standingOf(client)
    const now = await positionOf(primary)
    if (place !== now.place) return unused('it is no copy of the database of DATABASE_URL')
    if (timeline !== now.timeline) return unused(`it is on timeline ${timeline}, and the primary on ${now.timeline}`)
    const { rows } = await client.query<{ behind: string; seconds: string | null; delay: string }>(
      `select greatest(0, pg_wal_lsn_diff($1, pg_last_wal_replay_lsn()))::text as behind,
         round(extract(epoch from now() - pg_last_xact_replay_timestamp()))::text as seconds,
         current_setting('max_standby_streaming_delay') as delay`,
      [now.lsn],
    )
    const { behind = '0', seconds = null, delay = '' } = rows[0] ?? {}
    const text = `${name} follows the primary, and its role may read. A read may hold up its replay for ${delay} (max_standby_streaming_delay).`
    if (Number(behind) === 0) return [ok(text)]
    const since = seconds === null ? '' : `, the last change is ${seconds} s old`
    return [warn(`${text} It is ${behind} bytes of WAL behind${since}: it is read from once it has replayed them.`)]
  } catch (error) {
    return unused(wordsOf(error))
  } finally {
    await client.end().catch(() => {})
  }
}
