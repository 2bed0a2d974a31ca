// The rows of payments, statements and anchor transactions.
import { endpoints } from '../../../src/modules/x402/endpoints.ts'
import { add, moment, times, type World } from './projects.ts'
import { checkOf } from './receipts.ts'
import type { Row } from './tables.ts'
import { oddTexts } from './texts.ts'

const paths = [...Object.values(endpoints).map(({ path }) => path), '/v1/x402/premium/not-sold-any-more']

export function addPayments(world: World, projectId: string | null, receipts: readonly Row[], count: number): void {
  const { uuid, hex, pick, chance } = world.random
  for (let n = 0; n < count; n++) {
    const status = pick(['verified', 'settling', 'settled', 'delivered', 'delivered', 'failed', 'reversed'])
    const isSettled = status === 'settled' || status === 'delivered' || status === 'reversed'
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
        failure_reason: status === 'failed' || status === 'reversed' ? pick(oddTexts) : null,
        since_block: 1,
        txid: status === 'verified' ? null : `0x${hex(32)}`,
        verified_at: moment(n),
        settled_at: isSettled ? moment(n + 1) : null,
        delivered_at: status === 'delivered' ? moment(n + 2) : null,
        final_at: isSettled && chance(0.5) ? moment(n + 3) : null,
        reversed_at: status === 'reversed' ? moment(n + 3) : null,
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

const accountOf = (world: World, project_id: string | null, id: string, n: number) => ({
  id,
  project_id,
  wallet_key: `key ${n}`,
  chain_key: 'eip155:8453',
  currency: 'USDC',
  wallet: world.wallets[0],
  chain: 'base',
  since: moment(n),
  last_number: 1,
  balance: '-1.5',
})

export function addStatements(world: World, projectId: string | null, receipts: readonly Row[], count: number): void {
  const { uuid } = world.random
  for (let n = 0; n < count; n++) {
    const id = uuid()
    const from = Date.UTC(2026, 1, 1 + Math.floor(n / 2))
    const isDay = n % 3 !== 0
    const isNumbered = projectId !== null && n % 4 === 1
    const account = isNumbered ? uuid() : null
    if (account !== null) add(world, 'statement_accounts', [accountOf(world, projectId, account, n)])
    add(world, 'statements', [
      {
        id,
        kind: isNumbered ? 'series' : isDay ? 'copy' : 'provisional',
        day: new Date(from).toISOString().slice(0, 10),
        window: isDay ? '00:00-23:59' : '00:00-00:59',
        account_id: account,
        number: isNumbered ? 1 : null,
        opening: isNumbered ? '0' : null,
        closing: isNumbered ? '-1.5' : null,
        closing_block: isNumbered && n % 8 !== 1 ? '9223372036854775807' : null,
        chain_balance: isNumbered && n % 8 !== 1 ? '12345678901234567890.000000000000000001' : null,
        balance_difference: isNumbered && n % 8 !== 1 ? '-0.5' : null,
        // One is not written yet, and in no list.
        status: isNumbered ? (n % 8 === 1 ? 'pending' : 'awaiting_anchor') : null,
        bundle_hash: isNumbered && n % 8 !== 1 ? `0x${'5e'.repeat(32)}` : null,
        project_id: projectId,
        wallet: projectId === null ? world.wallets[0] : null,
        type: isDay ? 'camt.053' : 'camt.052',
        from: new Date(from).toISOString(),
        to: new Date(from + (isDay ? 86_400_000 : 3_600_000)).toISOString(),
        count: n,
        created_at: moment(400 + n),
      },
    ])
    if (isNumbered) {
      const entered = receipts.slice(n * 3, n * 3 + 12)
      const entry = { statement_id: id, booked_at: moment(n) }
      add(
        world,
        'statement_entries',
        entered.map(receipt => ({ ...entry, receipt_id: receipt.id, side: n % 8 === 1 ? 'DBIT' : 'CRDT' })),
      )
    }
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
