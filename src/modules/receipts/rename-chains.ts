// Gives receipts the identity that their chain's name has now: names become known, or stand for another chain, with a
// new version of the kept lists and with the configuration.
import { chainKey } from '../../core/identity.ts'
import type { App } from '../../kit/context.ts'
import { inTransaction, type Sql, sqlOf } from '../../kit/transaction.ts'

// One statement holds the locks of so many receipts.
const atOnce = 1_000

/** Safe at any time, in any number of processes with the same configuration. */
export async function renameChains(app: App): Promise<void> {
  const { rows } = await app.pool.query<Named>(
    // The accounts, too: of a process that died before it renamed them, the counters may tell nothing any more.
    `select project_id as "projectId", chain, chain_key as "from" from receipt_counts
     union select project_id, chain, chain_key from statement_accounts`,
  )
  const renamed = rows.flatMap(row => {
    const to = chainKey(row.chain, app.chainAliases)
    return to === row.from ? [] : [{ ...row, to }]
  })
  for (const [projectId, names] of Map.groupBy(renamed, row => row.projectId)) await rename(app, projectId, names)
}

type Named = { projectId: string; chain: string; from: string }
type Renamed = Named & { to: string }

/** No day of the project is closed meanwhile: until all are renamed, receipts and accounts have different keys. */
async function rename(app: App, projectId: string, names: Renamed[]): Promise<void> {
  // Taken before the lock, because whoever waits for the lock may have all other connections.
  const parts = await app.pool.connect()
  try {
    await inTransaction(app, async ({ sql }) => {
      await sql('select id from projects where id = $1::uuid for no key update', [projectId])
      for (const name of names) {
        const count = await renameReceipts(sqlOf(parts), name)
        if (count > 0) app.log.warn({ ...name, receipts: count }, 'the name of a chain stands for another one now')
      }
      for (const { chain, from, to } of names) {
        await sql(
          `update statement_accounts a set chain_key = $4 where project_id = $1 and chain_key = $2 and chain = $3 and not exists (
             select from statement_accounts other where other.project_id = $1 and other.chain_key = $4
               and other.wallet_key = a.wallet_key and other.currency = a.currency
           )`,
          [projectId, from, chain, to],
        )
      }
    })
  } finally {
    parts.release()
  }
}

/** Commits part by part, so that the receipts can be changed by others meanwhile. Returns their number. */
async function renameReceipts(sql: Sql, { projectId, chain, from, to }: Renamed): Promise<number> {
  for (let count = 0; ; count += atOnce) {
    // A settlement that is recorded under both names is one from now on: the receipt under the new name stays its
    // receipt.
    const rows = await sql(
      `with chosen as (
         select id from receipts where project_id = $1 and chain_key = $2 and chain = $3
         order by id limit ${atOnce} for no key update
       )
       update receipts r set chain_key = $4, is_repeated = r.is_repeated or r.refund_of_id is null and exists (
         select from receipts other where other.project_id = $1 and other.chain_key = $4 and other.tx_key = r.tx_key
           and other.refund_of_id is null and other.is_repeated = false
       ) from chosen where r.id = chosen.id returning r.id`,
      [projectId, from, chain, to],
    )
    if (rows.length < atOnce) return count + rows.length
  }
}
