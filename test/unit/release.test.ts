// `npm run release`, in a repository of its own.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const user = { GIT_AUTHOR_NAME: 'Test', GIT_AUTHOR_EMAIL: 'test@example.com' }
const env = { ...process.env, ...user, GIT_COMMITTER_NAME: 'Test', GIT_COMMITTER_EMAIL: 'test@example.com' }

let folder: string
const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' })

function release(...args: string[]) {
  const script = fileURLToPath(new URL('../../release.ts', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: folder, env, encoding: 'utf8' })
  return [status, stderr.trim()]
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'))
  const scripts = {
    check: 'exit 0',
    supply: 'exit 0',
    codegen: 'node -p "require(\'./package.json\').version" > generated',
  }
  write('package.json', JSON.stringify({ name: 'thing', version: '0.1.0', private: true, scripts }))
  write(
    'package-lock.json',
    JSON.stringify({ name: 'thing', version: '0.1.0', lockfileVersion: 3, packages: { '': { version: '0.1.0' } } }),
  )
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- A change.\n')
  for (const path of ['packages/verify', 'prisma']) mkdirSync(join(folder, path), { recursive: true })
  write('prisma/released.txt', '')
  write('packages/verify/package.json', JSON.stringify({ name: 'thing-verify', version: '0.1.0' }))
  write('generated', '0.1.0\n')
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
})
afterEach(() => rmSync(folder, { recursive: true }))

it('writes the version and the heading of the changelog, commits and tags', () => {
  expect(release('0.2.0')).toEqual([0, ''])
  const lock = JSON.parse(read('package-lock.json'))
  expect([JSON.parse(read('package.json')).version, lock.version, lock.packages[''].version]).toEqual(
    Array(3).fill('0.2.0'),
  )
  expect(read('generated')).toBe('0.2.0\n')
  const today = new Date().toISOString().slice(0, 10)
  expect(read('CHANGELOG.md')).toBe(`# Changelog\n\n## Unreleased\n\n## 0.2.0 - ${today}\n\n- A change.\n`)
  expect([git('status', '--porcelain'), git('describe', '--exact-match').trim()]).toEqual(['', 'v0.2.0'])
})

it('refuses a package with a known vulnerability, and asks later where the registry has no audit', () => {
  const withSupply = (code: number) => {
    write('package.json', read('package.json').replace(/"supply":"exit \d"/, `"supply":"exit ${code}"`))
    git('commit', '-aqm', 'other')
  }
  withSupply(1)
  expect(release('0.2.0')).toEqual([1, expect.stringContaining('A package has a known vulnerability')])
  withSupply(2)
  expect(release('0.2.0')).toEqual([0, expect.stringContaining('The registry has no audit.')])
})

it('refuses what is no later version, a tree with changes, and a changelog that says nothing', () => {
  const before = git('rev-parse', 'HEAD')
  expect(release('next')).toEqual([1, 'usage: npm run release -- 1.2.3'])
  expect(release('0.0.9')).toEqual([1, '0.0.9 is before 0.1.0, the version of package.json.'])
  write('generated', 'other')
  expect(release('0.2.0')).toEqual([1, 'There are changes that are not committed.'])
  git('checkout', '-q', 'generated')
  expect(release('0.2.0')).toEqual([0, ''])
  expect(release('0.2.0')).toEqual([1, 'v0.2.0 exists already.'])
  expect(release('0.3.0')).toEqual([1, 'The section Unreleased of CHANGELOG.md is empty.'])
  expect(git('rev-parse', 'HEAD~1')).toBe(before)
})
