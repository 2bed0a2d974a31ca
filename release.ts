// Makes a release of the working tree: `npm run release -- 1.2.3`. Writes the version and the changelog's heading,
// commits and tags. Publishing starts when the tag is pushed (CONTRIBUTING.md).
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { lineOf } from './prisma/expanding.ts'
import { migrations } from './src/adapters/migrations.ts'

function refuse(reason: string): never {
  console.error(reason)
  process.exit(1)
}

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const [version = ''] = process.argv.slice(2)
const form = /^(\d+)\.(\d+)\.(\d+)$/
const numbers = (text: string) => (form.exec(text) ?? []).slice(1).map(Number)
const current: string = JSON.parse(readFileSync('package.json', 'utf8')).version
if (!form.test(version)) refuse('usage: npm run release -- 1.2.3')
const difference = numbers(version).map((number, index) => number - (numbers(current)[index] ?? 0))
if ((difference.find(each => each !== 0) ?? 0) < 0)
  refuse(`${version} is before ${current}, the version of package.json.`)
if (run('git', 'status', '--porcelain') !== '') refuse('There are changes that are not committed.')
if (run('git', 'tag', '--list', `v${version}`) !== '') refuse(`v${version} exists already.`)

const changelog = readFileSync('CHANGELOG.md', 'utf8')
const today = new Date().toISOString().slice(0, 10)
const released = changelog.replace(/^## Unreleased\n(?=\n+[^#\n])/m, `## Unreleased\n\n## ${version} - ${today}\n`)
if (released === changelog) refuse('The section Unreleased of CHANGELOG.md is empty.')
run('npm', 'run', 'check')
const { status } = spawnSync('npm', ['run', '--silent', 'supply'], { stdio: ['ignore', 'ignore', 'inherit'] })
if (status === 2) console.error('The registry has no audit. The release workflow asks another one before it publishes.')
else if (status !== 0)
  refuse('A package has a known vulnerability or a licence that is not allowed: npm run supply names it.')
run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version')
run('npm', 'run', 'codegen')
// The tag publishes this package, which is built when it is packed.
run('npm', 'pack', '--silent', '--dry-run', './packages/verify')
writeFileSync('CHANGELOG.md', released)
writeFileSync('prisma/released.txt', `${(await migrations()).map(lineOf).join('\n')}\n`)
run('git', 'commit', '--all', '--message', `Release ${version}`)
run('git', 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`)
console.log(`v${version} is tagged. Publish it with: git push --follow-tags`)
