// Half a minute of `npm run soak`, with a seed of its own in each run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { killWithUs } from '../../src/embedded/on-death.ts'
import { onlyInFull } from '../kit/size.ts'

const script = fileURLToPath(new URL('../soak/run.ts', import.meta.url))

onlyInFull('nothing is lost, doubled or seen by another tenant', { timeout: 600_000 }, async () => {
  const child = spawn(process.execPath, [script, '--minutes=0.5'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.once('exit', killWithUs(child.pid))
  let words = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (words += chunk))
  const [code] = await once(child, 'exit')
  expect(code, words).toBe(0)
  expect(words).toMatch(/"record":\d/)
})
