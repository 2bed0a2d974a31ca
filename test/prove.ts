// The property tests of the messages over as many receipts as asked for, and a fifth of that in lives of payments whose
// references are walked: `npm run prove`, or `npm run prove 200000`.
import { spawnSync } from 'node:child_process'

const runs = process.argv[2] ?? '50000'
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/unit/messages.test.ts', 'test/unit/references.test.ts'],
  {
    env: { ...process.env, MESSAGE_RUNS: runs, REFERENCE_LIVES: String(Math.ceil(Number(runs) / 5)) },
    stdio: 'inherit',
  },
)
process.exit(status ?? 1)
