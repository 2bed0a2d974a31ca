// Kills the primary database under load, again and again, and audits what the clients were told: `npm run failover`, or
// `npm run failover -- --kills=100 --by=haproxy`, or `--by=patroni`. The history of the run is written to a file.
// Ctrl-C ends the run after the present kill, and audits it.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { haproxy } from './kit/failover/haproxy.ts'
import { patroni } from './kit/failover/patroni.ts'
import { run } from './kit/failover/run.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10' },
    by: { type: 'string', default: 'hosts' },
    file: { type: 'string', default: join(tmpdir(), `failover-${Date.now()}.jsonl`) },
  },
})
let isEnough = false
process.once('SIGINT', () => {
  isEnough = true
  console.log('It ends after this kill, and audits.')
})
const by = z.enum(['hosts', 'haproxy', 'patroni']).parse(values.by)
if (by === 'haproxy' && haproxy === null) throw new Error('HAProxy is not installed on this machine')
if (by === 'patroni' && patroni === null) throw new Error('Patroni is not installed on this machine')
console.log(`The history is written to ${values.file}.`)
const { violations, outages, ...counts } = await run({
  kills: Number(values.kills),
  by,
  file: values.file,
  tell: line => console.log(line),
  isEnough: () => isEnough,
})
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
console.log(`${outages.kills} kills, by ${by}. Receipts ${counts.receipts}, payments ${counts.payments}, events ${counts.events}.
Writes were refused for ${seconds(outages.medianMs)} (median), ${seconds(outages.p95Ms)} (p95), ${seconds(outages.longestMs)} (longest); ${outages.refused} requests were refused.
Violations: ${violations.length}`)
for (const violation of violations.slice(0, 50)) console.log(`  ${violation}`)
process.exit(violations.length === 0 ? 0 : 1)
