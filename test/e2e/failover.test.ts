// The primary database is killed under load, and its synchronous standby takes over: nothing that was acknowledged is
// lost, nothing is done twice, and streams and webhooks go on. `npm run failover` does it as often as asked.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { haproxy } from '../kit/failover/haproxy.ts'
import { run } from '../kit/failover/run.ts'
import { isFull } from '../kit/size.ts'

const ways = [
  { by: 'hosts' as const, kills: 2, title: 'by the hosts of the URL' },
  { by: 'haproxy' as const, kills: 1, title: `through ${haproxy}` },
]

describe.runIf(isFull)('a failover', () => {
  it.skipIf(haproxy !== null)('through HAProxy, which this machine does not have', () => undefined)

  it.each(ways.filter(({ by }) => by === 'hosts' || haproxy !== null))(
    'breaks no promise: $title',
    async ({ by, kills }) => {
      const folder = await mkdtemp(join(tmpdir(), 'quittance-history-'))
      const told: string[] = []
      try {
        const file = join(folder, 'history.jsonl')
        const outcome = await run({ kills, by, file, tell: line => void told.push(line) })
        expect(outcome.violations, told.join('\n')).toEqual([])
        expect(outcome.outages).toMatchObject({ kills })
        for (const count of [outcome.receipts, outcome.payments, outcome.outages.refused])
          expect(count).toBeGreaterThan(0)
      } finally {
        await rm(folder, { recursive: true })
      }
    },
    600_000,
  )
})
