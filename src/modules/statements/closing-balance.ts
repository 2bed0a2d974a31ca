// The `closing_balance` task: reads from the chain what the wallet of a numbered statement has at the end of its day.
import { LRUCache } from 'lru-cache'
import { fromUnits } from '../../core/decimal.ts'
import { assetNamed } from '../../core/known-assets.ts'
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { isMoving } from '../../kit/moving.ts'
import { task } from '../../kit/task.ts'
import { inTransaction, sqlOf } from '../../kit/transaction.ts'
import type { PaymentChain } from '../../ports/payment-chain.ts'
import { presentConfiguration } from '../settings/read.ts'

const pauseMs = 60_000
// The statements of a day wait for the same block, and come one after the other.
const notFinalMs = 5_000
// Chains that stand still and nodes without the state are asked less and less often, and after a week no more.
const mostWaitMs = 7 * 86_400_000

type Open = {
  projectId: string
  to: Date
  walletKey: string
  chainKey: string
  currency: string
}

export const closingBalance = task(jobs.closingBalance, async (app, { statement: id }) => {
  const sql = sqlOf(app.pool)
  const [open] = await sql<Open>(
    `select s.project_id as "projectId", s.to, a.wallet_key as "walletKey",
       a.chain_key as "chainKey", a.currency
     from statements s join statement_accounts a on a.id = s.account_id
     where s.id = $1::uuid and s.kind = 'series' and s.closing_block is null`,
    [id],
  )
  const chain = open && app.paymentChains.get(open.chainKey)
  if (!open || !chain || !/^0x[0-9a-f]{40}$/.test(open.walletKey)) return
  const { assets } = (await presentConfiguration(app, sql, open.projectId)).checks
  const asset = assetNamed(open.currency, chain.caip2, app.knownAssets, assets)
  if (asset === null) return
  const block = await blockBefore(chain, open.to)
  const units = block === null ? null : await chain.balanceAt(asset.contract, open.walletKey, block)
  if (units === null) return wait(app, id, open)
  await sql(
    `update statements set closing_block = $2::bigint, chain_balance = $3::text,
       balance_difference = trim_scale($3::text::numeric - closing)::text
     where id = $1::uuid and closing_block is null and not ${isMoving('statements.project_id')}`,
    [id, block, fromUnits(units, asset.decimals)],
  )
})

// All statements of a day have the same closing block, whose search takes dozens of requests.
const blocks = new LRUCache<string, number | 'not final'>({ max: 100 })

/** The last block before this time; null until a later one is final. */
async function blockBefore(chain: PaymentChain, time: Date): Promise<number | null> {
  const key = `${chain.caip2} ${time.toISOString()}`
  const known = blocks.get(key)
  if (known !== undefined) return known === 'not final' ? null : known
  const final = await chain.finalBlock()
  const [reached] = final < 0 ? [] : await chain.timesOf([final])
  if (reached === undefined || reached < time) {
    blocks.set(key, 'not final', { ttl: notFinalMs })
    return null
  }
  const block = await chain.blockBefore(time, final)
  if (block < 0) return null
  blocks.set(key, block)
  return block
}

async function wait(app: App, statement: string, { to, chainKey: chain }: Open): Promise<void> {
  const age = Date.now() - to.getTime()
  if (age > mostWaitMs) return
  const afterMs = Math.max(pauseMs, Math.round(age / 4))
  await inTransaction(app, async tx => tx.job(jobs.closingBalance({ statement, chain }, { afterMs })))
}
