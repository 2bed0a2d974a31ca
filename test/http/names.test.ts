// The names in signed evidence: those that the project stated, and the organisation's names only in its own projects.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readManifest } from '../../src/modules/evidence/manifest.ts'
import { readZip } from '../../src/modules/evidence/zip.ts'
import { messagePage } from '../../src/modules/pages/page.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { messageText, newWallet } from '../kit/sign-in.ts'

let service: Service

beforeAll(async () => {
  service = await startService()
  const acme = { name: 'Acme Ltd', country: 'DE', lei: '529900T8BM49AURSDO55' }
  const body = {
    org: { name: 'Acme Group', jurisdiction: 'DE' },
    mapping: { creditor_defaults: acme, debtor_defaults: { name: 'Customer of Acme' } },
  }
  expect((await service.api.call('PUT', '/v1/config', { key: adminKey, body })).status).toBe(200)
})
afterAll(() => service.stop())

/** Registers a project with a new wallet, and returns its first key. */
async function registered() {
  const wallet = newWallet()
  const { nonce, domain } = (await service.api.call('GET', '/v1/auth/nonce')).json
  const message = messageText({ domain, address: wallet.address, uri: service.base, nonce })
  const body = { name: 'Acme', message, signature: await wallet.signMessage(message) }
  const { json } = await service.api.call('POST', '/v1/projects/register', { body })
  return { project: json.project.id, key: json.api_key, owner: wallet.address.toLowerCase() }
}

const generated = ['PACS_002', 'PACS_008', 'REMT_001', 'CAMT_056', 'PAIN_008'] as const

/** Returns all files about a receipt as one text. */
async function evidenceOf(key: string, id: string): Promise<string> {
  await service.api.anchored(id)
  const query = 'mutation ($input: GenerateMessageInput!) { generateMessage(input: $input) { artifact { url } } }'
  for (const type of generated) {
    const { errors } = await service.api.graphql(query, { key, variables: { input: { receiptId: id, type } } })
    expect(errors).toBeUndefined()
  }
  const files = () => service.api.call('GET', `/v1/iso/messages/${id}`)
  await expect.poll(async () => (await files()).json.map(({ type }: { type: string }) => type)).toContain('camt.054')
  const urls: string[] = (await files()).json.map(({ url }: { url: string }) => url)
  const texts = await Promise.all(urls.map(async url => (await fetch(url)).text()))
  const { data } = await service.api.graphql('mutation { generateStatement(input: {}) { statement { url } } }', { key })
  return [...texts, await (await fetch(data.generateStatement.statement.url)).text()].join('\n')
}

const record = async (key: string): Promise<string> => (await service.api.record(key)).json.receipt_id
const configure = (key: string, project: string, parties: object) =>
  service.api.call('PUT', `/v1/projects/${project}/config`, {
    key,
    body: { anchoring: { execution_mode: 'platform', chains: [] }, parties },
  })
const markHouse = (projectId: string, isHouse: boolean, key = adminKey) =>
  service.api.graphql(
    'mutation ($input: MarkHouseProjectInput!) { markHouseProject(input: $input) { project { id isHouse } } }',
    {
      key,
      variables: { input: { projectId, isHouse } },
    },
  )

describe('a project that an untrusted client registers with a wallet', () => {
  it('gets evidence that names only the wallets, the project and its owner’s wallet', async () => {
    const { project, key, owner } = await registered()
    const id = await record(key)
    const evidence = await evidenceOf(key, id)
    expect(evidence).not.toMatch(/Acme|Customer of|529900T8BM49AURSDO55/)
    const zip = Buffer.from(await (await fetch(`${service.base}/files/${id}/evidence.zip`)).arrayBuffer())
    const names = ['manifest.json', 'manifest.sig', 'pain001.xml', 'public_key.pem', 'receipt.json', 'tip.json']
    const read = await readZip(zip, [names])
    const content = read.ok ? read.files : new Map<string, Buffer>()
    const told = { id: project, owner_wallet: owner }
    expect(readManifest(content.get('manifest.json') ?? Buffer.alloc(0))?.version).toBe(2)
    expect(JSON.parse(`${content.get('manifest.json')}`)).toMatchObject({ project: told, algorithm: 'ed25519' })
    expect(JSON.parse(`${content.get('receipt.json')}`)).toMatchObject({ project: told })
    const xml = `${content.get('pain001.xml')}`
    const page = messagePage({ xml, name: 'pain001.xml', sha256: '', downloadUrl: '/' })
    expect(page).toContain(project)
    expect(page).toContain(owner)
  })

  it('gets the names that it states, for itself alone; older receipts keep theirs', async () => {
    const { project, key } = await registered()
    const before = await record(key)
    const parties = {
      initiator: { name: 'Shop AG', country: 'CH' },
      debtor: { name: 'A customer' },
      creditor: { name: 'Shop Creditor' },
    }
    expect((await configure(key, project, parties)).json.parties.initiator.name).toBe('Shop AG')
    const after = await record(key)
    expect(await evidenceOf(key, after)).toMatch(/Shop AG[\s\S]*Shop Creditor/)
    const sealed = async (id: string) => (await fetch(`${service.base}/files/${id}/pain001.xml`)).text()
    await service.api.anchored(before)
    expect(await sealed(before)).not.toContain('Shop')
    expect(await sealed(after)).toContain('<Nm>A customer</Nm>')
    const other = await service.api.project()
    expect(await evidenceOf(other.key, await record(other.key))).not.toContain('Shop')
  })

  it('cannot mark itself as the organisation’s own', async () => {
    const { project, key } = await registered()
    const { errors } = await markHouse(project, true, key)
    expect(errors[0].extensions.code).toBe('forbidden')
    const viewer = await service.api.key(key, 'viewer')
    expect((await configure(viewer, project, { creditor: { name: 'x' } })).status).toBe(403)
  })
})

describe('a house project', () => {
  it('uses the organisation’s names where it states none, from the time when a service administrator marked it', async () => {
    const { id: project, key } = await service.api.project('House')
    const before = await record(key)
    expect((await markHouse(project, true)).data.markHouseProject.project).toEqual({ id: project, isHouse: true })
    const after = await record(key)
    expect(await evidenceOf(key, after)).toMatch(/Acme Group[\s\S]*Acme Ltd/)
    const sealed = async (id: string) => (await fetch(`${service.base}/files/${id}/pain001.xml`)).text()
    await service.api.anchored(before)
    expect(await sealed(before)).not.toContain('Acme')
    expect((await configure(key, project, { creditor: { name: 'Our Shop' } })).status).toBe(200)
    const own = await record(key)
    await service.api.anchored(own)
    expect(await sealed(own)).toMatch(/Acme Group[\s\S]*Our Shop/)
    expect(await sealed(own)).not.toContain('Acme Ltd')
    const { data } = await service.api.graphql('{ me { project { id isHouse } } }', { key })
    expect(data.me.project).toEqual({ id: project, isHouse: true })
    expect((await markHouse(project, false)).data.markHouseProject.project.isHouse).toBe(false)
    const no = await record(key)
    await service.api.anchored(no)
    expect(await sealed(no)).not.toContain('Acme')
  })
})
