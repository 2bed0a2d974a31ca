// Blocks of signed transactions as a node's JSON-RPC reports them, for proofs.
import { MerklePatriciaTrie } from '@ethereumjs/mpt'
import {
  encodeRlp,
  hexlify,
  id,
  keccak256,
  Transaction,
  type TransactionLike,
  toBeHex,
  Wallet,
  zeroPadValue,
} from 'ethers'
import { proofsIn } from '../../src/adapters/evm-proof.ts'

export type Json = Record<string, unknown>
/** `block` is the answer of eth_getBlockByNumber with full transactions, `receipts` that of eth_getBlockReceipts. */
export type ReportedBlock = { block: Json & { hash: string; transactions: Json[] }; receipts: Json[] }

const quantity = (value: bigint | number) => `0x${value.toString(16)}`
/** As a field of RLP. */
const number = (value: unknown) => (BigInt(String(value)) === 0n ? '0x' : toBeHex(BigInt(String(value))))
const zeros = (bytes: number) => `0x${'00'.repeat(bytes)}`
const word = (value: string) => zeroPadValue(value, 32)

export const wallets = [new Wallet(word('0x01')), new Wallet(word('0x02')), new Wallet(word('0x03'))] as const
const token = `0x${'70'.repeat(20)}`

/** Returns the filter of 2048 bits for the addresses and topics of logs (Yellow Paper, 4.3.1). */
function bloomOf(logs: readonly { address: string; topics: readonly string[] }[]): string {
  let bloom = 0n
  for (const value of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = keccak256(value)
    for (const at of [0, 4, 8]) bloom |= 1n << BigInt(Number.parseInt(hash.slice(2 + at, 6 + at), 16) & 2047)
  }
  return toBeHex(bloom, 256)
}

/** The proofs that the service makes of a block, at these positions. */
export async function proofsAt(block: unknown, receipts: unknown, positions: readonly number[]) {
  const proofs = await proofsIn(block, receipts)
  return positions.map(position => proofs?.at(position) ?? null)
}

export async function rootOf(values: readonly string[]): Promise<string> {
  const trie = new MerklePatriciaTrie()
  for (const [at, value] of values.entries()) {
    await trie.put(Buffer.from(encodeRlp(number(at)).slice(2), 'hex'), Buffer.from(value.slice(2), 'hex'))
  }
  return hexlify(trie.root())
}

/** Adds a header over these roots, of London or, with `more`, of later forks. */
export function headed(
  roots: { transactionsRoot: string; receiptsRoot: string },
  more: Json = {},
): Json & { hash: string } {
  const first: Json = {
    parentHash: id('parent'),
    sha3Uncles: keccak256('0xc0'),
    miner: zeros(20),
    stateRoot: id('state'),
    transactionsRoot: roots.transactionsRoot,
    receiptsRoot: roots.receiptsRoot,
    logsBloom: zeros(256),
    difficulty: '0x0',
    number: '0x1312d00',
    gasLimit: '0x1c9c380',
    gasUsed: '0x5208',
    timestamp: '0x66000000',
    extraData: '0x',
    mixHash: id('mix'),
    nonce: zeros(8),
    baseFeePerGas: '0x7',
  }
  const header = { ...first, ...more }
  const numbers = /^(difficulty|number|gas|timestamp|baseFee|blobGas|excessBlob)/
  const fields = Object.entries(header).map(([name, value]) => (numbers.test(name) ? number(value) : String(value)))
  return { ...header, hash: keccak256(encodeRlp(fields)) }
}

type Log = { address: string; topics: string[]; data: string }
/** `logs`: what it emits; without them it fails. */
export type Call = { from: Wallet; fields: TransactionLike; logs: Log[] | null }

const tokenTransfer = id('Transfer(address,address,uint256)')

/** A block of so many transfers of a token, as chains of today have them. */
export function transfers(count: number): Promise<ReportedBlock> {
  const calls = Array.from({ length: count }, (_, at): Call => {
    const from = wallets[at % wallets.length] ?? wallets[0]
    const to = `0x${keccak256(toBeHex(at + 1)).slice(-40)}`
    const amount = toBeHex(1_000_000 + at, 32)
    const data = `0xa9059cbb${word(to).slice(2)}${amount.slice(2)}`
    const log = { address: token, topics: [tokenTransfer, word(from.address.toLowerCase()), word(to)], data: amount }
    const fees = { type: 2, gasLimit: 60_000, maxFeePerGas: 3_000_000_000, maxPriorityFeePerGas: 1 }
    return { from, fields: { ...fees, chainId: 1, nonce: at, to: token, data }, logs: [log] }
  })
  return blockOf(calls)
}

export async function blockOf(calls: readonly Call[], header: Json = {}): Promise<ReportedBlock> {
  const signed = calls.map(({ from, fields }) => {
    const transaction = Transaction.from(fields)
    transaction.signature = from.signingKey.sign(transaction.unsignedHash)
    return transaction
  })
  const receipts = calls.map(({ fields, logs }, at) => ({
    type: quantity(fields.type ?? 0),
    status: logs === null ? '0x0' : '0x1',
    cumulativeGasUsed: quantity((at + 1) * 51_000),
    logsBloom: bloomOf(logs ?? []),
    logs: logs ?? [],
    transactionHash: signed[at]?.hash,
    transactionIndex: quantity(at),
  }))
  const encoded = receipts.map(({ type, status, cumulativeGasUsed, logsBloom, logs }) => {
    const entries = logs.map(({ address, topics, data }) => [address, topics, data])
    const rlp = encodeRlp([number(status), number(cumulativeGasUsed), logsBloom, entries])
    return type === '0x0' ? rlp : `${toBeHex(type, 1)}${rlp.slice(2)}`
  })
  const roots = {
    transactionsRoot: await rootOf(signed.map(({ serialized }) => serialized)),
    receiptsRoot: await rootOf(encoded),
  }
  return { block: { ...headed(roots, header), transactions: signed.map(reported) }, receipts }
}

/** As a node of today reports it. */
function reported(transaction: Transaction, at: number): Json {
  const { signature, type, accessList, authorizationList, blobVersionedHashes } = transaction
  const fees = { gasPrice: transaction.gasPrice, maxFeePerGas: transaction.maxFeePerGas }
  const numbers = {
    ...fees,
    maxPriorityFeePerGas: transaction.maxPriorityFeePerGas,
    maxFeePerBlobGas: transaction.maxFeePerBlobGas,
  }
  const given = Object.entries(numbers).filter(([, value]) => value !== null && value !== undefined)
  return {
    hash: transaction.hash,
    transactionIndex: quantity(at),
    type: quantity(type ?? 0),
    chainId: quantity(transaction.chainId),
    nonce: quantity(transaction.nonce),
    gas: quantity(transaction.gasLimit),
    from: transaction.from?.toLowerCase(),
    to: transaction.to?.toLowerCase() ?? null,
    value: quantity(transaction.value),
    input: transaction.data,
    ...Object.fromEntries(given.map(([name, value]) => [name, quantity(value as bigint)])),
    ...(type !== 0 && { accessList: accessList ?? [] }),
    ...(blobVersionedHashes && { blobVersionedHashes }),
    ...(authorizationList && {
      authorizationList: authorizationList.map(({ address, nonce, chainId, signature: { r, s, yParity } }) => ({
        ...{ chainId: quantity(chainId), address, nonce: quantity(nonce) },
        ...{ yParity: quantity(yParity), r: quantity(BigInt(r)), s: quantity(BigInt(s)) },
      })),
    }),
    v: quantity(type === 0 ? legacyV(transaction) : (signature?.yParity ?? 0)),
    ...(type !== 0 && { yParity: quantity(signature?.yParity ?? 0) }),
    r: quantity(BigInt(signature?.r ?? 0)),
    s: quantity(BigInt(signature?.s ?? 0)),
  }
}

/** EIP-155. */
function legacyV({ chainId, signature }: Transaction): bigint {
  const parity = BigInt(signature?.yParity ?? 0)
  return parity + (chainId === 0n ? 27n : chainId * 2n + 35n)
}
