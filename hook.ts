// The gate before a push, in a few seconds; `.ci/run` is the whole. Started by .githooks/pre-push.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

// Commits that no remote has; without a remote, the last one.
const news = git('rev-list', 'HEAD', '--not', '--remotes')
const since = git('remote').length > 0 && news.length > 0 ? `${news.at(-1)}~1` : 'HEAD~1'
const changed = git('diff', '--name-only', '--diff-filter=d', since, 'HEAD').filter(path => existsSync(path))
const tests = changed.filter(path => /^test\/unit\/.*\.test\.ts$/.test(path))

const buildInfo = 'node_modules/.cache/types.tsbuildinfo'
const commands = [
  ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...changed],
  ['typescript/bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', buildInfo],
  ...(tests.length > 0 ? [['vitest/vitest.mjs', 'run', '--project', 'unit', ...tests]] : []),
]
const codes = await Promise.all(
  commands.map(async ([program, ...args]) => {
    const child = spawn(process.execPath, [`node_modules/${program}`, ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const [code] = await once(child, 'exit')
    return code
  }),
)
process.exit(codes.every(code => code === 0) ? 0 : 1)
