// Gives receipts the identity that their chain's name has now: names become known, or stand for another chain, with a
// new version of the kept lists and with the configuration.
import { chainKey } from '../../core/identity.ts'
import type { App } from '../../kit/context.ts'

// One statement holds the locks of so many receipts.
const atOnce = 1_000

/** Safe at any time, in any number of processes with the same configuration. */
export async function renameChains({ pool, chainAliases, log }: App): Promise<void> {
  const { rows } = await pool.query<Named>(
    'select distinct project_id as "projectId", chain, chain_key as "chainKey" from receipt_counts',
  )
  for (const named of rows) {
    const key = chainKey(named.chain, chainAliases)
    if (key === named.chainKey) continue
    const count = await rename(pool, named, key)
    if (count > 0) log.warn({ ...named, now: key, receipts: count }, 'the name of a chain stands for another one now')
  }
}

type Named = { projectId: string; chain: string; chainKey: string }

async function rename(pool: App['pool'], { projectId, chain, chainKey }: Named, key: string): Promise<number> {
  await pool.query(
    `update statement_accounts a set chain_key = $4 where project_id = $1 and chain_key = $2 and chain = $3 and not exists (
       select from statement_accounts other where other.project_id = $1 and other.chain_key = $4
         and other.wallet_key = a.wallet_key and other.currency = a.currency
     )`,
    [projectId, chainKey, chain, key],
  )
  for (let count = 0; ; count += atOnce) {
    // A settlement that is recorded under both names is one from now on: the receipt under the new name stays its
    // receipt.
    const { rowCount } = await pool.query(
      `with chosen as (
         select id from receipts where project_id = $1 and chain_key = $2 and chain = $3
         order by id limit ${atOnce} for no key update
       )
       update receipts r set chain_key = $4, is_repeated = r.is_repeated or r.refund_of_id is null and exists (
         select from receipts other where other.project_id = $1 and other.chain_key = $4 and other.tx_key = r.tx_key
           and other.refund_of_id is null and other.is_repeated = false
       ) from chosen where r.id = chosen.id`,
      [projectId, chainKey, chain, key],
    )
    if ((rowCount ?? 0) < atOnce) return count + (rowCount ?? 0)
  }
}
