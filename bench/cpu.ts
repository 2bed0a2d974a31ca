// Reads from /proc how much processor time groups of processes have used, each with all processes that it started.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const ticksPerSecond = 100

type Stat = { parent: number; ticks: number }

/** Seconds by group. The time of an ended process counts for the process that waited for it. */
export type CpuSeconds = Record<string, number>

async function stats(): Promise<Map<number, Stat>> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const read = async (pid: string): Promise<[number, Stat][]> => {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
    if (text === null) return []
    // The name before the last bracket may contain anything.
    const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = rest.slice(9, 13).reduce((sum, value) => sum + Number(value), 0)
    return [[Number(pid), { parent: Number(parent), ticks }]]
  }
  return new Map((await Promise.all(pids.map(read))).flat())
}

/** Returns the seconds that these processes have used so far. */
export async function cpuSeconds(groups: Record<string, readonly number[]>): Promise<CpuSeconds> {
  const all = await stats()
  const groupOf = (pid: number): string | undefined => {
    const own = Object.keys(groups).find(name => groups[name]?.includes(pid))
    const stat = all.get(pid)
    return own ?? (stat === undefined || stat.parent === 0 ? undefined : groupOf(stat.parent))
  }
  const seconds: CpuSeconds = Object.fromEntries(Object.keys(groups).map(name => [name, 0]))
  for (const [pid, { ticks }] of all) {
    const group = groupOf(pid)
    if (group !== undefined) seconds[group] = (seconds[group] ?? 0) + ticks / ticksPerSecond
  }
  return seconds
}

/** Returns the seconds that each group used between two readings. */
export const used = (before: CpuSeconds, after: CpuSeconds): CpuSeconds =>
  Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]))

const postgresNote = /^\d+/
const anvilNote = z.object({ pid: z.int() })

/** Returns the process ids of the database and the chain that run in the folders of a bench. */
export async function embeddedPids(folder: string): Promise<{ postgres: number[]; chain: number[] }> {
  const postmaster = await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8')
  const chain = await readFile(join(folder, 'chain/process.json'), 'utf8')
  return {
    postgres: [Number(postgresNote.exec(postmaster)?.[0])],
    chain: [anvilNote.parse(JSON.parse(chain)).pid],
  }
}
