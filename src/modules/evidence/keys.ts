// The keys that have ever signed bundles, with their validity. A verifier trusts these, never the copy in a ZIP.
import type { SigningKey } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import type { Transaction } from '../../kit/transaction.ts'
import type { Signer } from '../../ports/signer.ts'

export const signingKeys = (app: Pick<App, 'db'>): Promise<SigningKey[]> =>
  app.db.signingKey.findMany({ orderBy: [{ validFrom: 'asc' }, { keyId: 'asc' }] })

/** Publishes the key that this process signs with; harmless when the key is published already. */
export async function publishSigningKey(
  app: Pick<App, 'pool'>,
  key: { keyId: string; publicKeyPem: string },
): Promise<void> {
  await app.pool.query('insert into signing_keys (key_id, public_key_pem) values ($1, $2) on conflict do nothing', [
    key.keyId,
    key.publicKeyPem,
  ])
}

/**
 * Throws when the signing key is retired, so that receipts wait instead of being sealed with an untrusted key. The row
 * lock keeps the key live until the transaction ends: retiring it waits for receipts being sealed, and counts them.
 */
export async function demandLiveKey({ sql }: Transaction, { keyId }: Signer): Promise<void> {
  const live = await sql('select key_id from signing_keys where key_id = $1 and valid_to is null for share', [keyId])
  if (live.length === 0) throw new Error(`the signing key ${keyId} has been retired: give this process another`)
}
