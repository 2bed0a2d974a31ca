// Changes the code in one place at a time and runs the tests that must fail: `npm run mutants`, or `npm run mutants
// lane` for files with this word in their path. It works on copies in a temporary folder and leaves the working tree
// unchanged.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutants as all, stale } from './all.ts'
import type { Mutant } from './mutant.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const left = new Set(['node_modules', '.git', '.data'])
const atOnce = 2

const [word = ''] = process.argv.slice(2)
const mutants = all.filter(({ file }) => file.includes(word))

async function copyTo(folder: string): Promise<string> {
  await cp(root, folder, { recursive: true, filter: source => !left.has(basename(source)) })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const running = new Set<ChildProcess>()
let isStopped = false
process.once('SIGINT', () => {
  isStopped = true
  for (const child of running) signal(child, 'SIGINT')
})

/** Signals the process and all processes that it started. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch {
    // None of them is running any more.
  }
}

/** Returns the number of failed tests; the output when there is no such number. */
async function failures(folder: string, tests: readonly string[], more: string[] = []): Promise<number | string> {
  const files = tests.map(test => `test/${test}.test.ts`)
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...more, ...files]
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: join(folder, '..', 'compiled'),
    ISO20022_XSD_DIR: resolve(root, process.env.ISO20022_XSD_DIR ?? '../shared/xsd'),
  }
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const closed = once(child, 'close')
  const [code] = await once(child, 'exit')
  running.delete(child)
  // A test that was cut short leaves its processes running, which keep its output open.
  signal(child, 'SIGKILL')
  await closed
  if (isStopped) throw new Error('stopped')
  const [, passed, failed] = /^(\d+) passed, (\d+) failed, \d+ skipped$/m.exec(output) ?? []
  const isTold = code === 0 ? Number(passed) > 0 && failed === '0' : Number(failed) > 0
  return isTold ? Number(failed) : output
}

async function isKilled(folder: string, { file, text, instead, tests }: Mutant): Promise<boolean> {
  const path = join(folder, file)
  const source = await readFile(path, 'utf8')
  // No regular expression, in which `$` would have a meaning.
  await writeFile(path, source.split(text).join(instead))
  const failed = await failures(folder, tests, ['--maxWorkers=1'])
  await writeFile(path, source)
  if (typeof failed === 'string') throw new Error(`${tests} could not be run with a change to ${file}:\n${failed}`)
  return failed > 0
}

const faults = await stale(root)
if (mutants.length === 0) faults.push(`no mutant is of a file with ${word} in its path`)
if (faults.length > 0) {
  for (const fault of faults) console.error(fault)
  process.exit(1)
}

const folder = await mkdtemp(join(tmpdir(), 'quittance-mutants-'))
const living: Mutant[] = []
try {
  const copies = await Promise.all(Array.from({ length: atOnce }, (_, index) => copyTo(join(folder, `${index}`))))
  // A test that fails without any change would prove nothing.
  const tests = [...new Set(mutants.flatMap(mutant => mutant.tests))]
  const before = await failures(copies[0] ?? '', tests)
  if (before !== 0) throw new Error(`without any change: ${before}`)
  const waiting = mutants.values()
  const work = async (copy: string) => {
    for (const mutant of waiting) {
      const started = performance.now()
      const killed = await isKilled(copy, mutant)
      if (!killed) living.push(mutant)
      const seconds = ((performance.now() - started) / 1_000).toFixed(0)
      console.log(`${killed ? 'killed' : 'LIVES '} ${seconds.padStart(4)} s  ${mutant.file}: ${mutant.harm}`)
    }
  }
  await Promise.all(copies.map(work))
} finally {
  // A test that was cut short may still write compiled code.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
}

for (const { file, text, instead, tests } of living) {
  console.error(`\nNone of ${tests.join(', ')} notices in ${file}\n- ${text.trim()}\n+ ${instead.trim()}`)
}
console.log(`${mutants.length} mutants, ${living.length} live`)
process.exit(living.length === 0 ? 0 : 1)
