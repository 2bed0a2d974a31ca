// Reads the key document, /.well-known/evidence-keys.json, with the keys that the user trusts.
import { createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { TrustedKey } from '../../modules/verification/checks.ts'
import type { FinalityPolicy } from '../../ports/chain.ts'
import { address, UsageError } from '../command.ts'

const moment = z.iso.datetime({ offset: true }).transform(value => new Date(value))

const isEd25519 = (pem: string) => {
  try {
    return createPublicKey(pem).asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

const key = z.object({
  key_id: z.string(),
  algorithm: z.literal('Ed25519'),
  public_key_pem: z.string().refine(isEd25519, 'must be an Ed25519 public key in PEM'),
  valid_from: moment,
  valid_to: moment.nullable().default(null),
})

const depth = z
  .string()
  .regex(/^[1-9]\d{0,5} confirmations$/, 'must be safe, finalized or a number of confirmations')
  .transform((words): FinalityPolicy => ({ confirmations: Number.parseInt(words, 10) }))

const chain = z.object({
  name: z.string(),
  caip2: z.string().nullable(),
  contract: address,
  finality: z.union([z.enum(['safe', 'finalized']), depth]),
  deployed_at_block: z.int().min(0).nullish(),
  explorer_base_url: z.string().nullish(),
})

const document = z.object({ keys: z.array(key), chains: z.array(chain).default([]) })

export type KnownChain = z.output<typeof chain>
export type KeyDocument = { keys: TrustedKey[]; chains: KnownChain[] }

/** Throws UsageError when the file is not a key document. */
export async function readKeyDocument(file: string): Promise<KeyDocument> {
  const fault = (why: string) => new UsageError(`${file} is not a document of evidence keys: ${why}`)
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`)
  })
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw fault('it is not JSON.')
  }
  const { success, data, error } = document.safeParse(content)
  if (!success) throw fault(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '))
  const keys = data.keys.map(({ key_id, public_key_pem, valid_from, valid_to }) => ({
    keyId: key_id,
    publicKeyPem: public_key_pem,
    validFrom: valid_from,
    validTo: valid_to,
  }))
  return { keys, chains: data.chains }
}
