// Reads data through an Arweave gateway without trusting it: the id proves the signature, and the signature the data.
import { constants, createHash, createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import type { Content, ContentStore } from '../ports/content-store.ts'
import type { PublicFetch } from '../ports/public-fetch.ts'

const maxBytes = 4 * 1024 * 1024
const maxRecordBytes = 256 * 1024
const timeoutMs = 10_000

const base64url = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[\w-]*$/)
const decimal = z.string().regex(/^\d{1,30}$/)
// Format 1 is not accepted: it signs its fields concatenated, so a gateway could move bytes from the data to the next
// field. Transactions whose owner is named by the signature alone (elliptic keys) are not accepted either, because the
// arweave library cannot check them.
const signedRecord = z.object({
  format: z.literal(2),
  last_tx: base64url(64),
  owner: base64url(683).min(1),
  tags: z.array(z.object({ name: base64url(4096), value: base64url(4096) })).max(2048),
  target: base64url(43),
  quantity: decimal,
  data_size: decimal,
  data_root: base64url(43),
  reward: decimal,
  signature: base64url(683),
})
type SignedRecord = z.infer<typeof signedRecord>

/** Returns the arweave library's transaction functions, imported on first use. The library sends no requests. */
const transactionsOf = async () => (await import('arweave')).default.init({}).transactions

/**
 * Returns a content store. Items inside a bundle (ANS-104) are reported as absent, as `/tx` reports them, because no
 * transaction of their own proves them.
 */
export function createArweaveStore(gateway: string, fetchPublic: PublicFetch): ContentStore {
  const base = gateway.replace(/\/+$/, '')
  return {
    kind: 'arweave',
    isId,
    read: id => read(id, openGateway(base, fetchPublic)).catch(() => missing('unavailable')),
  }
}

const missing = (why: 'absent' | 'unavailable' | 'mismatch'): Content => ({ found: false, why })

const isId = (id: string) => /^[\w-]{43}$/.test(id) && Buffer.from(id, 'base64url').toString('base64url') === id

type Ask = (path: string, maxBytes: number) => Promise<Buffer | 'absent' | null>

function openGateway(base: string, fetchPublic: PublicFetch): Ask {
  const until = performance.now() + timeoutMs
  return async (path, maxBytes) => {
    const timeLeft = Math.ceil(until - performance.now())
    return timeLeft > 0 ? fetchPublic(base + path, { maxBytes, timeoutMs: timeLeft, absent: 'absent' }) : null
  }
}

async function read(id: string, ask: Ask): Promise<Content> {
  if (!isId(id)) return missing('absent')
  const answer = await ask(`/tx/${id}`, maxRecordBytes)
  if (answer === null || answer === 'absent') return missing(answer ?? 'unavailable')
  const record = parse(answer)
  if (record === null) return missing('unavailable')
  if (!(await isSigned(id, record))) return missing('mismatch')
  if (BigInt(record.data_size) > maxBytes) return missing('unavailable')
  // Usual gateways redirect `/<id>` to a subdomain, and redirects are not followed; not every gateway serves `/raw`.
  const first = await ask(`/raw/${id}`, maxBytes)
  const data = first instanceof Buffer ? first : await ask(`/${id}`, maxBytes)
  if (data instanceof Buffer) return (await isData(data, record)) ? { found: true, bytes: data } : missing('mismatch')
  return missing(first === 'absent' || data === 'absent' ? 'absent' : 'unavailable')
}

function parse(answer: Buffer): SignedRecord | null {
  try {
    return signedRecord.parse(JSON.parse(answer.toString('utf8')))
  } catch {
    return null
  }
}

/**
 * Checks id and signature. The signed data includes the owner, so no other key can be found that fits the signature.
 */
async function isSigned(id: string, record: SignedRecord): Promise<boolean> {
  const signature = Buffer.from(record.signature, 'base64url')
  if (createHash('sha256').update(signature).digest('base64url') !== id) return false
  try {
    const signed = await (await transactionsOf()).fromRaw(record).getSignatureData()
    // The library's own `verify` writes each failure to the console.
    const owner = createPublicKey({ key: { kty: 'RSA', e: 'AQAB', n: record.owner }, format: 'jwk' })
    return verify('sha256', signed, { key: owner, padding: constants.RSA_PKCS1_PSS_PADDING }, signature)
  } catch {
    return false
  }
}

/**
 * Compares the Merkle root of the data, cut into the usual chunks. Data uploaded in chunks of other sizes cannot be
 * distinguished from wrong data.
 */
async function isData(data: Buffer, record: SignedRecord): Promise<boolean> {
  if (String(data.length) !== record.data_size) return false
  const tree = (await transactionsOf()).fromRaw({})
  await tree.prepareChunks(data)
  return tree.data_root === record.data_root
}
