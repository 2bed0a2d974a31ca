// Makes proofs of transactions from what a node says of their block. Only what hashes to the block's own hash and roots
// is returned, so it does not matter whether the node is honest.
import { setImmediate } from 'node:timers/promises'
import { RLP } from '@ethereumjs/rlp'
import { keccak256 } from 'ethers'
import { transactionFields } from '../core/evm-transaction.ts'
import { maxProofBytes, type PaymentProof } from '../core/payment-proof.ts'
import { type ListTrie, listTrie } from './list-trie.ts'

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

/** The best that the answers allow, for each transaction of a block: 1, the header alone; 2, its receipt; 3, all. */
export type BlockProofs = { grade: 1 | 2 | 3; at(position: number): PaymentProof | null }

/**
 * `block` is the answer of eth_getBlockByNumber with full transactions, and `receipts` that of eth_getBlockReceipts.
 * Returns null where the header cannot be rebuilt. A proof is null where the block has no such transaction, and is of
 * the header alone where the receipts are not those of the block. Never throws.
 */
export async function proofsIn(block: unknown, receipts: unknown): Promise<BlockProofs | null> {
  const header = rebuilt(() => encodeHeader(object(block)))
  if (header === null || !isObject(block) || keccak256(header) !== lower(block.hash)) return null
  const transactions = Array.isArray(block.transactions) ? block.transactions : []
  const receiptTrie = await trieOf(receipts, encodeReceipt, block.receiptsRoot)
  const transactionTrie = receiptTrie && (await trieOf(transactions, encodeTransaction, block.transactionsRoot))
  return {
    grade: transactionTrie ? 3 : receiptTrie ? 2 : 1,
    at(position) {
      if (!(position in transactions)) return null
      const alone = { header: hex(header), receipt: [], transaction: null }
      const receipt = receiptTrie?.path(position)
      if (!receipt || bytesIn(header, receipt) > maxProofBytes) return alone
      const transaction = transactionTrie?.path(position)
      const fits = transaction && bytesIn(header, receipt, transaction) <= maxProofBytes
      return { ...alone, receipt: receipt.map(hex), transaction: fits ? transaction.map(hex) : null }
    },
  }
}

// Five times as fast as that of ethers, which joins the text digit by digit.
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
const bytesIn = (header: Uint8Array, ...paths: Uint8Array[][]) =>
  [header, ...paths.flat()].reduce((sum, { length }) => sum + length, 0)

/** Returns null where the items do not give the root. */
async function trieOf(items: unknown, encode: (item: Json) => Uint8Array, root: unknown): Promise<ListTrie | null> {
  if (!Array.isArray(items) || items.length === 0 || items.length > maxTransactions) return null
  const values: Uint8Array[] = []
  for (const item of items) {
    const value = rebuilt(() => encode(object(item)))
    if (value === null) return null
    values.push(value)
    if (values.length % 50 === 0) await setImmediate()
  }
  const trie = await listTrie(values)
  return trie.root === lower(root) ? trie : null
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
