// The shape of a check, and the three things it can say.
import type { Evidence } from './evidence.ts'

export type Finding = { status: 'passed' | 'failed' | 'skipped'; detail: string | null }

/** `id` names the fault and stands in `errors` when the check does not pass; it never changes. */
export type Check = { id: string; title: string; run(evidence: Evidence): Finding }

export type CheckResult = { id: string; title: string } & Finding

export const passed = (detail: string | null = null): Finding => ({ status: 'passed', detail })
export const failed = (detail: string): Finding => ({ status: 'failed', detail })
/** Nothing to check it on, or an earlier check took the ground away. */
export const skipped = (detail: string): Finding => ({ status: 'skipped', detail })
