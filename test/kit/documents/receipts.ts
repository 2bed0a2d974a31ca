// The rows of a project's receipts in all their states, with all that belongs to a receipt.
import { addressKey, chainKey, knownChains, transactionKey } from '../../../src/core/identity.ts'
import { messageTexts } from '../../../src/core/message-texts.ts'
import { add, moment, type World } from './projects.ts'
import { addSettlement } from './settlements.ts'
import type { Row } from './tables.ts'
import { oddTexts, sentinels } from './texts.ts'

const amounts = ['0', '1', '12.5', '100', '0.000000000000000001', '12345678901234567890.123456789012345678', '1e2']
const statuses = ['anchored', 'pending', 'awaiting_anchor', 'anchored', 'failed', 'anchored']

export function addReceipts(world: World, projectId: string, count: number): Row[] {
  const { random, wallets } = world
  const { uuid, hex, pick, chance } = random
  const maybe = <Value>(value: Value) => (chance(0.5) ? value : null)
  const receipts: Row[] = []
  for (let n = 0; n < count; n++) {
    const status = statuses[n % statuses.length] ?? ''
    const isSealed = status === 'anchored' || status === 'awaiting_anchor'
    const original = n % 4 === 3 ? receipts.find(({ status }) => status === 'anchored') : undefined
    const receipt: Row & { id: string } = {
      id: uuid(),
      project_id: projectId,
      tip_tx_hash: original && chance(0.5) ? original.tip_tx_hash : `0x${hex(32)}${chance(0.2) ? `#${n}` : ''}`,
      chain: pick(['base', 'Base', 'polygon', 'solana']),
      amount: pick(amounts),
      currency: pick(['USDC', 'FLR', 'o"d\\d']),
      sender_wallet: pick([...wallets, 'So1anaWa11et']),
      receiver_wallet: pick(wallets),
      reference: `${[...oddTexts, ...sentinels][n % (oddTexts.length + sentinels.length)]} ${n}`,
      resource_hash: maybe(`0x${hex(32)}`),
      callback_url: maybe(`https://shop.example/?a="b"&c='d'&${n}`),
      refund_of_id: original?.id ?? null,
      refund_reason: original ? pick(oddTexts) : null,
      refund_tx_hash: original ? maybe(`0x${hex(32)}`) : null,
      has_refund: false,
      refunded_amount: '0',
      status,
      failure_reason: status === 'failed' ? pick(oddTexts) : null,
      bundle_hash: isSealed ? `0x${hex(32)}` : null,
      bundle_cid: isSealed ? maybe('bafkreiexample') : null,
      ledger_txid: status === 'anchored' ? `0x${hex(32)}` : null,
      created_at: moment(n),
      anchored_at: status === 'anchored' ? moment(n + 7) : null,
      booked_at: status === 'anchored' ? moment(n + 7) : null,
    }
    receipts.push({ ...receipt, ...keysOf(receipt) })
    addParts(world, receipt, n)
    if (n % 5 !== 0) addSettlement(world, receipt, n)
    if (original) {
      original.has_refund = true
      original.refunded_amount = chance(0.5) ? original.amount : '0'
      addEvent(world, original, 'receipt.refunded', null, n)
    }
    add(world, 'fiat_equivalents', n % 3 === 0 ? [fiat(world, receipt.id, n)] : [])
    add(
      world,
      'compliance_checks',
      ['travel_rule', 'sanctions'].slice(0, n % 3).map(type => ({
        ...checkOf(world, type, n),
        receipt_id: receipt.id,
        payment_id: null,
      })),
    )
  }
  return add(world, 'receipts', receipts)
}

/** No trigger sets them. */
const keysOf = ({ chain, tip_tx_hash, refund_tx_hash, sender_wallet, receiver_wallet }: Row) => ({
  chain_key: chainKey(String(chain), knownChains),
  tx_key: transactionKey(String(refund_tx_hash ?? tip_tx_hash)),
  sender_key: addressKey(String(sender_wallet)),
  receiver_key: addressKey(String(receiver_wallet)),
  is_repeated: false,
})

export const checkOf = ({ random: { uuid, pick, chance } }: World, type: string, n: number): Row => ({
  id: uuid(),
  type,
  decision: pick(['allow', 'flag', 'deny', 'unavailable']),
  reason: chance(0.5) ? pick(oddTexts) : null,
  provider: pick(['none', 'example']),
  enforced: chance(0.5),
  checked_at: moment(n),
  retry_at: chance(0.3) ? moment(n + 4) : null,
})

const fiat = ({ random: { pick, chance } }: World, receiptId: string, n: number): Row => {
  const isKnown = chance(0.6)
  return {
    receipt_id: receiptId,
    state: isKnown ? 'known' : pick(['waiting', 'unknown', 'ambiguous', 'unavailable', 'too_large']),
    currency: 'EUR',
    rate_of: isKnown ? 'USDC' : null,
    amount: isKnown ? pick(['1.50', '0', '12', '0.000000000000000001', '7.10']) : null,
    rate: isKnown ? pick(['0.9', '1', '1.000']) : null,
    source: isKnown ? pick(oddTexts) : null,
    as_of: isKnown ? moment(n) : null,
  }
}

function addEvent(world: World, receipt: Row, type: string, status: string | null, n: number): void {
  const { id, project_id, bundle_hash, ledger_txid, anchored_at } = receipt
  const values = status === null ? {} : { bundle_hash, ledger_txid, anchored_at }
  const unset = { bundle_hash: null, ledger_txid: null, anchored_at: null, payment_id: null, endpoint_id: null }
  const number = (world.rows.events?.length ?? 0) + 1
  const event = { id: number, type, project_id, receipt_id: id, status, created_at: moment(n) }
  add(world, 'events', [{ ...event, ...unset, ...values }])
}

/** Adds the events, the files and the anchors of a receipt. */
function addParts(world: World, receipt: Row, n: number): void {
  const { uuid, hex, pick, chance } = world.random
  addEvent(world, receipt, 'receipt.pending', 'pending', n)
  if (receipt.status !== 'pending') addEvent(world, receipt, `receipt.${receipt.status}`, String(receipt.status), n + 1)
  const types = Object.keys(messageTexts).slice(0, receipt.bundle_hash === null ? 0 : n % 4)
  add(
    world,
    'artifacts',
    [...types, ...(types.length > 0 ? ['evidence'] : [])].map(type => ({
      id: uuid(),
      receipt_id: receipt.id,
      statement_id: null,
      type,
      version: `${type}.001.09`,
      name: type === 'evidence' ? 'evidence.zip' : `${type.replace('.', '')}.xml`,
      media_type: type === 'evidence' ? 'application/zip' : 'application/xml',
      sha256: world.rows.blobs?.[0]?.sha256,
      created_at: moment(n),
    })),
  )
  if (receipt.bundle_hash === null) return
  const transactions = world.rows.anchor_transactions ?? []
  add(
    world,
    'anchors',
    ['local', 'own'].slice(0, 1 + (n % 2)).map(chain => {
      const transaction = chance(0.7) ? pick(transactions) : null
      return {
        id: uuid(),
        receipt_id: receipt.id,
        agent_id: null,
        settlement_id: null,
        chain,
        bundle_hash: receipt.bundle_hash,
        state: transaction === null ? pick(['waiting', 'external']) : transaction.finality ? 'confirmed' : 'sent',
        transaction_id: transaction?.id ?? null,
        created_at: moment(n + Number(chance(0.5))),
      }
    }),
  )
  const agent = world.rows.agents?.find(({ project_id }) => project_id === receipt.project_id)
  if (n % 10 === 0 && agent) {
    const ofAgent = { id: uuid(), receipt_id: null, agent_id: agent.id, chain: 'local', bundle_hash: `0x${hex(32)}` }
    add(world, 'anchors', [{ ...ofAgent, state: 'waiting', transaction_id: null, created_at: moment(n) }])
  }
}
