// Measures the time from a cold start to ready with the embedded PostgreSQL and chain: the first start makes them, the
// second finds them.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from './kit.ts'

const folder = await mkdtemp(join(tmpdir(), 'quittance-bench-'))
for (const [name, goal] of [
  ['first', null],
  ['second', 8],
] as const) {
  const started = performance.now()
  const server = await serve('src/main.ts', { DATA_DIR: folder })
  const seconds = (performance.now() - started) / 1_000
  console.log(
    `${goal === null || seconds < goal ? 'ok' : 'SLOW'}     ${name} start to ready: ${seconds.toFixed(1)} s${goal === null ? '' : ` (goal under ${goal})`}`,
  )
  await server.stop()
}
await rm(folder, { recursive: true, force: true })
