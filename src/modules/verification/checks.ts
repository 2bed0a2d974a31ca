// placeholder until the real file is written
import type { Chain } from '../../ports/chain.ts'
export type CheckResult = { id: string; title: string; status: 'passed' | 'failed' | 'skipped'; detail: string | null }
export type Verification = { matchesOnchain: boolean; bundleHash: string | null; ledgerTxid: string | null; anchoredAt: Date | null; errors: string[]; checks: CheckResult[] }
export async function runChecks(_s: object, _p: { chains: readonly Chain[]; anchorsOf(hash: string): Promise<{ chain: string; txid: string }[]> }): Promise<Verification> { throw new Error('not yet') }
