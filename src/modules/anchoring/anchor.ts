// Sends what waits: one transaction for up to 500 bundle hashes, signed, stored, and only then broadcast.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { App } from '../../kit/context.ts'
import { task } from '../../kit/task.ts'
import { inTransaction } from '../../kit/transaction.ts'
import type { Chain, SignedTransaction } from '../../ports/chain.ts'
import { resend } from './resend.ts'

// 500 events cost about 1.1 million gas, well within a block of any chain in use.
const batch = 500

type Waiting = { id: string; bundleHash: string }

export const anchor = task({
  name: 'anchor',
  payload: z.strictObject({ chain: z.string() }),
  async run(app, payload) {
    const chain = chainNamed(app, payload.chain)
    const { rows } = await app.pool.query<Waiting>(
      `select id, bundle_hash as "bundleHash" from anchors where chain = $1 and state = 'waiting'
       order by created_at, id limit ${batch}`,
      [chain.name],
    )
    if (rows.length === 0) return
    const signed = await chain.signAnchor(
      rows.map(row => row.bundleHash),
      await resend(app, chain),
    )
    await store(app, chain, rows, signed)
    await chain.broadcast(signed.raw)
  },
})

export function chainNamed(app: App, name: string): Chain {
  const chain = app.chains.find(candidate => candidate.name === name)
  if (chain === undefined) throw new Error(`no chain is configured under the name ${name}`)
  return chain
}

const store = (app: App, chain: Chain, waiting: Waiting[], signed: SignedTransaction) =>
  inTransaction(app, async tx => {
    const id = randomUUID()
    await tx.sql(
      `insert into anchor_transactions (id, chain, contract, signer, nonce, txid, raw_transaction)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, chain.name, chain.contract, chain.signer, signed.nonce, signed.txid, signed.raw],
    )
    const taken = await tx.sql(
      `update anchors set state = 'sent', transaction_id = $1 where id = any($2::uuid[]) and state = 'waiting' returning id`,
      [id, waiting.map(row => row.id)],
    )
    // One lane serves a chain, so this cannot be; were it so, nothing may be anchored twice.
    if (taken.length !== waiting.length) throw new Error('another process took some of these anchors')
    tx.job({ task: 'confirm', payload: { transaction: id }, key: `confirm:${id}` })
    if (waiting.length === batch) {
      const lane = `anchor:${chain.name}`
      tx.job({ task: 'anchor', payload: { chain: chain.name }, queue: lane, key: lane })
    }
  })
