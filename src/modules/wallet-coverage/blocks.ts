// Compares the transfers in the next blocks of a range with the receipts of their transactions.
import { fromUnits } from '../../core/decimal.ts'
import type { WalletCoverage } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { inTransaction, sqlOf } from '../../kit/transaction.ts'
import type { PaymentChain, TokenTransfer } from '../../ports/payment-chain.ts'
import { mostRows, mostTransfers } from './bounds.ts'
import { counts } from './counting.ts'
import { type Recorded, withReceipts } from './match.ts'
import { NotComparable } from './open.ts'
import { tokenOf } from './token.ts'

const widest = 100_000
const few = 1_000
const many = 4_000
const quickMs = 2_000

type Place = { nextBlock: bigint; toBlock: bigint }

export async function compareBlocks(app: App, chain: PaymentChain, of: WalletCoverage & Place): Promise<void> {
  const { id, wallet, decimals, nextBlock, toBlock, span, recordedCount, missingCount } = of
  const fromBlock = Number(nextBlock)
  const lastBlock = Math.min(fromBlock + span - 1, Number(toBlock))
  const began = performance.now()
  const found = await chain.transfersOf({ token: tokenOf(of), wallet, fromBlock, toBlock: lastBlock })
  if (found === null) return searchFewer(app, of)
  const { transfers, disagreed } = found
  const tookMs = performance.now() - began
  if (recordedCount + missingCount + transfers.length > mostTransfers)
    throw new NotComparable(`The wallet has more than ${mostTransfers} transfers in the range. Choose a shorter one.`)
  const compared = withReceipts(transfers, await receiptsOf(app, of, transfers), decimals)
  const recorded = compared.flatMap(({ receiptId }) => receiptId ?? [])
  const missing = compared.flatMap(({ transfer, receiptId }) => (receiptId === null ? [transfer] : []))
  const kept = missing.slice(0, Math.max(0, mostRows - missingCount))
  const blocks = [...new Set(kept.map(({ blockNumber }) => blockNumber))]
  const times = await chain.timesOf(blocks)
  const timeOf = new Map(blocks.map((block, at) => [block, times[at]]))
  const sum = (some: readonly TokenTransfer[]) =>
    fromUnits(
      some.reduce((all, { units }) => all + units, 0n),
      decimals,
    )
  const rows = kept.map(({ txid, index, blockNumber, from, to, units }) => ({
    transaction: txid,
    log_index: index,
    block_number: blockNumber,
    at: timeOf.get(blockNumber),
    from_wallet: from,
    to_wallet: to,
    amount: fromUnits(units, decimals),
  }))
  await inTransaction(app, ({ sql }) =>
    // Another worker may have stored these blocks, where this one was taken for dead.
    sql(
      `with moved as (
         update wallet_coverages set next_block = $3::bigint, span = $4::int, failures = 0,
           recorded_count = recorded_count + $5::int, missing_count = missing_count + $6::int,
           recorded_amount = trim_scale(recorded_amount::numeric + $7::numeric)::text,
           missing_amount = trim_scale(missing_amount::numeric + $8::numeric)::text,
           nodes_disagreed = least(nodes_disagreed + $9::bigint, 2147483647)::int
         where id = $1::uuid and next_block = $2::bigint and failed_at is null
         returning id
       ), recording as (
         insert into coverage_receipts (coverage_id, receipt_id)
         select moved.id, receipt.id from moved, unnest($10::uuid[]) as receipt(id)
       )
       insert into coverage_transfers (coverage_id, status, transaction, log_index, block_number, at, from_wallet, to_wallet, amount)
       select moved.id, 'missing', transaction, log_index, block_number, at, from_wallet, to_wallet, amount
       from moved, jsonb_to_recordset($11::jsonb) as missing(transaction text, log_index int, block_number bigint,
         at timestamptz, from_wallet text, to_wallet text, amount text)
       order by block_number, log_index`,
      [
        ...[id, nextBlock, lastBlock + 1, nextSpan(span, transfers.length, tookMs), recorded.length, missing.length],
        ...[sum(transfers.filter((_, at) => compared[at]?.receiptId !== null)), sum(missing), disagreed],
        ...[recorded, JSON.stringify(rows)],
      ],
    ),
  )
}

async function searchFewer({ db }: App, { id, span, nextBlock }: WalletCoverage & Place): Promise<void> {
  if (span === 1) throw new NotComparable(`Block ${nextBlock} has too many transfers of the wallet.`)
  await db.walletCoverage.updateMany({ where: { id, nextBlock }, data: { span: Math.ceil(span / 4) } })
}

/** More blocks while they have few transfers, fewer where they have many. */
function nextSpan(span: number, found: number, tookMs: number): number {
  if (found > many) return Math.max(1, Math.floor(span / 2))
  return found < few && tookMs < quickMs ? Math.min(widest, span * 2) : span
}

/** Returns the receipts of these transactions, whole or in legs, that count. */
function receiptsOf(app: App, of: WalletCoverage, transfers: readonly TokenTransfer[]): Promise<Recorded[]> {
  const transactions = [...new Set(transfers.map(({ txid }) => txid))]
  return sqlOf(app.pool)<Recorded>(
    `select r.id, r.tx_key as "txKey", r.amount::text, r.sender_key as "senderKey", r.receiver_key as "receiverKey"
     from wallet_coverages o cross join unnest($2::text[]) as made(txid) cross join lateral (
       select * from receipts where project_id = o.project_id and tx_key ~>=~ made.txid and tx_key ~<=~ (made.txid || '#:')
       offset 0
     ) as r
     where o.id = $1::uuid and ${counts('r', 'o')} order by r.created_at, r.id`,
    [of.id, transactions],
  )
}
