// Hands the chain every stored transaction it does not have, in the order of their nonces: after a crash of ours, and
// after a chain that lost its newest blocks. They are the same bytes, so nothing can be anchored twice by it.
import type { App } from '../../kit/context.ts'
import type { Chain } from '../../ports/chain.ts'

// More than a chain can lose before somebody looks.
const most = 1_000

/** Answers the nonce for the next transaction. */
export async function resend(app: App, chain: Chain): Promise<number> {
  const pending = await chain.pendingNonce()
  const { rows } = await app.pool.query<{ nonce: string; raw: string }>(
    `select nonce, raw_transaction as raw from anchor_transactions
     where chain = $1 and signer = $2 and nonce >= $3 order by nonce limit ${most}`,
    [chain.name, chain.signer, pending],
  )
  for (const { raw } of rows) await chain.broadcast(raw)
  return rows.reduce((next, { nonce }) => Math.max(next, Number(nonce) + 1), pending)
}
