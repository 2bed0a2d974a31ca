// The CPU time of the processes of a benchmark, from Linux's /proc: of PostgreSQL with all its backends, of the chain's
// node, and of each process of the service.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Seconds of a core by name. */
export type Cpu = Record<string, number>

type Process = { pid: number; parent: number; name: string; own: number; ended: number }

// USER_HZ is 100 on every Linux that Node runs on.
const ticksPerSecond = 100

function processes(): Process[] {
  return readdirSync('/proc').flatMap(entry => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const stat = readFileSync(join('/proc', entry, 'stat'), 'utf8')
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      const at = (field: number) => (fields[field - 3] ?? 0) / ticksPerSecond
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
      // The children that have ended are in the time of their parent.
      return [{ pid: Number(entry), parent: fields[1] ?? 0, name, own: at(14) + at(15), ended: at(16) + at(17) }]
    } catch {
      // The process has just ended.
      return []
    }
  })
}

/** `named` are the processes of the service, `cluster` the folder of PostgreSQL. Returns null without /proc. */
export function cpuOf(named: Record<string, number>, cluster: string): Cpu | null {
  if (process.platform !== 'linux') return null
  const all = processes()
  const postmaster = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
  const sum = (some: Process[]) => some.reduce((total, { own }) => total + own, 0)
  const cpu: Cpu = {
    database:
      sum(all.filter(({ pid, parent }) => pid === postmaster || parent === postmaster)) +
      (all.find(({ pid }) => pid === postmaster)?.ended ?? 0),
    chain: sum(all.filter(({ name, parent }) => name === 'anvil' && parent === process.pid)),
  }
  for (const [name, pid] of Object.entries(named)) cpu[name] = sum(all.filter(one => one.pid === pid))
  return cpu
}

/** What was used between the two. */
export const used = (before: Cpu, after: Cpu): Cpu =>
  Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]))
