// Proves the messages at size: `npm run prove`, or `npm run prove 2000` for a small one. The number is that of receipts
// from which every message is built; a fifth of it are lifecycles whose references are resolved, and lives of payments
// in a whole service over sixty days; a thousandth are projects whose sixty days are closed. Every run has seeds of its
// own, and each core a share.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

const runs = Number(process.argv[2] ?? 50_000)
const cores = availableParallelism()

/** Runs test files with these sizes. Returns whether they passed. */
async function pass(files: readonly string[], sizes: Record<string, number>): Promise<boolean> {
  const env = Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, String(Math.ceil(size))]))
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers', '1', ...files]
  const [code] = await once(
    spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'inherit' }),
    'exit',
  )
  return code === 0
}

const builders = ['test/unit/messages.test.ts', 'test/unit/references.test.ts', 'test/e2e/statement-series.test.ts']
const share = { MESSAGE_RUNS: runs / cores, REFERENCE_LIVES: runs / 5 / cores, SERIES_LIVES: runs / 1_000 / cores }
// Lives mostly wait for their chain, so they need no core of their own.
const passed = await Promise.all([
  pass(['test/e2e/lives.test.ts'], { LIVES: runs / 5 }),
  ...Array.from({ length: cores }, () => pass(builders, share)),
])
process.exit(passed.every(isPassed => isPassed) ? 0 : 1)
