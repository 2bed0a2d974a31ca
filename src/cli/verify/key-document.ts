// Reads the key document, /.well-known/evidence-keys.json, with the keys that the user trusts. A document that two
// readers could read differently is refused as a whole.
import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { DuplicateMember, parseJson } from '../../core/json.ts'
import { isWrittenAs, keyIdOf, writtenKeyId } from '../../core/key-id.ts'
import type { TrustedKey } from '../../modules/verification/checks.ts'
import type { FinalityPolicy } from '../../ports/chain.ts'
import { address, UsageError } from '../command.ts'
import { readTextFile } from '../text-file.ts'

const moment = z.iso.datetime({ offset: true }).transform(value => new Date(value))

const onePem = /^\s*-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----\s*$/

/** The PEM as this program writes it, whatever its line ends. */
const ed25519Pem = z.string().transform((pem, { addIssue }) => {
  try {
    const key = onePem.test(pem) ? createPublicKey(pem) : null
    if (key?.asymmetricKeyType === 'ed25519') return key.export({ format: 'pem', type: 'spki' }).toString()
  } catch {
    // Reported below.
  }
  addIssue({ code: 'custom', message: 'must be one Ed25519 public key in PEM' })
  return z.NEVER
})

const key = z
  .object({
    key_id: z.string().regex(writtenKeyId, 'must be 64 hex digits, or the first 16'),
    algorithm: z.literal('Ed25519'),
    public_key_pem: ed25519Pem,
    valid_from: moment,
    valid_to: moment.nullable().default(null),
  })
  .superRefine(({ key_id, public_key_pem, valid_from, valid_to }, { addIssue }) => {
    const fault = (member: string, message: string) => addIssue({ code: 'custom', path: [member], message })
    const id = keyIdOf(public_key_pem)
    if (!isWrittenAs(key_id, id)) fault('key_id', `is not the id of public_key_pem, which is ${id}`)
    if (valid_to !== null && valid_to < valid_from) fault('valid_to', 'is before valid_from')
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

/** Returns a check that no two entries have the same value; entries with null are passed over. */
const distinct =
  <T>(member: string, read: (entry: T) => string | null) =>
  (entries: T[], { addIssue }: z.RefinementCtx<T[]>) => {
    const values = entries.map(read)
    for (const [at, value] of values.entries()) {
      const first = values.indexOf(value)
      if (value === null || first === at) continue
      addIssue({ code: 'custom', path: [at, member], message: `is the same as that of entry ${first}` })
    }
  }

type Key = z.output<typeof key>
export type KnownChain = z.output<typeof chain>

const document = z.object({
  keys: z
    .array(key)
    .superRefine(distinct<Key>('key_id', ({ key_id }) => key_id))
    .superRefine(distinct<Key>('public_key_pem', ({ public_key_pem }) => public_key_pem)),
  chains: z
    .array(chain)
    .default([])
    .superRefine(distinct<KnownChain>('name', ({ name }) => name))
    .superRefine(distinct<KnownChain>('caip2', ({ caip2 }) => caip2)),
})

export type KeyDocument = { keys: TrustedKey[]; chains: KnownChain[] }

/** Throws UsageError when the file is not a key document, or contradicts itself. */
export async function readKeyDocument(file: string): Promise<KeyDocument> {
  const fault = (why: string) => new UsageError(`${file} is not a document of evidence keys: ${why}`)
  const text = await readTextFile(file)
  let content: unknown
  try {
    content = parseJson(text)
  } catch (error) {
    throw fault(error instanceof DuplicateMember ? `${error.message}.` : 'it is not JSON.')
  }
  const { success, data, error } = document.safeParse(content)
  if (!success) throw fault(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '))
  const keys = data.keys.map(({ public_key_pem, valid_from, valid_to }) => ({
    publicKeyPem: public_key_pem,
    validFrom: valid_from,
    validTo: valid_to,
  }))
  return { keys, chains: data.chains }
}
