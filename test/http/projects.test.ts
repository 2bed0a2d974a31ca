// A project's configuration: checked against the chains that it names, visible to its own keys, and audited; and the
// audit trail itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminKey, type Service, startService } from '../kit/service.ts'

let open: Service
let guarded: Service
let project: { id: string; key: string }
let other: { id: string; key: string }

beforeAll(async () => {
  // The local chain acts as an untrusted node; the two services differ only in whether private addresses are allowed.
  open = await startService({ ALLOW_PRIVATE_TARGETS: 'true' })
  guarded = await startService({ DATABASE_URL: open.databaseUrl })
  project = await open.api.project('Own')
  other = await open.api.project('Another')
})
afterAll(async () => {
  await guarded.stop()
  await open.stop()
})

const path = () => `/v1/projects/${project.id}/config`
const get = (key: string | null, at = path()) => open.api.call('GET', at, key ? { key } : {})
const put = (anchoring: unknown, key: string | null = project.key, service = open) =>
  service.api.call('PUT', path(), { ...(key && { key }), body: { anchoring } })
const tenant = (chains: unknown[]) => ({ execution_mode: 'tenant', chains })
const contract = () => open.app.chains[0].contract
const nowhere = `0x${'12'.repeat(20)}`

describe('a project’s configuration', () => {
  it('is that of the service until it is changed', async () => {
    const nobody = { name: null, country: null, lei: null, wallets: [] }
    expect((await get(project.key)).json).toEqual({
      anchoring: { execution_mode: 'platform', chains: [] },
      parties: { initiator: nobody, debtor: nobody, creditor: nobody },
      fx_policy: { mode: 'organisation', base_ccy: null },
      time_zone: 'UTC',
    })
  })

  it('is stored as given, and returned', async () => {
    const explorer = 'https://explorer.example/'
    const { status, json } = await put(
      tenant([
        { name: 'local', contract: contract().toUpperCase().replace('0X', '0x'), explorer_base_url: explorer },
        { name: 'mine', rpc_url: open.localChain, contract: contract() },
      ]),
    )
    const chains = [
      { name: 'local', contract: contract(), rpc_url: null, explorer_base_url: explorer },
      { name: 'mine', contract: contract(), rpc_url: open.localChain, explorer_base_url: null },
    ]
    expect([status, json.anchoring]).toEqual([200, { execution_mode: 'tenant', chains }])
    expect((await get(project.key)).json).toEqual(json)
  })

  it('shows node URLs, which often contain a secret, to keys that may manage the project only', async () => {
    const viewer = await open.api.key(project.key, 'viewer')
    const { json } = await get(viewer)
    expect(json.anchoring.chains[1]).toMatchObject({ name: 'mine', rpc_url: null })
  })

  it('keeps the stated names when a client that does not know them changes the anchoring', async () => {
    const wallets = [
      { address: '0xAbC', chain: null },
      { address: 'eip155:1:0x12', chain: 'Base' },
    ]
    const parties = { creditor: { name: 'Shop AG', country: 'CH', wallets } }
    const body = { anchoring: { execution_mode: 'platform', chains: [] }, parties }
    const { json } = await open.api.call('PUT', path(), { key: project.key, body })
    expect(json.parties.creditor).toEqual({ name: 'Shop AG', country: 'CH', lei: null, wallets })
    await put({ execution_mode: 'platform', chains: [] })
    expect((await get(project.key)).json.parties).toEqual(json.parties)
    const cleared = await open.api.call('PUT', path(), { key: project.key, body: { ...body, parties: {} } })
    expect(cleared.json.parties.creditor.name).toBeNull()
  })

  const listed = `0x${'ab'.repeat(20)}`
  const prefixed = `EIP155:8453:0x${'AB'.repeat(20)}`
  it.each<[string, object, (string | number)[]]>([
    ['for two parties', { debtor: [{ address: listed }], creditor: [{ address: listed }] }, ['creditor', 'wallets', 0]],
    [
      'in another notation',
      { initiator: [{ address: prefixed }], debtor: [{ address: '0x1' }, { address: listed }] },
      ['debtor', 'wallets', 1],
    ],
    [
      'on a chain, and on every chain',
      { debtor: [{ address: listed, chain: 'base' }], creditor: [{ address: listed }] },
      ['creditor', 'wallets', 0],
    ],
    [
      'on a chain by two names',
      { debtor: [{ address: listed, chain: 'base' }], creditor: [{ address: listed, chain: 'eip155:8453' }] },
      ['creditor', 'wallets', 0],
    ],
    [
      'that is the zero address',
      { creditor: [{ address: `0x${'0'.repeat(40)}` }] },
      ['creditor', 'wallets', 0, 'address'],
    ],
    ['that is empty', { creditor: [{ address: ' ' }] }, ['creditor', 'wallets', 0, 'address']],
  ])('refuses a wallet %s, and names the member', async (_, wallets, member) => {
    const named = Object.entries(wallets).map(([party, list]) => [party, { name: party, wallets: list }])
    const body = { anchoring: { execution_mode: 'platform', chains: [] }, parties: Object.fromEntries(named) }
    const { status, json } = await open.api.call('PUT', path(), { key: project.key, body })
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'parties', ...member]])
  })

  it('takes one wallet for two parties on two chains, and refuses wallets of nobody', async () => {
    const put = (parties: object) =>
      open.api.call('PUT', path(), {
        key: project.key,
        body: { anchoring: { execution_mode: 'platform', chains: [] }, parties },
      })
    const on = (name: string, chain: string) => ({ name, wallets: [{ address: listed, chain }] })
    expect((await put({ debtor: on('A', 'base'), creditor: on('B', 'polygon') })).status).toBe(200)
    const nobodys = await put({ creditor: { wallets: [{ address: listed }] } })
    expect([nobodys.status, nobodys.json.detail[0].loc]).toEqual([422, ['body', 'parties', 'creditor', 'wallets']])
    expect((await put({})).status).toBe(200)
  })

  it.each<[string, unknown, (string | number)[]]>([
    ['a mode that is none', { execution_mode: 'both', chains: [] }, ['anchoring', 'execution_mode']],
    ['no mode', { chains: [] }, ['anchoring', 'execution_mode']],
    ['a chain nobody knows', tenant([{ name: 'moon' }]), ['anchoring', 'chains', 0, 'name']],
    [
      'a node of a chain the service knows',
      tenant([{ name: 'local', rpc_url: 'https://x.example' }]),
      ['anchoring', 'chains', 0, 'rpc_url'],
    ],
    ['an address without code', tenant([{ name: 'local', contract: nowhere }]), ['anchoring', 'chains', 0, 'contract']],
    ['an address that is none', tenant([{ name: 'local', contract: '0x12' }]), ['anchoring', 'chains', 0, 'contract']],
    [
      'an rpc url that is none',
      tenant([{ name: 'mine', rpc_url: 'file:///etc/passwd' }]),
      ['anchoring', 'chains', 0, 'rpc_url'],
    ],
    [
      'a node that does not answer',
      tenant([{ name: 'mine', contract: nowhere, rpc_url: 'http://127.0.0.1:1' }]),
      ['anchoring', 'chains', 0, 'rpc_url'],
    ],
    [
      'a chain of one’s own without contract',
      tenant([{ name: 'mine', rpc_url: 'http://127.0.0.1:1' }]),
      ['anchoring', 'chains', 0, 'contract'],
    ],
    ['an unknown member', tenant([{ name: 'local', color: 'red' }]), ['anchoring', 'chains', 0, 'color']],
    ['a chain named twice', tenant([{ name: 'local' }, { name: 'local' }]), ['anchoring', 'chains']],
  ])('refuses %s and changes nothing', async (_, anchoring, loc) => {
    const before = (await get(project.key)).json
    const { status, json } = await put(anchoring)
    expect([status, json.detail[0].loc]).toEqual([422, ['body', ...loc]])
    expect((await get(project.key)).json).toEqual(before)
  })

  it.each(['Base', 'eip155:14'])('refuses a node of another chain than the name %s says', async name => {
    const { status, json } = await put(tenant([{ name, contract: contract(), rpc_url: open.localChain }]))
    expect([status, json.detail]).toEqual([
      422,
      [
        expect.objectContaining({
          loc: ['body', 'anchoring', 'chains', 0, 'rpc_url'],
          msg: expect.stringMatching(/another chain/),
        }),
      ],
    ])
    expect((await put(tenant([{ name: '31337', contract: contract(), rpc_url: open.localChain }]))).status).toBe(200)
  })

  it('does not make the service connect to its private network', async () => {
    const { status, json } = await put(
      tenant([{ name: 'mine', rpc_url: open.localChain, contract: contract() }]),
      project.key,
      guarded,
    )
    expect([status, json.detail[0].loc.at(-1)]).toEqual([422, 'rpc_url'])
  })

  it('is for the project’s own administrators and service administrators; another’s looks absent', async () => {
    const writer = await open.api.key(project.key, 'project')
    const body = { execution_mode: 'platform', chains: [] }
    expect((await put(body, null)).status).toBe(401)
    expect((await put(body, writer)).status).toBe(403)
    expect((await put(body, other.key)).status).toBe(404)
    expect((await put(body, adminKey)).status).toBe(200)
    expect((await get(null)).status).toBe(401)
    expect((await get(other.key)).status).toBe(404)
    expect((await get(writer)).status).toBe(200)
    expect((await get(adminKey, '/v1/projects/00000000-0000-4000-8000-000000000000/config')).status).toBe(404)
  })
})

it('a project keeps a lasting administrator key: one that will expire does not count', async () => {
  const { key } = await open.api.project('Last')
  const create =
    'mutation ($at: DateTime) { createApiKey(input: { label: "x", role: PROJECT_ADMIN, expiresAt: $at }) { key } }'
  const at = new Date(Date.now() + 60_000).toISOString()
  await open.api.graphql(create, { key, variables: { at } })
  const first = (await open.api.call('GET', '/v1/auth/api-keys', { key })).json.at(-1)
  const revoke = () => open.api.call('DELETE', `/v1/auth/api-keys/${first.id}`, { key })
  expect((await revoke()).json.detail).toBe('last_admin_key')
  await open.api.graphql(create, { key, variables: { at: null } })
  expect((await revoke()).status).toBe(200)
})

describe('tenant mode', () => {
  it('leaves the anchors to the project: its receipts are sealed and wait, and the service never anchors them', async () => {
    const tenantProject = await open.api.project('Tenant')
    const set = await open.api.call('PUT', `/v1/projects/${tenantProject.id}/config`, {
      key: tenantProject.key,
      body: { anchoring: tenant([{ name: 'local' }]) },
    })
    expect(set.status).toBe(200)
    const { json } = await open.api.record(tenantProject.key)
    // Another project's later receipt is anchored, so the service could have anchored the first one too.
    const next = await open.api.record(other.key)
    await open.api.anchored(next.json.receipt_id)
    const { data } = await open.api.graphql(
      'query ($id: ID!) { receipt(id: $id) { status bundleHash anchors { chain status anchorTx } } }',
      {
        key: tenantProject.key,
        variables: { id: json.receipt_id },
      },
    )
    expect(data.receipt).toEqual({
      status: 'AWAITING_ANCHOR',
      bundleHash: expect.any(String),
      anchors: [{ chain: 'local', status: 'EXTERNAL', anchorTx: null }],
    })
    expect(await open.app.chains[0].findAnchor(data.receipt.bundleHash)).toEqual([])
  })
})

describe('the audit trail', () => {
  const events = async (query: string, key: string | null = project.key) =>
    open.api.call('GET', `/v1/audit/events${query}`, key ? { key } : {})

  it('shows each action with its actor, newest first, to the own project', async () => {
    const { json } = await events('?action=project.configure')
    expect(json[0]).toEqual({
      id: expect.any(String),
      action: 'project.configure',
      object_type: 'project',
      object_id: project.id,
      project_id: project.id,
      actor: expect.stringMatching(/^admin:/),
      created_at: expect.any(String),
      details: { execution_mode: 'platform', chains: [] },
    })
    const all = (await events('')).json as { project_id: string }[]
    expect(new Set(all.map(({ project_id }) => project_id))).toEqual(new Set([project.id]))
  })

  it('is filtered by action, object and time', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const count = async (query: string) => ((await events(query)).json as unknown[]).length
    expect(
      await count(`?object_type=project&object_id=${project.id}&date_from=${today}&date_to=${today}`),
    ).toBeGreaterThan(1)
    expect(await count('?date_to=2020-01-01')).toBe(0)
    expect(await count('?object_id=nothing')).toBe(0)
    expect(await count('?limit=1')).toBe(1)
    const [first, second] = (await events('?limit=2')).json
    expect((await events('?limit=1&offset=1')).json).toEqual([second])
    expect(Number(first.id)).toBeGreaterThan(Number(second.id))
  })

  it.each([
    '?limit=0',
    '?limit=201',
    '?offset=-1',
    '?date_from=yesterday',
    '?date_from=2026-02-02&date_to=2026-01-01T00:00:00Z',
    '?who=me',
  ])('refuses %s', async query => {
    expect((await events(query)).status).toBe(422)
  })

  it('needs a key; an administrator sees every project’s and the service’s', async () => {
    expect((await events('', null)).status).toBe(401)
    const viewer = await open.api.key(project.key, 'viewer')
    expect((await events('', viewer)).status).toBe(200)
    const seen = (await events('?limit=200', adminKey)).json as { project_id: string | null }[]
    expect(new Set(seen.map(({ project_id }) => project_id)).size).toBeGreaterThan(1)
  })

  it('is also a connection, and its hash chain is intact', async () => {
    const query = `{ auditTrail(first: 2) { nodes { action seq hash } pageInfo { hasNextPage } } auditChain { rows fault } }`
    const { data } = await open.api.graphql(query, { key: project.key })
    expect(data.auditTrail.nodes).toHaveLength(2)
    expect(data.auditTrail.pageInfo.hasNextPage).toBe(true)
    expect(data.auditChain).toEqual({ rows: Number(data.auditTrail.nodes[0].seq), fault: null })
  })
})
