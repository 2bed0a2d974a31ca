// Verification: the list of checks and their verdict. Pure except for the ports; needs no database of the service.
import { bundleChecks } from './bundle-checks.ts'
import { chainChecks } from './chain-checks.ts'
import type { Check, CheckResult } from './check.ts'
import { collectEvidence } from './collect-evidence.ts'
import { controlCheck } from './control-check.ts'
import type { Ports, Subject } from './evidence.ts'
import { settlementChecks } from './settlement-checks.ts'

export type { CheckResult } from './check.ts'
export type { Ports, Subject, TrustedKey } from './evidence.ts'

/** All checks, in order. Their ids are part of the public contract: ids are added, never renamed. */
export const checks: readonly Check[] = [...bundleChecks, ...chainChecks, controlCheck, ...settlementChecks]

export type Verification = {
  /** A final transaction of the configured contract carries exactly this hash, and no given locator disagrees. */
  matchesOnchain: boolean
  bundleHash: string | null
  /** The transaction that was judged, also when it does not prove the anchor. */
  ledgerTxid: string | null
  /** Time of the block of the earliest final anchor; null while nothing is proved. */
  anchoredAt: Date | null
  /** Ids of the checks that failed; not empty means that verification is incomplete. */
  errors: string[]
  checks: CheckResult[]
}

export async function runChecks(subject: Subject, ports: Ports): Promise<Verification> {
  const evidence = await collectEvidence(subject, ports)
  const results = checks.map(({ id, title, run }) => ({ id, title, ...run(evidence) }))
  const errors = results.filter(result => result.status === 'failed').map(result => result.id)
  const { best, hash } = evidence
  // A proven anchor already carries the bundle's hash, and is the given transaction on a chain that gave an answer;
  // only an expected hash can still differ.
  const matchesOnchain = best?.step === 'proven' && !errors.includes('bundle_hash_mismatch')
  return {
    matchesOnchain,
    bundleHash: hash,
    ledgerTxid: best?.transaction.txid ?? null,
    anchoredAt: best?.step === 'proven' ? best.transaction.blockTime : null,
    errors,
    checks: results,
  }
}
