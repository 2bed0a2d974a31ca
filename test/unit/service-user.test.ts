// The command line in an installed tree that belongs to somebody else, as a service user starts it: it needs to write
// nothing there, and says what it needs on an old Node.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const checkout = fileURLToPath(new URL('../../', import.meta.url))
const nobody = 65_534
/** A user without an entry in passwd, as systemd makes one for a unit. */
const stranger = 61_234

/** A Node of this machine that cannot run TypeScript, with the npm beside it; undefined when there is none. */
const oldNode = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(place => !place.includes('node_modules'))
  .map(place => join(place, 'node'))
  .find(file => {
    const major = Number(/^v(\d+)/.exec(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1])
    return major >= 18 && major < 24
  })
const why = [
  ...(process.getuid?.() === 0 ? [] : ['only root can start a process of another user']),
  ...(spawnSync('npm', ['--version']).status === 0 ? [] : ['there is no npm']),
]
if (why.length > 0) console.warn(`Skipped: the command line of a service user; ${why.join(', and ')}.`)
if (oldNode === undefined) console.warn('Skipped: a service user with an old Node; there is none from 18 to 23 here.')

it('no page starts a command by npx, which changes the folder and fails for a user who does not own it', () => {
  const pages = globSync(['*.md', 'docs/*.md', 'contracts/*.md', 'src/cli/**/*.ts'], { cwd: checkout })
  expect(pages.length).toBeGreaterThan(40)
  expect(pages.filter(page => /npx\b.*\bquittance /.test(readFileSync(join(checkout, page), 'utf8')))).toEqual([])
})

describe.skipIf(why.length > 0)('a service user who cannot write the installed tree', () => {
  let folder: string
  let tree: string
  let home: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-installed-'))
    tree = join(folder, 'tree')
    home = join(folder, 'home')
    mkdirSync(home)
    const names = ['bin', 'prisma', 'rest', 'src', 'codegen.ts', 'contracts', 'package.json', 'package-lock.json']
    for (const name of names) cpSync(join(checkout, name), join(tree, name), { recursive: true })
    symlinkSync(join(checkout, 'node_modules'), join(tree, 'node_modules'))
    spawnSync('chown', ['-R', `${nobody}:${nobody}`, home])
    spawnSync('chmod', ['755', folder])
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function run(user: number, program: string, args: readonly string[], path: string[] = []) {
    const child = spawn(program, args, {
      cwd: tree,
      env: {
        PATH: [...path, process.env.PATH].join(delimiter),
        ...(user === stranger ? {} : { HOME: home }),
        // Another service of the machine may have the default.
        PORT: '0',
        npm_config_cache: join(home, 'npm'),
        npm_config_offline: 'true',
        npm_config_update_notifier: 'false',
      },
      uid: user,
      gid: user,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = { out: '', err: '' }
    child.stdout.on('data', chunk => (said.out += chunk))
    child.stderr.on('data', chunk => (said.err += chunk))
    const [code] = await once(child, 'close')
    return { code, ...said }
  }
  const asNobody = (program: string, args: readonly string[], path?: string[]) => run(nobody, program, args, path)

  const written = () =>
    ['bin', 'rest', 'src']
      .flatMap(name => readdirSync(join(tree, name), { recursive: true, withFileTypes: true }))
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .map(file => [file, statSync(file).mtimeMs])

  it('runs the commands as the pages show them', async () => {
    expect(await asNobody(process.execPath, ['bin/quittance.js', 'verify', '-', '--keys', 'none'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^Standard input is empty/),
    })
    const doctor = await asNobody(process.execPath, ['bin/quittance.js', 'doctor'])
    expect([doctor.err, doctor.out]).toEqual(['', expect.stringMatching(/ok {2}/i)])
  })

  it('starts for a user without an entry in passwd and without a home', async () => {
    const start = await run(stranger, process.execPath, ['bin/quittance.js', 'start'])
    expect(start).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/could not make its files/) })
  })

  it('prepare writes nothing: by the user who cannot, nor by the owner whose npx runs it', async () => {
    const before = written()
    const node = [dirname(process.execPath)]
    expect(await run(0, 'npx', ['--no', 'quittance', 'help'], node)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^usage: quittance/m),
    })
    expect(await asNobody('npm', ['run', '--silent', 'prepare'], node)).toMatchObject({
      code: 0,
      out: `Not prepared: ${tree}/ cannot be written.\n`,
    })
    expect(written()).toEqual(before)
  })

  it('prepare writes nothing for a command that is no installation, whoever starts it', async () => {
    const before = written()
    const env = { ...process.env, npm_command: 'exec' }
    const { stdout, status } = spawnSync(process.execPath, ['bin/prepare.js', '--install'], { cwd: tree, env })
    expect([status, String(stdout)]).toEqual([0, 'Not prepared: this is no installation.\n'])
    expect(written()).toEqual(before)
  })

  it.skipIf(oldNode === undefined)('is told which Node is needed where there is only an old one', async () => {
    // Without development packages there is no Node in node_modules.
    rmSync(join(tree, 'node_modules'))
    mkdirSync(join(tree, 'node_modules'))
    const told = { code: 2, out: '', err: expect.stringMatching(/^Quittance needs Node 24, and this is v.*\n$/) }
    expect(await asNobody(oldNode ?? '', ['bin/quittance.js', 'verify', 'x.zip', '--keys', 'k.json'])).toEqual(told)
    expect(await asNobody(oldNode ?? '', ['bin/start.js'])).toEqual(told)
    const npx = await run(0, 'npx', ['--no', 'quittance', 'doctor'], [dirname(oldNode ?? '')])
    expect([npx.code, npx.err]).toEqual([2, expect.stringMatching(/Quittance needs Node 24, and this is v/)])
  })
})
