// Denies every party that is on a list file of this machine. The file is read again when it changes; a new version that
// cannot be read changes nothing and raises an alarm.
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressKey } from '../core/identity.ts'
import { listKey } from '../core/listed-name.ts'
import type { ComplianceParty, ComplianceProvider } from '../ports/compliance.ts'
import { type List, ListFault, readList, type Version, versionOf } from './list-file.ts'

type Log = { error(details: object, message: string): void; warn(details: object, message: string): void }

const lookEveryMs = 1_000
const patienceMs = 1_000
const longestReason = 500

/** Throws `ListFault` when the file cannot be used at the start. */
export async function openListCompliance(name: string, path: string, log: Log): Promise<ComplianceProvider> {
  let list = await readList(path)
  let fault: string | null = null
  let broken: Version | null = null
  let looked = performance.now()
  let looking: Promise<void> | null = null

  async function look(): Promise<void> {
    const version = await stat(path, { bigint: true }).then(versionOf, () => 'absent')
    // A broken version is not read again until the file changes.
    if (version === broken) return
    broken = null
    fault = null
    if (version === list.version) return
    try {
      list = await readList(path)
      log.warn({ provider: name, entries: list.entries.size }, 'a compliance list was read again')
    } catch (error) {
      fault = `the new list cannot be used: ${error instanceof ListFault ? error.message : 'for an unknown reason'}`
      broken = version
      log.error({ provider: name, fault }, 'ALARM: a compliance list cannot be read; the previous list stays in use')
    }
  }

  /**
   * Checks the file at most once a second, once for all concurrent callers. While a large file is read, the previous
   * list applies.
   */
  async function fresh(): Promise<void> {
    if (looking === null && performance.now() - looked >= lookEveryMs) {
      looking = look().finally(() => {
        looked = performance.now()
        looking = null
      })
    }
    if (looking !== null) await Promise.race([looking, sleep(patienceMs, undefined, { ref: false })])
  }

  return {
    name,
    isRemote: false,
    fault: () => fault,
    async ask(_, { sender, receiver }) {
      await fresh()
      const hit = hitOf(list, 'sender', sender) ?? hitOf(list, 'receiver', receiver)
      if (hit === null) return { decision: 'allow', reason: `neither side is on the list ${name}` }
      return { decision: 'deny', reason: `the ${hit} is on the list ${name}`.slice(0, longestReason) }
    },
  }
}

/** Returns text such as `sender’s wallet 0x… (entry 123)`; null without a match. */
function hitOf({ entries }: List, side: string, { wallet, name }: ComplianceParty): string | null {
  const requested = [
    ['wallet', wallet, `a:${addressKey(wallet)}`],
    // On some chains, wallets have names.
    ['wallet', wallet, listKey(wallet)],
    ['name', name, name && listKey(name)],
  ] as const
  for (const [what, text, key] of requested) {
    const id = key === null ? undefined : entries.get(key)
    if (id !== undefined) return `${side}’s ${what} ${text}${id === '' ? '' : ` (entry ${id})`}`
  }
  return null
}
