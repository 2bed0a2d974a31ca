// Installs third-party readers at fixed versions into the system's temporary folder, where later runs find them. Tests
// need no network: packages are downloaded only with FETCH_PACKAGES=1.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mayFetch } from './may-fetch.ts'
import { run } from './run.ts'

/** The limit for one command or download, in milliseconds. */
const patience = 60_000

const jarsFrom = 'https://repo1.maven.org/maven2'

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** A reader's runtime or its packages are not available on this machine. */
export class Unavailable extends Error {}

export const available = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw new Unavailable(String(error))
  }
}

const filled = new Map<string, Promise<string>>()

/**
 * Returns the folder with these contents, filled by `fill` unless an earlier run did; a half-filled folder never
 * appears under that name.
 */
function kept(contents: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const asked = filled.get(contents) ?? fillOnce(contents, fill)
  filled.set(contents, asked)
  return asked
}

async function fillOnce(contents: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const cache = join(tmpdir(), 'quittance-readers')
  const folder = join(cache, sha256(contents).slice(0, 16))
  if (existsSync(folder)) return folder
  if (!mayFetch) throw new Error('FETCH_PACKAGES=1 fetches it')
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  const draft = mkdtempSync(join(cache, 'draft-'))
  try {
    await fill(draft)
    // Another process may have filled the folder first.
    if (!existsSync(folder)) renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}

/** `pins` are requirements such as `lxml==6.1.1`; a dependency is installed only if it is in the list. */
export const pythonPackages = (pins: string[]): Promise<string> => available(installed(pins))

async function installed(pins: string[]): Promise<string> {
  // Compiled packages fit one version of Python.
  const python = await run('python3', ['--version'], patience)
  return kept([python, ...pins].join('\n'), async folder => {
    const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:']
    await run('python3', ['-m', 'pip', 'install', ...options, '--target', folder, ...pins], patience)
  })
}

/** `jars` maps paths in a Maven repository to the SHA-256 of the files. */
export const javaPackages = (jars: Record<string, string>): Promise<string> => available(downloaded(jars))

async function downloaded(jars: Record<string, string>): Promise<string> {
  // The Java reader is compiled when it runs, which needs javac.
  await run('javac', ['-version'], patience)
  return kept(JSON.stringify(jars), async folder => {
    const signal = AbortSignal.timeout(patience)
    for (const [path, hash] of Object.entries(jars)) {
      const response = await fetch(`${jarsFrom}/${path}`, { signal })
      const data = new Uint8Array(await response.arrayBuffer())
      if (sha256(data) !== hash) throw new Error(`${path} is another file than it was (status ${response.status})`)
      writeFileSync(join(folder, `${sha256(path).slice(0, 8)}.jar`), data)
    }
  })
}

/** `pins` are packages of Composer, such as `genkgo/camt:2.10.2`, which brings what they need itself. */
export const phpPackages = (pins: string[]): Promise<string> => available(composed(pins))

async function composed(pins: string[]): Promise<string> {
  // The packages fit one version of PHP.
  const php = await run('php', ['--version'], patience)
  return kept([php, ...pins].join('\n'), async folder => {
    const options = ['--quiet', '--no-interaction', '--no-plugins', '--no-scripts', `--working-dir=${folder}`]
    await run('composer', ['require', ...options, ...pins], patience)
  })
}
