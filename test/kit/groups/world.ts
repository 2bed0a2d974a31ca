// Receipts of two projects with all that groups and filters tell apart, around the changes of clocks.
import type pg from 'pg'
import { chainKey, knownChains } from '../../../src/core/identity.ts'
import { addUpCounters } from '../../../src/modules/receipts/counters.ts'
import { randomFrom } from '../documents/random.ts'
import type { Fact } from './oracle.ts'

const chains = [
  ['base', 'eip155:8453'],
  ['Base', 'eip155:8453'],
  ['eip155:8453', 'eip155:8453'],
  ['polygon', 'eip155:137'],
  ['Ein Netz', chainKey('Ein Netz', knownChains)],
] as const
const wallets = Array.from({ length: 6 }, (_, n) => `0x${'abcdef'.charAt(n).repeat(40)}`)
const spellings = [(wallet: string) => wallet, (wallet: string) => wallet.toUpperCase().replace('X', 'x')]
const statuses = ['pending', 'awaiting_anchor', 'anchored', 'anchored', 'anchored', 'failed']
const results = [null, null, 'confirmed', 'mismatch', 'not_final', 'not_found', 'confirmed'] as const
const decisions = ['allow', 'flag', 'deny', 'unavailable']
const transactions = ['included', 'safe', 'final', null].map((finality, n) => ({
  id: `00000000-0000-4000-8000-00000000010${n}`,
  txid: `0x${String(n + 1).repeat(64)}`,
  finality,
}))
/** By the finality of the block: states of anchors, with their status. */
const anchorsIn: Record<string, [state: string, status: string][]> = {
  none: [
    ['waiting', 'waiting'],
    ['external', 'external'],
    ['sent', 'sent'],
  ],
  included: [['sent', 'included']],
  safe: [['sent', 'safe']],
  final: [
    ['confirmed', 'final'],
    ['sent', 'safe'],
  ],
}
const files = ['pain.001', 'pain.002', 'evidence']
const words = ['order-', 'ORDER-', 'Счёт ', '注文-', '100%_', 'x\\y', 'café ']
// The clocks of Berlin, Havana, Cairo, Beirut, Lord Howe and New York change near these days.
const days = [
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-04-24',
  '2026-10-25',
  '2026-10-29',
  '2026-11-01',
  '2027-01-01',
]

export type World = { facts: Fact[]; agents: { id: string; projectId: string }[] }

/** Half of the receipts are written before the counters are added up, and half afterwards. */
export async function fillWorld(
  pool: pg.Pool,
  projects: readonly [string, string],
  count: number,
  seed: number,
): Promise<World> {
  const random = randomFrom(seed)
  const agents = projects.flatMap((projectId, p) =>
    [1, 2].map(n => ({ id: `00000000-0000-4000-8000-0000000000${p}${n}`, projectId, wallet: wallets[n - 1] ?? '' })),
  )
  for (const { id, projectId, wallet } of agents)
    await pool.query(
      `insert into agents (id, project_id, name, wallet_address, updated_at) values ($1, $2, 'agent', $3, now())`,
      [id, projectId, wallet],
    )
  for (const { id, txid, finality } of transactions)
    await pool.query(
      `insert into anchor_transactions (id, chain, contract, txid, state, finality) values ($1, 'local', '0xc', $2, 'confirmed', $3)`,
      [id, txid, finality],
    )
  await pool.query(`insert into blobs (sha256, size) values ('0xf', 1)`)
  const facts: Fact[] = []
  for (let n = 0; n < count; n++) {
    const projectId = random.pick([projects[0], projects[0], projects[0], projects[1]])
    const [chain, chainKey] = random.pick(chains)
    const day = Date.parse(`${random.pick(days)}T00:00Z`)
    const near = random.below(4 * 86_400_000) - 86_400_000
    const createdAt = random.chance(0.1) ? day + Math.floor(near / 3_600_000) * 3_600_000 : day + near
    const status = random.pick(statuses)
    const isAnchored = status === 'anchored'
    const anchoredAt = isAnchored ? createdAt + random.below(90_000) - 1_000 : null
    const payments = facts.filter(fact => fact.projectId === projectId && !fact.isRefund && Number(fact.amount) > 10)
    const refunded = random.chance(0.25) ? payments.at(-1) : undefined
    const [senderKey, receiverKey] = [random.pick(wallets), random.pick(wallets)]
    const proven = () => (isAnchored ? random.pick([true, false]) : null)
    const checks = random.chance(0.3) ? [] : [random.pick(decisions), random.pick(decisions)]
    const worst = ['deny', 'unavailable', 'flag', 'allow'].find(decision => checks.includes(decision))
    const fact: Fact = {
      id: `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`,
      ...{ projectId, chain, chainKey, network: chainKey.includes(':') ? chainKey : null },
      amount: refunded ? `0.${n + 1}` : `${n % 7}123456789012345.00000000000000000${1 + (n % 9)}`,
      currency: random.pick(['USDC', 'USDC', 'EURC', 'DAI', 'Ünit']),
      ...{
        sender: random.pick(spellings)(senderKey),
        senderKey,
        receiver: random.pick(spellings)(receiverKey),
        receiverKey,
      },
      reference: `${random.pick(words)}${n}`,
      ...{ status, isRefund: refunded !== undefined, isSettled: refunded === undefined || random.chance(0.6) },
      ...{ createdAt, anchoredAt, bookedAt: anchoredAt && anchoredAt + 5_000 },
      ...{ senderProven: proven(), receiverProven: proven(), decision: worst ?? 'unavailable' },
      agent: agents.find(agent => agent.projectId === projectId && agent.wallet === senderKey)?.id ?? null,
      bundleHash: status === 'pending' ? null : `0x${String(n).padStart(64, 'b')}`,
      anchorTx: isAnchored ? random.pick(transactions.slice(0, 3)).txid : null,
      hasRefund: false,
      anchors: [],
      artifacts: status === 'pending' ? [] : files.filter(() => random.chance(0.5)),
      payer: random.chance(0.2) ? random.pick(wallets) : null,
      settlementStatus: status === 'pending' ? null : (results[n % results.length] ?? null),
      fiat: random.chance(0.5) ? { currency: random.pick(['EUR', 'CHF']), amount: `${n}.25` } : null,
    }
    facts.push(fact)
    if (refunded) refunded.hasRefund = true
    const time = (at: number | null) => at && new Date(at)
    await pool.query(
      `insert into receipts (id, project_id, tip_tx_hash, chain, chain_key, amount, currency, sender_wallet, sender_key,
         receiver_wallet, receiver_key, reference, status, refund_of_id, refund_tx_hash, created_at, anchored_at, booked_at,
         sender_proven, receiver_proven, bundle_hash, ledger_txid, settlement_status)
       values ($1::uuid, $2, 'tx' || $1::text, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
      [
        ...[fact.id, projectId, chain, chainKey, fact.amount, fact.currency, fact.sender, senderKey],
        ...[fact.receiver, receiverKey, fact.reference, status, refunded?.id ?? null],
        ...[refunded && fact.isSettled ? `back ${n}` : null, time(createdAt), time(anchoredAt), time(fact.bookedAt)],
        ...[fact.senderProven, fact.receiverProven, fact.bundleHash, fact.anchorTx, fact.settlementStatus],
      ],
    )
    for (const [index, decision] of checks.entries())
      await pool.query(
        `insert into compliance_checks (id, receipt_id, type, decision, provider) values (gen_random_uuid(), $1, $2, $3, 'p')`,
        [fact.id, ['travel_rule', 'sanctions'][index], decision],
      )
    for (const chain of fact.bundleHash ? ['local', 'own'] : []) {
      const mined = chain === 'local' ? transactions.find(({ txid }) => txid === fact.anchorTx) : undefined
      const [state, anchorStatus] = random.pick(anchorsIn[mined?.finality ?? 'none'] ?? [])
      const transaction = mined ?? (state === 'sent' ? transactions.at(-1) : undefined)
      fact.anchors.push({ chain, status: anchorStatus })
      await pool.query(
        `insert into anchors (id, receipt_id, chain, bundle_hash, transaction_id, state) values (gen_random_uuid(), $1, $2, $3, $4, $5)`,
        [fact.id, chain, fact.bundleHash, transaction?.id, state],
      )
    }
    for (const type of fact.artifacts)
      await pool.query(
        `insert into artifacts (id, receipt_id, type, version, name, media_type, sha256)
         values (gen_random_uuid(), $1, $2, '1', $2, 'text/xml', '0xf')`,
        [fact.id, type],
      )
    if (fact.payer)
      await pool.query(
        `insert into payments (id, network, asset, payer, nonce, amount, currency, pay_to, endpoint, fingerprint, payload,
           project_id, status, since_block, receipt_id)
         values (gen_random_uuid(), 'n', 'a', $1, decode(md5($2::text), 'hex'), 1, 'X', '0x2',
           '/v1/x402/premium/fx-lookup', '\\x00', '{}', $3, 'settled', 0, $4)`,
        [fact.payer, n, projectId, fact.id],
      )
    if (fact.fiat)
      await pool.query(
        `insert into fiat_equivalents (receipt_id, state, currency, amount) values ($1, 'known', $2, $3)`,
        [fact.id, fact.fiat.currency, fact.fiat.amount],
      )
    if (n === Math.floor(count / 2)) await addUpCounters({ pool })
  }
  return { facts, agents }
}
