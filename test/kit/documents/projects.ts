// The rows of projects, and of all that belongs to a project beside its receipts.
import type { Random } from './random.ts'
import { addWalletProof } from './settlements.ts'
import type { Row, Rows } from './tables.ts'
import { oddTexts } from './texts.ts'

const start = Date.UTC(2026, 1, 1)
/** Several rows have the same time. */
export const moment = (n: number): string => new Date(start + Math.floor(n / 3) * 5_400_123).toISOString()

// Members that JavaScript, PostgreSQL and JSON texts order and write in different ways.
const oddMembers = `{"b":1e21,"10":-0.0,"2":1.50,"a":1e-7,"":12345678901234567890,"\\f\\u2028":"\\f\\"\\\\","__proto__":{"x":true}}`

export const times = (count: number, row: (n: number) => Row): Row[] => Array.from({ length: count }, (_, n) => row(n))

export type World = { random: Random; projects: readonly string[]; wallets: readonly string[]; rows: Rows }

/** Adds rows to a table. */
export const add = ({ rows }: World, table: string, members: Row[]): Row[] => {
  rows[table] = [...(rows[table] ?? []), ...members]
  return members
}

/** `large`: how many rows the project has, of each kind. */
export function addProject(world: World, id: string, large: number): void {
  const { random, wallets } = world
  const { uuid, hex, pick, chance } = random
  const maybe = <Value>(value: Value) => (chance(0.5) ? value : null)
  const number = world.rows.projects?.length ?? 0
  add(world, 'projects', [
    {
      id,
      name: `Project ${number} ${pick(oddTexts)}`,
      owner_wallet: number === 0 ? `0x${hex(20)}` : null,
      created_at: moment(number),
      config_version: number + 1,
    },
  ])
  const chains = [
    { name: 'local', contract: null, rpcUrl: null, explorerBaseUrl: 'https://scan.example/' },
    { name: 'own', contract: `0x${hex(20)}`, rpcUrl: 'https://node.example/secret', explorerBaseUrl: null },
  ]
  const config = { anchoring: { executionMode: number === 0 ? 'tenant' : 'platform', chains } }
  const version = { project_id: id, config, is_house: number === 1, actor: 'admin:1', created_at: moment(number) }
  add(world, 'project_configs', [{ version: number + 1, ...version }])
  const keys = add(
    world,
    'api_keys',
    times(large, n => ({
      id: uuid(),
      project_id: id,
      label: pick(oddTexts),
      role: pick(['project_admin', 'project', 'viewer']),
      key_hash: `\\x${hex(32)}`,
      created_at: moment(n),
      last_used_at: maybe(moment(n + 9)),
      expires_at: maybe(moment(n + 900)),
      revoked_at: chance(0.3) ? moment(n + 20) : null,
    })),
  )
  add(
    world,
    'sessions',
    times(large, n => ({
      id: uuid(),
      project_id: id,
      role: pick(['project_admin', 'project', 'viewer']),
      api_key_id: maybe(pick(keys).id),
      wallet: maybe(pick(wallets)),
      token_hash: `\\x${hex(32)}`,
      created_at: moment(n),
      expires_at: '2099-01-01T00:00:00Z',
      revoked_at: maybe(moment(n + 1)),
    })),
  )
  add(
    world,
    'linked_wallets',
    wallets.slice(0, large).map((address, n) => ({
      id: uuid(),
      project_id: id,
      address,
      created_at: moment(n),
      proof_id: n === 0 ? null : addWalletProof(world, id, address, n),
    })),
  )
  add(
    world,
    'agents',
    times(large, n => ({
      id: uuid(),
      project_id: id,
      name: pick(oddTexts),
      wallet_address: pick(wallets),
      xmtp_address: maybe(pick(wallets)),
      status: pick(['active', 'paused', 'disabled']),
      max_per_call: maybe('0.500000000000000000'),
      max_per_day: maybe('1e3'),
      auto_anchor_enabled: chance(0.5),
      ai_mode: pick(['simple', 'shared', 'custom']),
      ai_provider: maybe('openai'),
      ai_model: maybe('small'),
      ai_endpoint: maybe('https://models.example/v1'),
      anchor_wallet: maybe(pick(wallets)),
      ai_system_prompt: maybe(pick(oddTexts)),
      created_at: moment(n),
      updated_at: moment(n + 2),
      deleted_at: n === 1 ? moment(n + 3) : null,
    })),
  )
  add(
    world,
    'exports',
    times(large, n => ({
      id: uuid(),
      project_id: id,
      kind: pick(['receipts', 'payments']),
      format: pick(['csv', 'jsonl']),
      filter: {},
      created_at: moment(n),
      finished_at: maybe(moment(n + 1)),
      expires_at: '2099-01-01T00:00:00Z',
      row_count: n,
      secret: `\\x${hex(32)}`,
    })),
  )
  add(
    world,
    'audit_events',
    times(large * 3, n => ({
      id: (world.rows.audit_events?.length ?? 0) + n + 1,
      action: pick(['receipt.record', 'key.create', 'webhook_endpoint.update']),
      object_type: pick(['receipt', 'api_key']),
      object_id: uuid(),
      project_id: id,
      actor: pick(['worker', 'public', `key:${id}`]),
      details: { text: pick(oddTexts), n, nested: { list: [1, null, '\t'] }, ...JSON.parse(oddMembers) },
      created_at: moment(n),
      seq: n + 1,
      hash: `\\x${hex(32)}`,
    })),
  )
  add(
    world,
    'assistant_exchanges',
    times(large, n => ({
      id: uuid(),
      project_id: id,
      principal: `key:${id}`,
      session: pick(['first', 'second']),
      question: pick(oddTexts),
      reply: pick(oddTexts),
      used_tools: [{ tool: 'receipt', ok: true, receiptIds: [uuid()] }],
      created_at: moment(n),
    })),
  )
}
