// What verification asks, of the running service: its chains, and its records for where to look first.
import type { App } from '../../kit/context.ts'
import type { Hint, Ports } from './evidence.ts'

const byHash = `select a.chain, t.txid, t.contract from anchors a join anchor_transactions t on t.id = a.transaction_id
  where a.bundle_hash = $1 and t.state in ('signed', 'confirmed') order by t.created_at limit 16`
const byTransaction = `select t.chain, t.txid, t.contract from anchor_transactions t where t.txid = $1 limit 16`

export const portsOf = ({ chains, pool }: Pick<App, 'chains' | 'pool'>): Ports => ({
  chains,
  async anchorsOf(locator) {
    const [text, value] = 'txid' in locator ? [byTransaction, locator.txid] : [byHash, locator.bundleHash]
    return (await pool.query<Hint>(text, [value])).rows
  },
})
