// The history of configurations: who changed what and when, page by page, without secrets, visible only to
// administrators of the project or the service.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adminKey, type Service, startService } from '../kit/service.ts'

let service: Service
let project: { id: string; key: string }
beforeAll(async () => {
  service = await startService({ ROLES: 'api', ALLOW_PRIVATE_TARGETS: 'true' })
  project = await service.api.project()
})
afterAll(() => service?.stop())

type Change = { path: string; before: string | null; after: string | null }
type Version = {
  version: number
  actor: { name: string } | null
  createdAt: string
  changes: Change[]
  omittedChanges: number
}

const fields = `totalCount nodes { version actor { name } createdAt changes { path before after } omittedChanges }
  edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`
const ofOrganisation = async (args = '') =>
  (await service.api.graphql(`{ organisationHistory${args} { ${fields} } }`, { key: adminKey })).data
    .organisationHistory
const ofProject = async (key = project.key, args = '') =>
  (await service.api.graphql(`{ me { project { id configHistory${args} { ${fields} } } } }`, { key })).data.me.project
    .configHistory
const putConfig = (body: object) => service.api.call('PUT', '/v1/config', { key: adminKey, body })
const putProject = (body: object, key = project.key) =>
  service.api.call('PUT', `/v1/projects/${project.id}/config`, { key, body })
const anchoring = { execution_mode: 'platform', chains: [] }
const changed = (path: string, before: unknown, after: unknown): Change => ({
  path,
  before: before === undefined ? null : JSON.stringify(before),
  after: after === undefined ? null : JSON.stringify(after),
})
const administrator = expect.stringMatching(/^admin:[0-9a-f]+$/)

it('the organisation’s history has each version with its author, its time, and its difference from the previous one', async () => {
  expect((await ofOrganisation()).nodes).toEqual([])
  const start = Date.now()
  const asset = { label: 'USDC', chain: null, currency: 'USD', dti: null }
  await putConfig({ org: { name: 'Acme' } })
  await putConfig({ org: { name: 'Acme AG' }, mapping: { assets: [asset] } })
  await putConfig({ org: { name: 'Acme AG' } })
  await putConfig({ org: { name: 'Acme AG' } })
  const { nodes, totalCount } = await ofOrganisation()
  expect([totalCount, (await ofOrganisation('(first: 1)')).totalCount]).toEqual([nodes.length, nodes.length])
  const versions: Version[] = nodes
  expect(versions.map(({ changes }) => changes)).toEqual([
    [],
    [changed('/mapping/assets/0', asset, undefined)],
    [changed('/org/name', 'Acme', 'Acme AG'), changed('/mapping/assets/0', undefined, asset)],
    [changed('/org/name', null, 'Acme')],
  ])
  for (const { actor, createdAt, omittedChanges } of versions) {
    expect([actor?.name, omittedChanges]).toEqual([administrator, 0])
    expect(new Date(createdAt).getTime()).toBeGreaterThanOrEqual(start - 1000)
  }
  expect(versions.map(({ version }) => version)).toEqual(
    versions.map(({ version }) => version).toSorted((a, b) => b - a),
  )
})

it('pages contain every version once, forwards and backwards; an invalid cursor is refused', async () => {
  const all: Version[] = (await ofOrganisation()).nodes
  const walk = async (next: (page: { startCursor: string; endCursor: string }) => string, first: string) => {
    const seen: Version[][] = []
    for (let args: string | null = first; args !== null; ) {
      const { nodes, pageInfo } = await ofOrganisation(args)
      seen.push(nodes)
      const more: boolean = args.includes('last') ? pageInfo.hasPreviousPage : pageInfo.hasNextPage
      args = more ? next(pageInfo) : null
    }
    return seen
  }
  const forwards = await walk(page => `(first: 3, after: "${page.endCursor}")`, '(first: 3)')
  expect(forwards.map(page => page.length)).toEqual([3, 1])
  expect(forwards.flat()).toEqual(all)
  const backwards = await walk(page => `(last: 3, before: "${page.startCursor}")`, '(last: 3)')
  expect(backwards.toReversed().flat()).toEqual(all)
  for (const cursor of ['x', '-1', '1 or 1=1', '99999999999']) {
    const query = `{ organisationHistory(after: "${cursor}") { nodes { version } } }`
    const { errors } = await service.api.graphql(query, { key: adminKey })
    expect(errors[0].extensions.code).toBe('validation_failed')
  }
})

it('the listed changes of a version are limited, and the rest is counted', async () => {
  const label = (index: number) => `${index}${'x'.repeat(250)}`
  const assets = Array.from({ length: 100 }, (_, index) => ({ label: label(index), currency: 'USD' }))
  await putConfig({ mapping: { assets } })
  const { nodes } = await ofOrganisation('(first: 1)')
  const [{ changes, omittedChanges }]: [Version] = nodes
  expect(changes.length + omittedChanges).toBe(101)
  expect(JSON.stringify(changes).length).toBeLessThan(25_000)
  expect(changes.length).toBeGreaterThan(10)
})

it('a project’s history has only its own versions, including administrators’ changes, and no node URL', async () => {
  const other = await service.api.project('Other')
  await service.api.call('PUT', `/v1/projects/${other.id}/config`, { key: other.key, body: { anchoring } })
  const { contract } = service.app.chains[0]
  const chains = (secret: string) => [{ name: 'mine', contract, rpc_url: `${service.localChain}/?key=${secret}` }]
  const tenant = (secret: string) => ({ anchoring: { execution_mode: 'tenant', chains: chains(secret) } })
  expect((await putProject(tenant('first-secret'))).status).toBe(200)
  expect((await putProject(tenant('second-secret'))).status).toBe(200)
  await putProject({ anchoring, parties: { creditor: { name: 'Shop AG' } }, fx_policy: { mode: 'none' } }, adminKey)
  const mark = 'mutation ($id: ID!) { markHouseProject(input: { projectId: $id, isHouse: true }) { project { id } } }'
  await service.api.graphql(mark, { key: adminKey, variables: { id: project.id } })
  const page = await ofProject()
  const versions: Version[] = page.nodes
  const [house, back, moved, first] = versions
  expect(versions).toHaveLength(4)
  expect(house).toMatchObject({ actor: { name: administrator }, changes: [changed('/isHouse', false, true)] })
  expect(back?.actor?.name).toEqual(administrator)
  expect(back?.changes).toContainEqual(changed('/parties/creditor/name', null, 'Shop AG'))
  expect(back?.changes).toContainEqual(changed('/fxPolicy/mode', 'organisation', 'none'))
  expect(first?.actor?.name).toMatch(/^key:/)
  expect(moved?.changes.map(({ path }) => path)).toEqual(['/anchoring/chains/0/rpcUrl'])
  expect(moved?.changes[0]?.after).toContain(new URL(service.localChain ?? '').origin)
  expect(JSON.stringify(page)).not.toMatch(/secret|\?key=/)
  expect((await ofProject(other.key)).nodes).toHaveLength(1)
})

it('keys that may not manage the project cannot read it', async () => {
  const writer = await service.api.key(project.key, 'project')
  const query = '{ projects { nodes { configHistory { nodes { version } } } } }'
  expect((await service.api.graphql(query, { key: writer })).errors[0].extensions.code).toBe('forbidden')
})
