// Runs the benchmarks behind the figures in docs/figures.md, one after the other; `npm run bench read` runs only one of
// them.
import { spawnSync } from 'node:child_process'

const all = [
  'start',
  'read',
  'nested',
  'documents',
  'record',
  'growth',
  'groups',
  'exports',
  'messages',
  'pipeline',
  'settlement',
  'payments',
  'webhooks',
  'neighbour',
  'processes',
  'standbys',
  'memory',
  'fanout',
]
const chosen = process.argv.slice(2)
for (const name of chosen.length > 0 ? chosen : all) {
  console.log(`\n${name}`)
  const { status } = spawnSync(process.execPath, [`bench/${name}.ts`], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
