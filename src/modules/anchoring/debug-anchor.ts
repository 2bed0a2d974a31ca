// Anchors any hash to test a chain: the same nonce queue and steps as for a receipt's anchor, but without a receipt.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { hash32 } from '../../core/text.ts'
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { verb } from '../../kit/verb.ts'

const debugAnchorInput = z.strictObject({ bundleHash: hash32.describe('Any SHA-256, 0x-prefixed.') })

const patienceMs = 25_000
const pollMs = 100

/** Anchors on the default chain. Returns the anchor's id. */
export const debugAnchor = verb({
  name: 'anchor.debug',
  access: 'admin',
  input: debugAnchorInput,
  async run(tx, { bundleHash }, { chains: [chain] }) {
    const id = randomUUID()
    await tx.sql(`insert into anchors (id, chain, bundle_hash) values ($1::uuid, $2, $3)`, [id, chain.name, bundleHash])
    tx.job(jobs.anchor({ chain: chain.name }))
    const details = { chain: chain.name, bundle_hash: bundleHash }
    return { result: id, audit: [{ objectType: 'anchor', objectId: id, projectId: null, details }] }
  },
})

type MinedAnchor = { ledgerTxid: string; blockNumber: number }

/** Throws `chain_unavailable` when the anchor is not mined within 25 seconds; the anchor stays queued. */
export async function untilMined({ pool }: App, anchorId: string): Promise<MinedAnchor> {
  for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(pollMs)) {
    const { rows } = await pool.query<MinedAnchor>(
      `select t.txid as "ledgerTxid", t.block_number::int as "blockNumber" from anchors a
       join anchor_transactions t on t.id = a.transaction_id where a.id = $1 and t.block_number is not null`,
      [anchorId],
    )
    if (rows[0] !== undefined) return rows[0]
  }
  throw new AppError('chain_unavailable', `Anchor ${anchorId} is not mined yet; it stays queued.`)
}
