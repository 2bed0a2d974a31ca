// A service on a chain with scripted answers, to test what happens between two of them. It has no worker: the test runs
// each step.
import { randomBytes, randomUUID } from 'node:crypto'
import { seal } from '../../src/modules/evidence/tasks.ts'
import type { BlockStatus, Chain, MinedTransaction } from '../../src/ports/chain.ts'
import { startService } from './service.ts'

export const hash = () => `0x${randomBytes(32).toString('hex')}`

type Script = {
  /** The answer for any transaction hash. */
  mined: MinedTransaction | null
  /** The status of any block; may throw. */
  blockStatus(): BlockStatus
  minedNonce(): number
}

export async function startScripted() {
  const service = await startService({ ROLES: 'api', LOG_LEVEL: 'silent' })
  const { app, api } = service
  const { key } = await api.project()
  const [real] = app.chains
  if (real.account === null) throw new Error('no account')
  const { address } = real.account
  const script: Script = { mined: null, blockStatus: () => 'final', minedNonce: () => 0 }
  const chain: Chain = {
    ...real,
    transaction: async () => script.mined,
    blockStatus: async () => script.blockStatus(),
    head: async () => ({ blockNumber: 100, blockHash: hash() }),
    account: { ...real.account, minedNonce: async () => script.minedNonce() },
  }
  app.chains = [chain]

  const sql = async (text: string, values: unknown[] = []) => (await app.pool.query(text, values)).rows

  /** Creates a receipt with its bundle. */
  async function sealed(by = key): Promise<{ receipt: string; bundleHash: string }> {
    const receipt: string = (await api.record(by)).json.receipt_id
    await seal.run(app, { receipts: [receipt] })
    const [row] = await sql('select bundle_hash as hash from receipts where id = $1', [receipt])
    return { receipt, bundleHash: row.hash }
  }

  /** Returns a transaction that succeeded and carries this hash. */
  const minedWith = (bundleHash: string, txid = hash()): MinedTransaction => ({
    txid,
    succeeded: true,
    blockNumber: 99,
    blockHash: hash(),
    blockTime: new Date(),
    events: [{ contract: chain.contract, bundleHash, sender: `0x${'11'.repeat(20)}`, logIndex: 0 }],
  })

  /**
   * Creates a receipt whose anchor was sent an hour ago with this nonce; `mined` is that transaction once it is mined.
   */
  async function sent(nonce: number, signer = address) {
    const { receipt, bundleHash } = await sealed()
    const [id, mined] = [randomUUID(), minedWith(bundleHash)]
    await sql(
      `insert into anchor_transactions (id, chain, contract, signer, nonce, txid, created_at)
       values ($1, $2, $3, $4, $5, $6, now() - interval '1 hour')`,
      [id, chain.name, chain.contract, signer, nonce, mined.txid],
    )
    await sql(
      `insert into anchor_attempts (txid, transaction_id, raw_transaction, max_fee_per_gas) values ($1, $2, '0x', 1)`,
      [mined.txid, id],
    )
    await sql(`update anchors set state = 'sent', transaction_id = $2 where receipt_id = $1`, [receipt, id])
    const outcome = async () =>
      (
        await sql(
          `select t.state as transaction, a.state as anchor, r.status as receipt from anchor_transactions t
           join receipts r on r.id = $2 join anchors a on a.receipt_id = r.id where t.id = $1`,
          [id, receipt],
        )
      )[0]
    return { id, mined, outcome }
  }

  return { service, script, sql, sealed, minedWith, sent }
}
