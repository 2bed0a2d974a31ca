// The rows of checks of payments on their own chains, of comparisons of wallets, and of signatures of wallets.
import { settlementStatusNames } from '../../../src/core/settlement.ts'
import { add, moment, times, type World } from './projects.ts'
import type { Row } from './tables.ts'
import { oddTexts } from './texts.ts'

const amounts = ['0', '1', '12.5', '0.000000000000000001', '12345678901234567890.123456789012345678']
const assetId = 'eip155:8453/erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'

export function addSettlement(world: World, receipt: Row, n: number): void {
  const { hex, pick, chance } = world.random
  const status = pick(settlementStatusNames)
  const isFound = ['confirmed', 'mismatch', 'ambiguous', 'reverted', 'not_final'].includes(status)
  const isMatched = status === 'confirmed' || status === 'mismatch'
  const found = <Value>(value: Value) => (isFound ? value : null)
  const matched = <Value>(value: Value) => (isMatched ? value : null)
  const differences = [
    { field: 'amount', stated: '1', found: pick(amounts) },
    { field: 'currency', stated: pick(oddTexts), found: null },
  ]
  add(world, 'settlements', [
    {
      receipt_id: receipt.id,
      status,
      grade: isFound ? pick(['observed', 'proved']) : 'stated',
      checked_at: moment(n + 1),
      asset_id: chance(0.8) ? assetId : null,
      block_number: found(n === 5 ? '9223372036854775807' : String(n)),
      block_hash: found(`0x${hex(32)}`),
      block_time: found(moment(n)),
      sent_by: found(pick(world.wallets)),
      fee: found(pick(['0', '21000000000000', '99999999999999999999999'])),
      leg_index: matched(pick([0, 1, 77])),
      leg_from: matched(pick(world.wallets)),
      leg_to: matched(pick(world.wallets)),
      leg_amount: matched(pick(amounts)),
      legs: status === 'ambiguous' ? [1, 3] : [],
      differences: status === 'mismatch' ? differences : [],
      reason: status === 'unavailable' ? pick(oddTexts) : null,
      document: {},
      later: null,
      rebookings: 0,
      attempts: 1,
      retry_at: chance(0.4) ? moment(n + 9) : null,
    },
  ])
}

export function addWalletCoverages(world: World, projectId: string, receipts: readonly Row[], count: number): void {
  const { uuid, hex, pick, chance } = world.random
  for (let n = 0; n < count; n++) {
    const id = uuid()
    const isKnown = n % 4 !== 0
    const isDone = isKnown && chance(0.6)
    const hasFailed = !isDone && chance(0.5)
    const known = <Value>(value: Value) => (isKnown ? value : null)
    add(world, 'wallet_coverages', [
      {
        id,
        project_id: projectId,
        created_at: moment(n),
        wallet: pick(world.wallets),
        chain: pick(['base', 'Base']),
        currency: 'USDC',
        since: moment(0),
        until: moment(n),
        chain_key: 'eip155:8453',
        asset_id: assetId,
        decimals: 6,
        labels: ['USDC'],
        from_block: known('1'),
        to_block: known('9223372036854775807'),
        next_block: known(String(n)),
        as_of: known(moment(n)),
        span: 16,
        recorded_count: n,
        missing_count: n * 2,
        unknown_count: 1,
        recorded_amount: pick(amounts),
        missing_amount: pick(amounts),
        unknown_amount: pick(amounts),
        recorded_balance: pick(['-1.5', ...amounts]),
        chain_balance: isDone && chance(0.7) ? pick(amounts) : null,
        balance_difference: isDone && chance(0.7) ? pick(['-2', ...amounts]) : null,
        nodes_disagreed: n,
        failures: 0,
        failure_reason: hasFailed ? pick(oddTexts) : null,
        failed_at: hasFailed ? moment(n + 2) : null,
        finished_at: isDone ? moment(n + 2) : null,
        expires_at: moment(900),
      },
    ])
    add(
      world,
      'coverage_transfers',
      times(n % 5, row => {
        const status = pick(['missing', 'unknown'])
        return {
          id: (world.rows.coverage_transfers?.length ?? 0) + row + 1,
          coverage_id: id,
          status,
          transaction: `0x${hex(32)}`,
          log_index: status === 'missing' ? row : null,
          block_number: status === 'missing' ? String(row) : null,
          at: moment(row),
          from_wallet: pick(world.wallets),
          to_wallet: pick(world.wallets),
          amount: pick(amounts),
          receipt_id: status === 'unknown' ? pick(receipts).id : null,
        }
      }),
    )
  }
}

/** Adds the anchors of results that became known after their receipts were sealed. */
export function addSettlementAnchors(world: World): void {
  const { uuid, hex, pick } = world.random
  for (const [n, { receipt_id: settlement_id }] of (world.rows.settlements ?? []).entries()) {
    const bundle_hash = `0x${hex(32)}`
    const of = { receipt_id: null, agent_id: null, settlement_id, bundle_hash, transaction_id: null }
    add(
      world,
      'anchors',
      ['local', 'own'].slice(0, n % 3).map(chain => ({
        ...of,
        ...{ id: uuid(), chain, state: pick(['waiting', 'external']), created_at: moment(n) },
      })),
    )
  }
}

/** Returns the id of the signature by which a wallet was linked. */
export function addWalletProof(world: World, projectId: string, address: string, n: number): string {
  const { uuid, hex, pick } = world.random
  const id = uuid()
  const isContract = n % 2 === 1
  const isNonce = !isContract && n % 4 === 2
  add(world, 'wallet_proofs', [
    {
      id,
      project_id: projectId,
      address,
      kind: isNonce ? 'nonce' : 'eip4361',
      method: isContract ? pick(['eip1271', 'eip6492']) : 'eip191',
      message: isNonce ? hex(16) : `Sign ${pick(oddTexts)}`,
      signature: `0x${hex(65)}`,
      network: isContract ? 'eip155:8453' : null,
      block_number: isContract ? '2147483647' : null,
      block_hash: isContract ? `0x${hex(32)}` : null,
      created_at: moment(n),
    },
  ])
  return id
}
