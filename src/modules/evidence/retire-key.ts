// Retiring a signing key: bundles of receipts made after that moment are no longer believed with it.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { actorOf } from '../../core/principal.ts'
import { text } from '../../core/text.ts'
import { verb } from '../../kit/verb.ts'

export const retireSigningKeyInput = z.strictObject({
  keyId: text().describe('The key’s id, as published.'),
  validTo: z
    .date()
    .nullish()
    .meta({ graphql: 'DateTime' })
    .describe('Until when it was right to believe it: earlier than now when the key was stolen; now unless given.'),
})

/** Errors: `not_found`; `conflict` for the key that this process signs with, which needs another first. */
export const retireSigningKey = verb({
  name: 'signing_key.retire',
  access: 'admin',
  input: retireSigningKeyInput,
  async run(tx, { keyId, validTo }, { principal, signer }) {
    if (keyId === signer.keyId) {
      throw new AppError('conflict', 'This service signs with that key: start all of its processes with another first.')
    }
    const until = validTo ?? new Date()
    if (until > new Date()) throw new AppError('conflict', 'A key is retired from a moment that has come.')
    const key = await tx.db.signingKey.findUnique({ where: { keyId } })
    if (key === null) throw notFound('signing key')
    // Never later than before: what was once disbelieved stays so.
    if (key.validTo !== null && key.validTo <= until) return key
    tx.audit({
      action: 'signing_key.retire',
      objectType: 'signing_key',
      objectId: keyId,
      projectId: null,
      actor: actorOf(principal),
      details: { valid_to: until.toISOString() },
    })
    return tx.db.signingKey.update({ where: { keyId }, data: { validTo: until } })
  },
})
