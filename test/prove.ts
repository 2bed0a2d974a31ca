// Runs the property tests of the messages over the given number of receipts, and a fifth of that number of payment
// lifecycles whose references are resolved: `npm run prove`, or `npm run prove 200000`. For each thousand receipts it
// closes sixty days of a project. Each core runs its share with seeds of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

const runs = Number(process.argv[2] ?? 50_000)
const cores = availableParallelism()
const files = ['test/unit/messages.test.ts', 'test/unit/references.test.ts', 'test/e2e/statement-series.test.ts']
const env = {
  ...process.env,
  MESSAGE_RUNS: String(Math.ceil(runs / cores)),
  REFERENCE_LIVES: String(Math.ceil(runs / 5 / cores)),
  SERIES_LIVES: String(Math.ceil(runs / 1_000 / cores)),
}

const codes = await Promise.all(
  Array.from({ length: cores }, async () => {
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers', '1', ...files]
    const [code] = await once(spawn(process.execPath, args, { env, stdio: 'inherit' }), 'exit')
    return code
  }),
)
process.exit(codes.every(code => code === 0) ? 0 : 1)
