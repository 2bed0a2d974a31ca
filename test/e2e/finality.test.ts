// A chain whose blocks are final when its nodes call them finalized, which they do later than safe.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Anvil, account, startAnvil } from '../kit/anvil.ts'
import { type Service, startService } from '../kit/service.ts'

let folder: string
let chain: Anvil
let service: Service
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-finality-'))
  chain = await startAnvil(31_421)
  const file = join(folder, 'chains.json')
  const entry = { name: 'slow', caip2: chain.caip2, rpc_urls: [chain.url], contract: chain.contract }
  await writeFile(file, JSON.stringify([{ ...entry, finality: 'finalized' }]))
  service = await startService({ CHAINS_FILE: file, ANCHOR_PRIVATE_KEY: account(1).privateKey })
})
afterAll(async () => {
  await service?.stop()
  await chain?.stop()
  await rm(folder, { recursive: true, force: true })
})

it('a receipt is not anchored while its block is only safe, because a safe block can still be lost', async () => {
  const { call, project, record, anchored } = service.api
  const { key } = await project()
  const id: string = (await record(key)).json.receipt_id
  const finality = async () => (await call('GET', `/v1/anchors/${id}`)).json[0]?.finality
  const read = async () => (await call('GET', `/v1/iso/receipts/${id}`)).json
  await expect.poll(finality).toBe('included')
  // anvil reports blocks as safe at depth 32 and as finalized at depth 64.
  await chain.mine(32)
  await expect.poll(finality).toBe('safe')
  const { bundle_hash, ...receipt } = await read()
  expect(receipt).toMatchObject({ status: 'awaiting_anchor', ledger_txid: null, anchored_at: null })
  const verify = async () => (await call('POST', '/v1/iso/verify', { body: { bundle_hash } })).json
  expect(await verify()).toMatchObject({ matches_onchain: false, errors: ['not_final'] })
  await chain.mine(32)
  await anchored(id)
  expect(await finality()).toBe('final')
  expect(await verify()).toMatchObject({ matches_onchain: true, errors: [] })
})
