// Retires a signing key: bundles that are not anchored before that moment no longer verify with the key.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { text } from '../../core/text.ts'
import type { Transaction } from '../../kit/transaction.ts'
import { verb } from '../../kit/verb.ts'

const retireSigningKeyInput = z.strictObject({
  keyId: text().describe('The key’s id, as published.'),
  validTo: z.iso
    .datetime({ offset: true, error: 'Must be an RFC 3339 timestamp.' })
    .refine(value => Date.parse(value) >= 0, 'Must be after 1970.')
    .nullish()
    .meta({ graphql: 'DateTime' })
    .describe(
      'The last moment at which the key was trustworthy: for a stolen key, the last moment before the theft. A moment before `validFrom` counts as `validFrom`. Defaults to now, which is refused while bundles sealed with the key wait for their anchor.',
    ),
})

/** Errors: `not_found`; `conflict` for this process's own key, a `validTo` in the future, and while bundles wait. */
export const retireSigningKey = verb({
  name: 'signing_key.retire',
  access: 'admin',
  input: retireSigningKeyInput,
  async run(tx, { keyId, validTo }, { signer }) {
    if (keyId === signer.keyId) {
      throw new AppError('conflict', 'This service signs with that key: start all of its processes with another first.')
    }
    const requested = validTo == null ? new Date() : new Date(validTo)
    if (requested > new Date()) throw new AppError('conflict', 'validTo must not be in the future.')
    // The lock waits for receipts that are being sealed with the key.
    await tx.sql('select key_id from signing_keys where key_id = $1 for no key update', [keyId])
    if (validTo == null) await demandNothingWaits(tx, keyId)
    const key = await tx.db.signingKey.findUnique({ where: { keyId } })
    if (key === null) throw notFound('signing key')
    const until = new Date(Math.max(requested.getTime(), key.validFrom.getTime()))
    // The end of validity never moves later: a bundle that was rejected stays rejected.
    if (key.validTo !== null && key.validTo <= until) return { result: key, audit: 'unchanged' }
    const result = await tx.db.signingKey.update({ where: { keyId }, data: { validTo: until } })
    const details = { valid_to: until.toISOString() }
    return { result, audit: [{ objectType: 'signing_key', objectId: keyId, projectId: null, details }] }
  },
})

/** Throws `conflict` while bundles sealed with the key wait: anchored after its end, bundles would not verify. */
async function demandNothingWaits(tx: Transaction, keyId: string): Promise<void> {
  const [waiting] = await tx.sql<{ count: number }>(
    `select count(*)::int as count from (
       select id, null::uuid as statement_id from receipts where status = 'awaiting_anchor'
       union all select null, id from statements where status = 'awaiting_anchor'
     ) as waiting join artifacts a on (a.receipt_id = waiting.id or a.statement_id = waiting.statement_id) and a.name = 'evidence.zip'
     where a.signed_by = $1`,
    [keyId],
  )
  if (waiting === undefined || waiting.count === 0) return
  throw new AppError(
    'conflict',
    `Bundles sealed with it still wait for their anchor (${waiting.count}), and would not verify. Wait, or pass validTo.`,
  )
}
