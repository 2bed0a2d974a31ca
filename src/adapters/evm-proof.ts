// Makes proofs of transactions from what a node says of their block. Only what hashes to the block's own hash and roots
// is returned, so it does not matter whether the node is honest.
import { setImmediate } from 'node:timers/promises'
import { createMerkleProof, MerklePatriciaTrie } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { hexlify, keccak256 } from 'ethers'
import { transactionFields } from '../core/evm-transaction.ts'
import { maxProofBytes, type PaymentProof } from '../core/payment-proof.ts'

/** Far above the blocks of today. A trie of so many takes about a second. */
const maxTransactions = 10_000

type Json = Readonly<Record<string, unknown>>
type Encodable = Uint8Array | Encodable[]

const headerFields =
  'parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed ' +
  'timestamp extraData mixHash nonce'
/** In the order in which forks added them: London, Shanghai, Cancun, Prague. */
const laterHeaderFields =
  'baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash'.split(' ')

/** The fields that are numbers: RLP has them without leading zeros. */
const quantities = new Set(
  (
    'difficulty number gasLimit gasUsed timestamp baseFeePerGas blobGasUsed excessBlobGas status cumulativeGasUsed ' +
    'chainId nonce gasPrice maxPriorityFeePerGas maxFeePerGas maxFeePerBlobGas gas value v yParity r s mint ' +
    'maxRefund submissionFeeRefund l1BaseFee depositValue retryValue maxSubmissionFee depositNonce ' +
    'depositReceiptVersion'
  ).split(' '),
)

/**
 * `block` is the answer of eth_getBlockByNumber with full transactions, and `receipts` that of eth_getBlockReceipts.
 * Returns a proof for each position in the block, in order: null where the header cannot be rebuilt or has no such
 * transaction, and the header alone where the receipts are not those of the block. Never throws.
 */
export async function proofsOf(
  block: unknown,
  receipts: unknown,
  positions: readonly number[],
): Promise<(PaymentProof | null)[]> {
  const header = rebuilt(() => encodeHeader(object(block)))
  if (header === null || !isObject(block) || keccak256(header) !== lower(block.hash)) return positions.map(() => null)
  const transactions = Array.isArray(block.transactions) ? block.transactions : []
  const receiptTrie = await trieOf(receipts, encodeReceipt, block.receiptsRoot)
  const transactionTrie = receiptTrie && (await trieOf(transactions, encodeTransaction, block.transactionsRoot))
  return Promise.all(
    positions.map(async position => {
      if (!(position in transactions)) return null
      const alone = { header: hexlify(header), receipt: [], transaction: null }
      const receipt = receiptTrie && (await nodesOf(receiptTrie, position))
      if (!receipt || bytesIn(header, receipt) > maxProofBytes) return alone
      const transaction = transactionTrie && (await nodesOf(transactionTrie, position))
      const fits = transaction && bytesIn(header, receipt, transaction) <= maxProofBytes
      return { ...alone, receipt: receipt.map(hex), transaction: fits ? transaction.map(hex) : null }
    }),
  )
}

const hex = (bytes: Uint8Array) => hexlify(bytes)
const bytesIn = (header: Uint8Array, ...paths: Uint8Array[][]) =>
  [header, ...paths.flat()].reduce((sum, { length }) => sum + length, 0)

/** Returns null where a node is so small that it stands in the one above it, as no real receipt or transaction does. */
async function nodesOf(trie: MerklePatriciaTrie, position: number): Promise<Uint8Array[] | null> {
  const nodes = await createMerkleProof(trie, RLP.encode(position))
  return nodes.slice(1).some(({ length }) => length < 32) ? null : nodes
}

/** Returns null where the items do not give the root. */
async function trieOf(
  items: unknown,
  encode: (item: Json) => Uint8Array,
  root: unknown,
): Promise<MerklePatriciaTrie | null> {
  if (!Array.isArray(items) || items.length > maxTransactions) return null
  const trie = new MerklePatriciaTrie()
  for (const [position, item] of items.entries()) {
    const value = rebuilt(() => encode(object(item)))
    if (value === null) return null
    await trie.put(RLP.encode(position), value)
    // The trie itself never waits for anything, so that nothing else in the process could run meanwhile.
    if (position % 50 === 49) await setImmediate()
  }
  return hexlify(trie.root()) === lower(root) ? trie : null
}

function rebuilt(make: () => Uint8Array): Uint8Array | null {
  try {
    return make()
  } catch {
    return null
  }
}

function encodeHeader(block: Json): Uint8Array {
  const absent = laterHeaderFields.findIndex(name => block[name] === undefined || block[name] === null)
  const later = absent < 0 ? laterHeaderFields : laterHeaderFields.slice(0, absent)
  // Eight bytes in a header, and a number in a transaction.
  const field = (name: string) => (name === 'nonce' ? data(block[name]) : fieldOf(block, name))
  return RLP.encode([...headerFields.split(' '), ...later].map(field))
}

function encodeReceipt(receipt: Json): Uint8Array {
  const type = typeOf(receipt)
  const fields: Encodable[] = [
    // Before Byzantium, the state after the transaction. Some nodes make up a status for it.
    isWord(receipt.root) ? data(receipt.root) : fieldOf(receipt, 'status'),
    fieldOf(receipt, 'cumulativeGasUsed'),
    data(receipt.logsBloom),
    array(receipt.logs).map(log => {
      const { address, topics, data: content } = object(log)
      return [data(address), array(topics).map(data), data(content)]
    }),
  ]
  // Before Canyon, the nonce of a deposit was stored with its receipt, but not part of what the root covers.
  if (type === 0x7e && receipt.depositReceiptVersion !== undefined && receipt.depositReceiptVersion !== null) {
    fields.push(fieldOf(receipt, 'depositNonce'), fieldOf(receipt, 'depositReceiptVersion'))
  }
  return enveloped(type, fields)
}

function encodeTransaction(transaction: Json): Uint8Array {
  const type = typeOf(transaction)
  const fields = transactionFields(type)
  if (fields === null) throw new Error('The type is not known.')
  return enveloped(
    type,
    fields.map(name => fieldOf(transaction, name)),
  )
}

const enveloped = (type: number, fields: Encodable[]) =>
  type === 0 ? RLP.encode(fields) : Buffer.concat([Uint8Array.of(type), RLP.encode(fields)])

/** Nodes of the time before typed transactions name no type. */
const typeOf = ({ type }: Json): number => {
  const value = type === undefined || type === null ? 0 : Number(type)
  if (!Number.isInteger(value) || value < 0 || value > 0x7f) throw new Error('No type of a transaction.')
  return value
}

function fieldOf(from: Json, name: string): Encodable {
  const value = from[name]
  switch (name) {
    case 'accessList':
      return array(value)
        .map(object)
        .map(each => [data(each.address), array(each.storageKeys).map(data)])
    case 'blobVersionedHashes':
      return array(value).map(data)
    case 'authorizationList':
      return array(value)
        .map(object)
        .map(each => ['chainId', 'address', 'nonce', 'yParity', 'r', 's'].map(part => fieldOf(each, part)))
    case 'yParity':
      // Older nodes name it `v` in typed transactions too.
      return quantity(value ?? from.v)
    case 'isSystemTx':
      return value === true ? Uint8Array.of(1) : new Uint8Array()
    case 'mint':
      return quantity(value ?? '0x0')
    case 'to':
    case 'retryTo':
      return data(value ?? '0x')
    default:
      return quantities.has(name) ? quantity(value) : data(value)
  }
}

const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : null)
const isWord = (value: unknown) => typeof value === 'string' && value.length === 66
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

function object(value: unknown): Json {
  if (!isObject(value)) throw new Error('No object.')
  return value
}

function array(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('No array.')
  return value
}

function data(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !/^0x[0-9a-f]*$/i.test(value) || value.length % 2 === 1) throw new Error('No bytes.')
  return Buffer.from(value.slice(2), 'hex')
}

function quantity(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) throw new Error('No number.')
  const digits = value.slice(2).replace(/^0+/, '')
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
}
