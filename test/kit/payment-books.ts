// Compares the payments table with the chain. It reads both directly and uses none of the service's own reading, so
// that a mistake in that code cannot hide itself.
import { Interface, JsonRpcProvider, Transaction, zeroPadValue } from 'ethers'
import pg from 'pg'
import testDollar from '../../contracts/TestDollar.json' with { type: 'json' }
import { moves } from '../../src/modules/x402/states.ts'

/** The service must be idle, because database and chain are read one after the other. */
export type PaymentBooks = {
  databaseUrl: string
  rpcUrl: string
  /** The contract of the test dollar. */
  asset: string
  payTo: string
  /** The account that sends settlements and nothing else. */
  signer: string
  /** Transactions that moved money to `payTo` without a request to the service. */
  gifts?: readonly string[]
}

type Row = {
  id: string
  status: string
  payer: string
  nonce: string
  units: string
  txid: string | null
  signerNonce: number | null
  raw: string | null
  settles: number
  deliveries: number
}

const rowsSql = `select id, status, payer, '0x' || encode(nonce, 'hex') as nonce, trunc(amount * 1000000)::text as units, txid,
  signer_nonce::int as "signerNonce", raw_transaction as raw,
  (select count(*)::int from audit_events where object_id = p.id::text and action = 'payment.settle') as settles,
  (select count(*)::int from audit_events where object_id = p.id::text and action = 'payment.deliver') as deliveries
  from payments p where pay_to = $1`

const token = new Interface(testDollar.abi)
const topicOf = (name: string) => token.getEvent(name)?.topicHash ?? ''

type Life = { id: string; statuses: string[] }

const livesSql = `select payment_id as id, array_agg(replace(type, 'payment.', '') order by id) as statuses
  from events where payment_id is not null and type not in ('payment.recorded', 'payment.corrected') group by payment_id`

/** Returns the faults, one sentence each; empty when every payment is in the table once, and none is still open. */
export async function auditPayments(books: PaymentBooks): Promise<string[]> {
  const database = new pg.Client({ connectionString: books.databaseUrl })
  await database.connect()
  const node = new JsonRpcProvider(books.rpcUrl, 31337, { staticNetwork: true, cacheTimeout: -1 })
  try {
    const { rows } = await database.query<Row>(rowsSql, [books.payTo])
    const lives = await database.query<Life>(livesSql)
    return [
      ...ofRows(rows),
      ...ofMoves(lives.rows),
      ...(await ofMoney(rows, node, books)),
      ...(await ofNonces(rows, node, books)),
    ]
  } finally {
    node.destroy()
    await database.end()
  }
}

const isPaid = ({ status }: Row) => status === 'settled' || status === 'delivered'

function* ofRows(rows: Row[]): Generator<string> {
  for (const row of rows) {
    const { id, status, settles, deliveries } = row
    if (status === 'verified' || status === 'settling') yield `payment ${id} is left ${status}`
    const wasPaid = isPaid(row) || status === 'reversed'
    if (settles !== (wasPaid ? 1 : 0)) yield `payment ${id} is ${status}, and its audit tells of ${settles} settlements`
    if (status !== 'reversed' && deliveries !== (status === 'delivered' ? 1 : 0))
      yield `payment ${id} is ${status}, and its audit tells of ${deliveries} deliveries`
  }
}

/** Checks that payments made no moves but those of the table of moves. A deleted payment's last event is `dropped`. */
function* ofMoves(lives: Life[]): Generator<string> {
  const known = new Set(
    Object.values(moves).flatMap(({ from, to }) =>
      (from.length > 0 ? from : ['nothing']).map(status => `${status} → ${to ?? 'dropped'}`),
    ),
  )
  for (const { id, statuses } of lives) {
    for (const [index, status] of statuses.entries()) {
      const move = `${statuses[index - 1] ?? 'nothing'} → ${status}`
      if (!known.has(move)) yield `payment ${id} moved ${move} (${statuses.join(', ')})`
    }
  }
}

/** Checks that every transfer to us is one payment in the table, and every payment is one transfer. */
async function ofMoney(
  rows: Row[],
  node: JsonRpcProvider,
  { asset, payTo, gifts = [] }: PaymentBooks,
): Promise<string[]> {
  const search = { address: asset, fromBlock: 0, toBlock: 'latest' }
  const transfers = await node.getLogs({ ...search, topics: [topicOf('Transfer'), null, zeroPadValue(payTo, 32)] })
  const moved = transfers
    .filter(({ transactionHash }) => !gifts.includes(transactionHash))
    .map(({ transactionHash, topics: [, from = ''], data }) => `${transactionHash} 0x${from.slice(26)} ${BigInt(data)}`)
  const booked = rows.filter(isPaid).map(({ txid, payer, units }) => `${txid} ${payer} ${units}`)
  const faults = [
    ...without(moved, booked).map(line => `on chain and not in the book: ${line}`),
    ...without(booked, moved).map(line => `in the book and not on chain: ${line}`),
  ]
  const uses = await node.getLogs({ ...search, topics: [topicOf('AuthorizationUsed')] })
  for (const { id, payer, nonce, txid } of rows.filter(isPaid)) {
    const use = uses.find(({ topics }) => topics[1] === zeroPadValue(payer, 32) && topics[2] === nonce)
    if (use?.transactionHash !== txid)
      faults.push(`payment ${id} names ${txid}, and its authorization ${use?.transactionHash}`)
  }
  return faults
}

/** Returns `all` without one occurrence of each element of `others`. */
function without(all: readonly string[], others: readonly string[]): string[] {
  const left = [...all]
  for (const other of others) {
    const at = left.indexOf(other)
    if (at >= 0) left.splice(at, 1)
  }
  return left
}

/**
 * Checks that the signer's transactions are those of the payments table, with their nonces, and that none is pending.
 */
async function ofNonces(rows: Row[], node: JsonRpcProvider, { signer }: PaymentBooks): Promise<string[]> {
  const [mined, pending] = await Promise.all([
    node.getTransactionCount(signer, 'latest'),
    node.getTransactionCount(signer, 'pending'),
  ])
  const faults = pending === mined ? [] : [`${pending - mined} transactions of the settling account wait`]
  const sent = new Map<number, { hash: string; to: string; data: string }>()
  for (let block = await node.getBlock('latest', true); block !== null && block.number > 0; ) {
    for (const { hash, from, to, nonce, data } of block.prefetchedTransactions)
      if (from.toLowerCase() === signer) sent.set(nonce, { hash, to: `${to?.toLowerCase()}`, data })
    block = await node.getBlock(block.number - 1, true)
  }
  for (const { id, signerNonce, raw } of rows) {
    if (signerNonce === null || raw === null) continue
    const there = sent.get(signerNonce)
    sent.delete(signerNonce)
    if (there === undefined) faults.push(`nonce ${signerNonce}, of payment ${id}, is not mined`)
    else if (there.data !== Transaction.from(raw).data)
      faults.push(`nonce ${signerNonce}, of payment ${id}, is another transaction’s: ${there.hash}`)
  }
  for (const [nonce, { hash, to, data }] of sent) {
    // A reverted transaction is removed from the table when its payment starts again; a nonce gap is filled with an
    // empty transaction to the signer itself.
    const isFiller = to === signer && data === '0x'
    const receipt = await node.getTransactionReceipt(hash)
    if (!isFiller && receipt?.status !== 0) faults.push(`nonce ${nonce} was sent for no payment: ${hash}`)
  }
  return faults
}
