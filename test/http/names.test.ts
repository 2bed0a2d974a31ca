// The names in signed evidence: those that the project stated, and the organisation's names only in its own projects.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readManifest } from '../../src/modules/evidence/manifest.ts'
import { readZip } from '../../src/modules/evidence/zip.ts'
import { readOnChainPayments } from '../../src/modules/iso20022/reader.ts'
import { messagePage } from '../../src/modules/pages/page.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { messageText, newWallet } from '../kit/sign-in.ts'

let service: Service
const shop = `0x${'5a'.repeat(20)}`
const customer = `0x${'c0'.repeat(20)}`

beforeAll(async () => {
  service = await startService()
  const acme = { name: 'Acme Ltd', country: 'DE', lei: '529900T8BM49AURSDO55', wallets: [{ address: shop }] }
  const body = {
    org: { name: 'Acme Group', jurisdiction: 'DE' },
    mapping: {
      creditor_defaults: acme,
      debtor_defaults: { name: 'Customer of Acme', wallets: [{ address: customer }] },
    },
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

const paid = { sender_wallet: customer, receiver_wallet: shop }
const record = async (key: string, tip: object = paid): Promise<string> =>
  (await service.api.record(key, tip)).json.receipt_id
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
      debtor: { name: 'A customer', wallets: [{ address: customer.toUpperCase().replace('0X', 'eip155:8453:0x') }] },
      creditor: { name: 'Shop Creditor', wallets: [{ address: shop, chain: 'Base' }] },
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

  it('names a wallet on either side, and no other: not who is paid out, nor where it had no name before', async () => {
    const { project, key, owner } = await registered()
    const sealed = async (id: string) => {
      await service.api.anchored(id)
      const xml = await (await fetch(`${service.base}/files/${id}/pain001.xml`)).text()
      const [payment] = readOnChainPayments(xml)
      return { xml, payer: payment?.payerParty ?? null, payee: payment?.payeeParty ?? null }
    }
    // As a client sends it that knows no wallets: kept, and it names nobody.
    const old = await configure(key, project, { creditor: { name: 'Old Shop' } })
    expect([old.status, old.headers.get('quittance-notice')]).toEqual([
      200,
      'Without wallets no payment names: creditor.',
    ])
    expect((await sealed(await record(key))).xml).not.toContain('Old Shop')
    const creditor = { name: 'Shop AG', wallets: [{ address: shop }, { address: owner }] }
    const now = await configure(key, project, { creditor })
    expect([now.status, now.headers.get('quittance-notice')]).toEqual([200, null])
    const stated = { name: 'Shop AG', country: null, lei: null, isProven: false }
    const proven = { ...stated, isProven: true }
    const sides = async (sender_wallet: string, receiver_wallet: string) => {
      const { payer, payee } = await sealed(await record(key, { sender_wallet, receiver_wallet }))
      return [payer, payee]
    }
    expect(await sides(customer, shop)).toEqual([null, stated])
    expect(await sides(shop, customer)).toEqual([stated, null])
    expect(await sides(owner, owner)).toEqual([proven, proven])
    expect(await sides(shop, owner)).toEqual([stated, proven])
    expect(await sides(`0x${'0'.repeat(40)}`, customer)).toEqual([null, null])
    const { xml } = await sealed(await record(key, { sender_wallet: customer, receiver_wallet: owner }))
    expect(xml).toContain('<Issr>PROVEN-BY-SIGNATURE</Issr>')
  })

  it('keeps whether a wallet was proven as it was when the receipt was sealed', async () => {
    const { project, key } = await registered()
    const wallet = newWallet()
    const address = wallet.address.toLowerCase()
    await configure(key, project, { creditor: { name: 'Shop AG', wallets: [{ address }] } })
    const id = await record(key, { sender_wallet: customer, receiver_wallet: address })
    await service.api.anchored(id)
    const { nonce, domain } = (await service.api.call('GET', '/v1/auth/nonce')).json
    const message = messageText({ domain, address: wallet.address, uri: service.base, nonce })
    const body = { message, signature: await wallet.signMessage(message) }
    expect((await service.api.call('POST', '/v1/auth/siwe-verify', { key, body })).json.linked).toBe(true)
    const later = await record(key, { sender_wallet: customer, receiver_wallet: address })
    const proofs = async (receipt: string) =>
      readOnChainPayments(
        await evidenceOf(key, receipt)
          .then(all =>
            all
              .split('<?xml')
              .slice(1)
              .map(xml => `<?xml${xml}`),
          )
          .then(files => `<all>${files.map(xml => xml.replace(/^<\?xml.*\?>/, '')).join('')}</all>`),
      )
        .filter(payment => payment.receiptId === receipt)
        .map(({ payeeParty }) => payeeParty?.isProven)
    expect(new Set(await proofs(id))).toEqual(new Set([false]))
    expect(new Set(await proofs(later))).toEqual(new Set([true]))
    const unlinked = await service.api.call('DELETE', `/v1/auth/linked-wallets/${address}`, { key })
    expect(unlinked.status).toBe(200)
    expect(new Set(await proofs(later))).toEqual(new Set([true]))
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
    expect(
      (await configure(key, project, { creditor: { name: 'Our Shop', wallets: [{ address: shop }] } })).status,
    ).toBe(200)
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
