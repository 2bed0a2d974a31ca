// The gate before a push, in a few seconds: format and lint of the files of new commits, and the unit tests among them.
// Types are left to `npm run check`, because a change of a common file takes a minute. Started by .githooks/pre-push.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'

// Git tells a hook where its repository is, and the tests use repositories of their own.
for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name]

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

// Commits that no remote has; without a remote, the last one.
const news = git('rev-list', 'HEAD', '--not', '--remotes')
const since = git('remote').length > 0 && news.length > 0 ? `${news.at(-1)}~1` : 'HEAD~1'
const changed = git('diff', '--name-only', '--diff-filter=d', since, 'HEAD').filter(path => existsSync(path))
const tests = changed.filter(path => /^test\/unit\/.*\.test\.ts$/.test(path))

const commands = [
  ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...changed],
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
