// Defines the figures that bench/processes.ts measures of a load, and prints them.

import type { CpuSeconds } from '../cpu.ts'
import { median } from '../kit.ts'

const goal = 1.6

/** `waiting`: connections that waited for a lock, on average. */
export type Outcome = { perSecond: number; operations: number; cpu: CpuSeconds; waiting: number }

/** Adds up the CPU of processes with the same role: api1 and api2 are `api`. */
const byRole = (cpu: CpuSeconds): CpuSeconds =>
  Object.entries(cpu).reduce<CpuSeconds>((sum, [name, seconds]) => {
    const role = name.replace(/\d$/, '')
    return Object.assign(sum, { [role]: (sum[role] ?? 0) + seconds })
  }, {})

/** Prints the median of the rounds' ratios, and the CPU time of each part for an operation. */
export function print(what: string, one: Outcome[], two: Outcome[]): void {
  const ratio = median(two.map((outcome, round) => outcome.perSecond / (one[round]?.perSecond ?? Number.NaN)))
  const rate = (outcomes: Outcome[]) => median(outcomes.map(({ perSecond }) => perSecond)).toFixed(0)
  const verdict = ratio >= goal ? 'ok    ' : 'BELOW '
  console.log(
    `${verdict} ${what}: two of each ${ratio.toFixed(2)} of one (goal ${goal}); ${rate(two)}/s against ${rate(one)}/s`,
  )
  for (const [name, outcomes] of Object.entries({ 'one of each': one, 'two of each': two })) {
    const shares = outcomes.map(({ cpu, operations }) => ({ cpu: byRole(cpu), operations }))
    const roles = Object.keys(shares[0]?.cpu ?? {})
    const each = roles.map(role => {
      const ms = median(shares.map(({ cpu, operations }) => ((cpu[role] ?? 0) * 1_000) / operations))
      return `${role} ${ms.toFixed(2)}`
    })
    const waiting = median(outcomes.map(outcome => outcome.waiting)).toFixed(1)
    console.log(`       ${name}, ms of CPU for each: ${each.join(', ')}; ${waiting} connections wait for a lock`)
  }
}
