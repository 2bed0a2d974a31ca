// Reads the proof of a payment's transaction, without a node: docs/decisions/0073-proof-of-the-payment.md.
import { keccak256, Transaction } from 'ethers'
import { z } from 'zod'
import { impliedAccounts, transactionFields } from '../../core/evm-transaction.ts'
import { maxProofBytes } from '../../core/payment-proof.ts'
import { decodeRlp, type Rlp } from '../../core/rlp.ts'
import { valueAt } from './trie-path.ts'

const word = z.string().regex(/^0x[0-9a-f]{64}$/)
// Beyond any trie whose keys are positions below 2^32.
const nodes = z.array(z.string()).max(12)
const shape = z.strictObject({ header: z.string(), receipt: nodes, transaction: nodes.min(1).nullable() })
const claim = z.strictObject({ blockHash: word, transactionHash: word, index: z.int().min(0).max(0xffff_ffff) })

/** The evidence says this of the transaction: 0x and lower-case hex, and its place in the block. */
type Claim = z.output<typeof claim>

type ProvenHeader = {
  hash: string
  number: number
  /** Seconds since 1970. */
  timestamp: number
  parentHash: string
  receiptsRoot: string
  transactionsRoot: string
}

/** `logs` are in the order of the receipt. A receipt from before Byzantium does not say that it succeeded. */
type ProvenReceipt = { succeeded: boolean; logs: { address: string; topics: string[]; data: string }[] }

/**
 * `value` is in the smallest unit of the chain's own currency. `from` is null where the signature names no account, and
 * `to` where a contract was made.
 */
type ProvenTransaction = { hash: string; from: string | null; to: string | null; value: bigint; type: number }

export type ProofResult =
  | { ok: true; header: ProvenHeader; receipt: ProvenReceipt | null; transaction: ProvenTransaction | null }
  | { ok: false; reason: string }

class Refusal extends Error {}

/**
 * Returns what a proof shows of the claimed transaction, or why it shows nothing; it is shown against the hash of the
 * block, which the caller compares with the chain. Without a transaction, nothing shows that the receipt belongs to the
 * claimed hash. Never throws.
 */
export function readProof(proof: unknown, claimed: Claim): ProofResult {
  try {
    return { ok: true, ...shown(proof, claimed) }
  } catch (error) {
    return { ok: false, reason: error instanceof Refusal ? error.message : 'The proof is not well-formed.' }
  }
}

function shown(proof: unknown, claimed: Claim) {
  const { blockHash, transactionHash, index } = claim.parse(claimed)
  const parts = shape.parse(proof)
  const inHex = [parts.header, ...parts.receipt, ...(parts.transaction ?? [])]
  if (inHex.reduce((sum, { length }) => sum + length / 2 - 1, 0) > maxProofBytes)
    throw new Refusal('The proof is too large.')
  const header = headerIn(bytesOf(parts.header))
  if (header.hash !== blockHash) throw new Refusal('The header is not that of the block.')
  if (parts.receipt.length === 0) {
    if (parts.transaction !== null) throw new Refusal('The proof has no receipt.')
    return { header, receipt: null, transaction: null }
  }
  const receipt = provenValue('receipt', header.receiptsRoot, index, parts.receipt)
  const transaction = parts.transaction && provenValue('transaction', header.transactionsRoot, index, parts.transaction)
  if (transaction !== null && keccak256(transaction) !== transactionHash) {
    throw new Refusal('The proof is of another transaction.')
  }
  if (transaction !== null && envelope(transaction).type !== envelope(receipt).type) {
    throw new Refusal('The receipt is of another type than the transaction.')
  }
  return { header, receipt: receiptIn(receipt), transaction: transaction && transactionIn(transaction) }
}

function provenValue(what: string, root: string, index: number, texts: readonly string[]): Uint8Array {
  const path = texts.map(bytesOf)
  try {
    return valueAt(root, index, path)
  } catch {
    throw new Refusal(`The nodes do not lead from the header to the ${what} at position ${index}.`)
  }
}

function headerIn(bytes: Uint8Array): ProvenHeader {
  const fields = list(decodeRlp(bytes))
  // Forks have added six fields to the first fifteen.
  if (fields.length < 15 || fields.length > 32 || fields.some(Array.isArray)) throw new Refusal('The header is none.')
  return {
    hash: keccak256(bytes),
    number: Number(integer(fields[8], 6)),
    timestamp: Number(integer(fields[11], 6)),
    parentHash: fixed(fields[0], 32),
    receiptsRoot: fixed(fields[5], 32),
    transactionsRoot: fixed(fields[4], 32),
  }
}

/** Takes the type apart from the payload (EIP-2718). */
function envelope(bytes: Uint8Array): { type: number; payload: Rlp[] } {
  const [first = 0] = bytes
  if (first >= 0xc0) return { type: 0, payload: list(decodeRlp(bytes)) }
  if (first === 0 || first > 0x7f) throw new Refusal('A type of transaction is not known.')
  return { type: first, payload: list(decodeRlp(bytes.subarray(1))) }
}

function receiptIn(bytes: Uint8Array): ProvenReceipt {
  const { type, payload } = envelope(bytes)
  const [outcome, gas, bloom, logs, ...deposit] = payload
  if (deposit.length !== 0 && (type !== 0x7e || deposit.length !== 2)) throw new Refusal('The receipt is not known.')
  for (const number of [gas, ...deposit]) integer(number, 8)
  fixed(bloom, 256)
  // The state after the transaction, in place of a status.
  const isOld = type === 0 && string(outcome).length === 32
  if (!isOld && integer(outcome, 1) > 1n) throw new Refusal('The receipt has no status.')
  return {
    succeeded: !isOld && string(outcome).length === 1,
    logs: list(logs).map(log => {
      const [address, topics, data, ...more] = list(log)
      if (more.length > 0 || list(topics).length > 4) throw new Refusal('A log of the receipt is none.')
      return { address: fixed(address, 20), topics: list(topics).map(topic => fixed(topic, 32)), data: hex(data) }
    }),
  }
}

function transactionIn(bytes: Uint8Array): ProvenTransaction {
  const { type, payload } = envelope(bytes)
  const names = transactionFields(type)
  if (names === null || names.length !== payload.length) throw new Refusal('The type of the transaction is not known.')
  const field = (name: string) => payload[names.indexOf(name)]
  const implied = impliedAccounts[type]
  const stated = names.includes('from') ? fixed(field('from'), 20) : (implied?.from ?? null)
  const to = field('to')
  const value = field('value')
  return {
    hash: keccak256(bytes),
    // Recovering a signer takes a millisecond, ten times as long as all else.
    get from() {
      return type <= 4 ? signerOf(bytes) : stated
    },
    to: to === undefined || string(to).length === 0 ? (implied?.to ?? null) : fixed(to, 20),
    value: value === undefined ? 0n : integer(value, 32),
    type,
  }
}

function signerOf(bytes: Uint8Array): string | null {
  try {
    return Transaction.from(hex(bytes)).from?.toLowerCase() ?? null
  } catch {
    return null
  }
}

function bytesOf(text: string): Uint8Array {
  if (!/^0x[0-9a-f]+$/.test(text) || text.length % 2 === 1) throw new Refusal('The proof is not in lower-case hex.')
  return Buffer.from(text.slice(2), 'hex')
}

function list(value: Rlp | undefined): Rlp[] {
  if (!Array.isArray(value)) throw new Error('No list.')
  return value
}

function string(value: Rlp | undefined): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new Error('No string.')
  return value
}

const hex = (value: Rlp | undefined) => `0x${Buffer.from(string(value)).toString('hex')}`

function fixed(value: Rlp | undefined, length: number): string {
  if (string(value).length !== length) throw new Error('No string of this length.')
  return hex(value)
}

/** Without leading zeros, as RLP has them. */
function integer(value: Rlp | undefined, maxLength: number): bigint {
  const bytes = string(value)
  if (bytes.length > maxLength || bytes[0] === 0) throw new Error('No integer.')
  return bytes.length === 0 ? 0n : BigInt(hex(bytes))
}
