// The shape of a check, and its three outcomes.
import type { Evidence } from './evidence.ts'

export type Finding = { status: 'passed' | 'failed' | 'skipped'; detail: string | null }

/** `id` names the fault and is in `errors` when the check fails; it never changes. */
export type Check = { id: string; title: string; run(evidence: Evidence): Finding }

export type CheckResult = { id: string; title: string } & Finding

export const passed = (detail: string | null = null): Finding => ({ status: 'passed', detail })
export const failed = (detail: string): Finding => ({ status: 'failed', detail })
/** There was nothing to check, an earlier check did not pass, or the service does not make the check. */
export const skipped = (detail: string): Finding => ({ status: 'skipped', detail })
