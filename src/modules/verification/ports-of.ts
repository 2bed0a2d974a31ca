// The ports of verification in the running service: its chains, and its records as hints of where to search first.
import type { Principal } from '../../core/principal.ts'
import type { App } from '../../kit/context.ts'
import type { Hint, Ports } from './evidence.ts'

const byHash = `select a.chain, t.txid, t.contract from anchors a join anchor_transactions t on t.id = a.transaction_id
  where a.bundle_hash = $1 and t.state in ('signed', 'confirmed') order by t.created_at limit 16`
// A project can state anything about a chain of its own, so transactions on chains that we serve come first.
const byTransaction = `select t.chain, t.txid, t.contract from anchor_transactions t where t.txid = $1
  order by t.chain = any($2::text[]) desc, t.created_at limit 16`

type Caller = Pick<App, 'chains' | 'paymentChains' | 'pool'> & { principal?: Principal }

export const portsOf = ({ chains, paymentChains, pool, principal }: Caller): Ports => ({
  chains,
  paymentChain: caip2 => paymentChains.get(caip2) ?? null,
  async anchorsOf(locator) {
    const served = chains.map(({ name }) => name)
    const [text, values] = 'txid' in locator ? [byTransaction, [locator.txid, served]] : [byHash, [locator.bundleHash]]
    return (await pool.query<Hint>(text, values)).rows
  },
  async isRecorded({ chain, txid, bundleHash }) {
    const { rowCount } = await pool.query(
      `select from anchors a join anchor_transactions t on t.id = a.transaction_id
       where a.bundle_hash = $1 and t.chain = $2 and t.txid = $3 and num_nonnulls(a.receipt_id, a.statement_id, a.settlement_id) = 1 limit 1`,
      [bundleHash, chain, txid],
    )
    return rowCount === 1
  },
  async ownOf(hashes) {
    if (principal === undefined || !('projectId' in principal) || principal.projectId === null) return []
    const { rows } = await pool.query<{ hash: string }>(
      `select bundle_hash as hash from receipts where bundle_hash = any($1::text[]) and project_id = $2::uuid
       union select bundle_hash from statements where bundle_hash = any($1::text[]) and project_id = $2::uuid`,
      [hashes, principal.projectId],
    )
    return rows.map(({ hash }) => hash)
  },
})
