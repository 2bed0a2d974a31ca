// The signature by which a wallet was linked is kept with the link: what was signed, how it was checked, and for a
// contract at which block it accepted the signature.
import { type BaseWallet, JsonRpcProvider } from 'ethers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { deployWallets, formsOf, messageText, newWallet, undeployedWallet } from '../kit/sign-in.ts'

let service: Service
let node: JsonRpcProvider
let contracts: Awaited<ReturnType<typeof deployWallets>>
let project: { id: string; key: string }
const contractOwner = newWallet()

beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  contracts = await deployWallets(service.localChain ?? '', contractOwner.address)
  project = await service.api.project('Shop')
})
afterAll(async () => {
  node?.destroy()
  await service?.stop()
})

const freshNonce = async (): Promise<string> => (await service.api.call('GET', '/v1/auth/nonce')).json.nonce
async function signed(address: string, signer: BaseWallet) {
  const uri = `${service.base}/sign-in`
  const message = messageText({ domain: new URL(service.base).host, uri, address, nonce: await freshNonce() })
  return { message, signature: await signer.signMessage(message) }
}
async function link(body: object, key = project.key): Promise<void> {
  const { status, json } = await service.api.call('POST', '/v1/auth/siwe-verify', { key, body })
  expect([status, json.linked]).toEqual([200, true])
}
const unlink = async (address: string, key = project.key) =>
  (await service.api.call('DELETE', `/v1/auth/linked-wallets/${address}`, { key })).status

const query = `{ linkedWallets(first: 100) { nodes { address proof {
  kind message signature method network blockNumber blockHash createdAt } } } }`

async function proofOf(address: string, key = project.key) {
  const { data, errors } = await service.api.graphql(query, { key })
  expect(errors).toBeUndefined()
  return data.linkedWallets.nodes.find((one: { address: string }) => one.address === address.toLowerCase())?.proof
}
const noBlock = { network: null, blockNumber: null, blockHash: null }

it('of a key: the message as it was signed, with the signature in lower-case', async () => {
  const wallet = newWallet()
  const { message, signature } = await signed(wallet.address, wallet)
  await link({ message, signature: formsOf(signature)['upper-case hex'] })
  expect(await proofOf(wallet.address)).toEqual({
    kind: 'EIP4361',
    message,
    signature: signature.toLowerCase(),
    method: 'EIP191',
    ...noBlock,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})

it('of a nonce alone, and in the short form of EIP-2098', async () => {
  const [older, short] = [newWallet(), newWallet()]
  const nonce = await freshNonce()
  const signature = await older.signMessage(nonce)
  await link({ address: older.address, nonce, signature })
  expect(await proofOf(older.address)).toMatchObject({ kind: 'NONCE', message: nonce, signature, ...noBlock })
  const proof = await signed(short.address, short)
  const compact = formsOf(proof.signature)['compact (EIP-2098)']
  await link({ message: proof.message, signature: compact })
  expect(await proofOf(short.address)).toMatchObject({ method: 'EIP191', signature: compact })
})

it('of a contract: the block at which it accepted the signature', async () => {
  const before = await node.getBlockNumber()
  await link(await signed(contracts.OwnerWallet, contractOwner))
  const proof = await proofOf(contracts.OwnerWallet)
  expect(proof).toMatchObject({ kind: 'EIP4361', method: 'EIP1271', network: 'eip155:31337' })
  expect(proof.blockNumber).toBeGreaterThanOrEqual(before)
  expect((await node.getBlock(proof.blockNumber))?.hash).toBe(proof.blockHash)
})

it('of a contract that is not deployed yet (ERC-6492)', async () => {
  const { address, wrapped } = await undeployedWallet(service.localChain ?? '', contractOwner.address)
  const { message, signature } = await signed(address, contractOwner)
  await link({ message, signature: wrapped(signature) })
  expect(await proofOf(address)).toMatchObject({ method: 'EIP6492', network: 'eip155:31337', message })
})

it('of a wallet that registers a project', async () => {
  const wallet = newWallet()
  const proof = await signed(wallet.address, wallet)
  const made = await service.api.call('POST', '/v1/projects/register', { body: { name: 'Own', ...proof } })
  expect(await proofOf(wallet.address, made.json.api_key)).toMatchObject(proof)
})

it('is kept when the wallet is verified again, and fills a link that has none', async () => {
  const wallet = newWallet()
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => signed(wallet.address, wallet)))
  await service.app.db.linkedWallet.create({
    data: { projectId: project.id, address: wallet.address.toLowerCase() },
  })
  expect(await proofOf(wallet.address)).toBeNull()
  await link(first ?? {})
  await Promise.all([link(second ?? {}), link(third ?? {})])
  expect(await proofOf(wallet.address)).toMatchObject(first ?? {})
})

const count = async (address: string): Promise<number> =>
  service.app.db.walletProof.count({ where: { address: address.toLowerCase() } })

it('is deleted with the link, for this project alone', async () => {
  const wallet = newWallet()
  const other = await service.api.project('Other')
  await link(await signed(wallet.address, wallet))
  await link(await signed(wallet.address, wallet), other.key)
  expect(await count(wallet.address)).toBe(2)
  expect(await unlink(wallet.address)).toBe(200)
  expect(await count(wallet.address)).toBe(1)
  expect((await proofOf(wallet.address, other.key)).method).toBe('EIP191')
  expect(await unlink(wallet.address)).toBe(404)
  expect(await count(wallet.address)).toBe(1)
})

it('of a wallet that no key links is not kept', async () => {
  const wallet = newWallet()
  for (const key of [undefined, adminKey]) {
    const body = await signed(wallet.address, wallet)
    expect((await service.api.call('POST', '/v1/auth/siwe-verify', { body, ...(key && { key }) })).status).toBe(200)
  }
  expect(await count(wallet.address)).toBe(0)
})

it('is not seen by another project, by its node or through the project', async () => {
  const [wallet, other] = [newWallet(), await service.api.project('Curious')]
  await link(await signed(wallet.address, wallet))
  const { id } = await service.app.db.linkedWallet.findFirstOrThrow({
    where: { address: wallet.address.toLowerCase() },
  })
  const text = `query ($id: ID!) { node(id: $id) { id ... on LinkedWallet { proof { signature } } }
    projects { nodes { linkedWallets { nodes { proof { signature } } } } } }`
  const variables = { id }
  const own = await service.api.graphql(text, { key: project.key, variables })
  expect(own.data.node.proof.signature).toMatch(/^0x/)
  const { data } = await service.api.graphql(text, { key: other.key, variables })
  expect([data.node, JSON.stringify(data).includes('signature')]).toEqual([null, false])
})
