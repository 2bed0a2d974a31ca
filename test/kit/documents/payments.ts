// The rows of what is about receipts and beside them: payments, statements, webhooks and anchor transactions.
import { endpoints } from '../../../src/modules/x402/endpoints.ts'
import { add, moment, type World } from './projects.ts'
import { checkOf } from './receipts.ts'
import type { Row } from './tables.ts'
import { oddTexts } from './texts.ts'

const paths = [...Object.values(endpoints).map(({ path }) => path), '/v1/x402/premium/not-sold-any-more']
const times = (count: number, row: (n: number) => Row): Row[] => Array.from({ length: count }, (_, n) => row(n))

export function addPayments(world: World, projectId: string | null, receipts: readonly Row[], count: number): void {
  const { uuid, hex, pick, chance } = world.random
  for (let n = 0; n < count; n++) {
    const status = pick(['verified', 'settling', 'settled', 'delivered', 'delivered', 'failed'])
    const isSettled = status === 'settled' || status === 'delivered'
    const id = uuid()
    add(world, 'payments', [
      {
        id,
        network: pick(['eip155:31337', 'eip155:8453']),
        asset: `0x${hex(20)}`,
        payer: pick(world.wallets),
        nonce: `\\x${hex(32)}`,
        amount: pick(['0.001', '0.005', '20']),
        currency: pick(['USDC', 'TEST']),
        pay_to: `0x${hex(20)}`,
        endpoint: pick(paths),
        fingerprint: '\\x00',
        payload: {},
        project_id: projectId,
        status,
        failure_reason: status === 'failed' ? pick(oddTexts) : null,
        since_block: 1,
        txid: status === 'verified' ? null : `0x${hex(32)}`,
        verified_at: moment(n),
        settled_at: isSettled ? moment(n + 1) : null,
        delivered_at: status === 'delivered' ? moment(n + 2) : null,
        receipt_id: isSettled && receipts.length > 0 && chance(0.6) ? pick(receipts).id : null,
        record_failure: chance(0.2) ? pick(oddTexts) : null,
      },
    ])
    const types = ['travel_rule', 'sanctions'].slice(0, n % 3)
    add(
      world,
      'compliance_checks',
      types.map(type => ({ ...checkOf(world, type, n), receipt_id: null, payment_id: id })),
    )
  }
}

export function addStatements(world: World, projectId: string | null, count: number): void {
  const { uuid } = world.random
  for (let n = 0; n < count; n++) {
    const id = uuid()
    const from = Date.UTC(2026, 1, 1 + Math.floor(n / 2))
    const isDay = n % 3 !== 0
    add(world, 'statements', [
      {
        id,
        project_id: projectId,
        wallet: projectId === null ? world.wallets[0] : null,
        type: isDay ? 'camt.053' : 'camt.052',
        from: new Date(from).toISOString(),
        to: new Date(from + (isDay ? 86_400_000 : 3_600_000)).toISOString(),
        count: n,
        created_at: moment(400 + n),
      },
    ])
    add(
      world,
      'artifacts',
      times(1 + (n % 2), page => ({
        id: uuid(),
        receipt_id: null,
        statement_id: id,
        type: isDay ? 'camt.053' : 'camt.052',
        version: 'camt.053.001.08',
        name: `statement-${page + 1}.xml`,
        media_type: 'application/xml',
        sha256: world.rows.blobs?.[0]?.sha256,
        created_at: moment(n),
      })),
    )
  }
}

export function addWebhooks(world: World, projectId: string, count: number): void {
  const { uuid, pick, chance } = world.random
  const maybe = <Value>(value: Value) => (chance(0.5) ? value : null)
  const endpointRows = times(count, n => ({
    id: uuid(),
    project_id: projectId,
    url: `https://hooks.example/${n}?'"`,
    description: pick(oddTexts),
    event_types: n % 2 ? ['receipt.anchored'] : ['receipt.failed', 'payment.settled'],
    disabled_at: n === 2 ? moment(n) : null,
    disabled_reason: n === 2 ? 'gone' : null,
    failing_since: maybe(moment(n)),
    created_at: moment(n),
    updated_at: moment(n + 1),
    deleted_at: n === 1 ? moment(n + 2) : null,
  }))
  add(world, 'webhook_endpoints', endpointRows)
  const events = (world.rows.events ?? []).filter(({ project_id }) => project_id === projectId).slice(0, count * 5)
  for (const [n, { id: event_id, receipt_id }] of events.entries()) {
    const id = (world.rows.webhook_deliveries?.length ?? 0) + 1
    const endpoint = n % 4 === 0 ? null : pick(endpointRows)
    const isOpen = chance(0.3)
    add(world, 'webhook_deliveries', [
      {
        id,
        project_id: projectId,
        event_id,
        endpoint_id: endpoint?.id ?? null,
        url: endpoint === null ? 'https://shop.example/callback' : null,
        receipt_id,
        lane: uuid(),
        state: isOpen ? 'waiting' : pick(['delivered', 'failed', 'gone', 'cancelled']),
        attempts: n % 4,
        next_attempt_at: isOpen ? moment(n) : null,
        created_at: moment(n),
        finished_at: isOpen ? null : moment(n + 1),
      },
    ])
    add(
      world,
      'webhook_attempts',
      times(n % 4, number => ({
        delivery_id: id,
        number: number + 1,
        started_at: moment(n),
        duration_ms: maybe(12),
        status_code: maybe(500),
        error: maybe('timeout'),
        answer_start: maybe(pick(oddTexts)),
      })),
    )
  }
}

/** `projects`: those whose own transactions are among them. */
export function addTransactions(world: World, projects: readonly string[]): void {
  const { uuid, hex, chance } = world.random
  const rows = times(12, n => {
    const isMined = n % 3 !== 0
    const finality = isMined ? ['included', 'safe', 'final'][n % 3] : null
    const isOwn = n % 4 === 3
    return {
      id: uuid(),
      project_id: isOwn ? projects[n % projects.length] : null,
      chain: n % 2 ? 'local' : 'own',
      contract: `0x${hex(20)}`,
      signer: isOwn ? null : `0xAb${hex(19)}`,
      sender: isOwn && chance(0.7) ? `0x${hex(20)}` : null,
      nonce: isOwn ? null : String(9_007_199_254_740_993n + BigInt(n)),
      txid: `0x${hex(32)}`,
      state: finality === 'final' ? 'confirmed' : n === 4 ? 'reverted' : 'signed',
      finality,
      block_number: isMined ? 1_000 + n : null,
      block_hash: isMined ? `0x${hex(32)}` : null,
      block_time: isMined ? moment(n) : null,
      created_at: moment(n),
    }
  })
  add(world, 'anchor_transactions', rows)
  add(
    world,
    'anchor_attempts',
    rows
      .filter(({ signer }) => signer !== null)
      .map(({ txid, id }) => ({
        txid,
        transaction_id: id,
        raw_transaction: '0x00',
        max_fee_per_gas: '123456789012345678901',
        created_at: moment(1),
      })),
  )
}
