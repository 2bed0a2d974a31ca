// Signed transactions are stored before they are broadcast: after a crash the same bytes go out again.
import { randomUUID } from 'node:crypto'
import { jobs } from '../../kit/jobs.ts'
import type { Transaction } from '../../kit/transaction.ts'
import type { AnchorAccount, Chain, SignedTransaction } from '../../ports/chain.ts'

/** Stores a new transaction to `contract` and enqueues the job that follows it. Returns its id. */
export async function storeTransaction(
  tx: Transaction,
  chain: Chain,
  account: AnchorAccount,
  signed: SignedTransaction,
  contract = chain.contract,
): Promise<string> {
  const id = randomUUID()
  await tx.sql(
    `insert into anchor_transactions (id, chain, contract, signer, nonce, txid) values ($1::uuid, $2, $3, $4, $5::bigint, $6)`,
    [id, chain.name, contract, account.address, signed.nonce, signed.txid],
  )
  await storeAttempt(tx, id, signed)
  tx.job(jobs.confirm({ transaction: id }))
  return id
}

/** Stores another signed attempt at the same nonce: a replacement with a higher fee, or a filler. */
export async function storeReplacement(tx: Transaction, id: string, signed: SignedTransaction): Promise<void> {
  await storeAttempt(tx, id, signed)
  await tx.sql(`update anchor_transactions set txid = $2 where id = $1::uuid and state = 'signed'`, [id, signed.txid])
}

const storeAttempt = (tx: Transaction, id: string, { txid, raw, maxFeePerGas }: SignedTransaction) =>
  tx.sql(
    `insert into anchor_attempts (txid, transaction_id, raw_transaction, max_fee_per_gas)
     values ($1, $2::uuid, $3, $4::numeric) on conflict do nothing`,
    [txid, id, raw, maxFeePerGas.toString()],
  )
