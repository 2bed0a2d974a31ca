// docs/webhooks.md as a reader uses it: its curl lines work, and its examples have the form of real deliveries.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodePaymentSignatureHeader } from '@x402/core/http'
import { JsonRpcProvider, Signature } from 'ethers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { paidFetch } from '../../sdk/typescript/src/paid-fetch.ts'
import { enumNameOf } from '../../src/core/enum-name.ts'
import { testType, webhookTypes } from '../../src/core/event-types.ts'
import { recheckDue } from '../../src/modules/x402/recheck.ts'
import { followField } from '../kit/follower.ts'
import { differencesOfWebhook } from '../kit/openapi.ts'
import { blocksOf } from '../kit/page-blocks.ts'
import { clientOf, createPayer, dollars, inside, type Payer, signCancel } from '../kit/payer.ts'
import { type Received, startReceiver, verified } from '../kit/receiver.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

let service: Service
let receiver: Awaited<ReturnType<typeof startReceiver>>
let project: { id: string; key: string }
beforeAll(async () => {
  service = await startService({ ALLOW_PRIVATE_TARGETS: 'true', COMPLIANCE_PROVIDERS: 'no=fixed:deny' })
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

const missing = ['sh', 'curl', 'grep', 'cut', 'tee'].filter(
  name => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
)
if (missing.length > 0) console.warn(`Skipped: the curl lines of docs/webhooks.md; missing: ${missing.join(', ')}.`)

describe.skipIf(missing.length > 0)('the shell blocks, pasted one after another', () => {
  let folder: string
  let shell: ReturnType<typeof spawn>
  let out = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-webhooks-'))
    project = await service.api.project()
    const [first, ...blocks] = (await blocksOf('webhooks.md', 'sh')).map(({ code }) => code)
    const values: Record<string, string> = { URL: service.base, KEY: project.key, HOOK: receiver.url }
    const settings = first?.replaceAll(/^(\w+)=.*$/gm, (_, name) => `${name}='${values[name]}'`)
    const marked = blocks.map((code, index) => `echo; echo "== ${index}"\n${code}`)
    shell = spawn('sh', ['-c', `set -e\n${[settings, ...marked].join('\n')}`], {
      cwd: folder,
      // The last block does not end by itself, and its curl must end with the shell.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [shell.stdout, shell.stderr]) stream?.on('data', chunk => (out += chunk))
  })
  afterAll(async () => {
    if (shell?.pid && shell.exitCode === null) process.kill(-shell.pid)
    await rm(folder, { recursive: true, force: true })
  })

  /** Returns the answers of the blocks, in order. */
  const said = () => out.split(/^== \d+$/m).slice(1)

  it('each answer as the page says, and the last two follow the events', async () => {
    await expect.poll(() => said().at(-1), { timeout: 60_000 }).toContain('"type":"RECEIPT_ANCHORED"')
    expect(out).not.toContain('"errors"')
    // curl adds no line break after an answer.
    const answers = said().map(text => text.replaceAll('}{"data"', '}\n{"data"').trim().split('\n'))
    expect(answers).toHaveLength((await blocksOf('webhooks.md', 'sh')).length - 1)
    const [record, callback, create, list, test, deliveries, rotate, toggle, again, stream] = answers.map(lines =>
      lines.map(line => (line.startsWith('{') ? JSON.parse(line).data : line)),
    )
    expect(record).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
    expect(callback).toEqual([
      { me: { project: { id: project.id, callbackSecret: expect.stringMatching(/^whsec_/) } } },
    ])
    const { id, secret } = create?.[0].createWebhookEndpoint.webhookEndpoint ?? {}
    expect(list?.[0].webhookEndpoints.nodes).toMatchObject([{ id, secret, description: 'Shop', isEnabled: true }])
    const { webhookDelivery: delivery } = test?.[0].testWebhookEndpoint ?? {}
    // It may be sent already.
    expect(delivery.status).toMatch(/^(WAITING|DELIVERED)$/)
    const shown = { id: delivery.id, webhookId: delivery.webhookId, type: enumNameOf(testType) }
    expect(deliveries?.[0].webhookDeliveries.nodes).toContainEqual(expect.objectContaining(shown))
    expect(rotate?.map(answer => Object.keys(answer))).toEqual([['rotateWebhookSecret'], ['rotateCallbackSecret']])
    expect(
      toggle?.map(
        answer => Object.values<{ webhookEndpoint: { isEnabled: boolean } }>(answer)[0]?.webhookEndpoint.isEnabled,
      ),
    ).toEqual([false, true])
    expect(again?.map(answer => Object.keys(answer))).toEqual([['replayWebhookDelivery'], ['replayWebhookEvents']])
    expect(stream?.join('\n')).toContain('event: update')
  })

  it('call the receipt’s callback_url and the endpoint', async () => {
    await expect
      .poll(() => receiver.types('/callback?order=1001'))
      .toEqual(['receipt.pending', 'receipt.awaiting_anchor', 'receipt.anchored'])
    await expect.poll(() => receiver.types('/events')).toEqual(expect.arrayContaining([testType, 'receipt.anchored']))
  })
})

async function graphql(key: string, query: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await service.api.graphql(query, { key, variables })
  expect(errors).toBeUndefined()
  return data
}

describe('the examples', () => {
  const sent: Received[] = []
  let secret: string
  let projectKey: string

  /** Sends an event of each type to one endpoint. */
  beforeAll(async () => {
    const { api, base, localChain } = service
    const { key } = await api.project()
    projectKey = key
    const made = await graphql(
      key,
      'mutation ($url: URL!) { createWebhookEndpoint(input: { url: $url }) { webhookEndpoint { id secret } } }',
      { url: `${receiver.url}/all` },
    )
    secret = made.createWebhookEndpoint.webhookEndpoint.secret
    const test = 'mutation ($id: ID!) { testWebhookEndpoint(input: { id: $id }) { webhookDelivery { id } } }'
    await graphql(key, test, { id: made.createWebhookEndpoint.webhookEndpoint.id })
    const { json: receipt } = await api.record(key)
    await api.anchored(receipt.receipt_id)
    const refund = (body: object) =>
      api.call('POST', '/v1/iso/refund', { key, body: { original_receipt_id: receipt.receipt_id, ...body } })
    const { json: refunded } = await refund({ reason_code: 'CUST' })
    await called(types => expect(types).toContain('receipt.refunded'))
    await refund({ refund_tx_hash: '0x7e7e7e7e' })
    await api.anchored(refunded.refund_receipt_id)
    const wallet = { name: 'Buyer', wallet_address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' }
    const { json: agent } = await api.call('POST', '/v1/agents', { key, body: wallet })
    const hash = { bundle_hash: `0x${'9a'.repeat(32)}` }
    await api.record(key, { chain: 'local', currency: 'TESTUSD' })
    await api.call('POST', `/v1/agents/${agent.id}/anchor`, { key, body: hash })
    const node = new JsonRpcProvider(localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
    await buy(key, base, node)
    await service.app.pool.query(`update payments set txid = $1, look_at = now()`, [`0x${'7d'.repeat(32)}`])
    await lookedUp('payment.corrected')
    await takeBack(node, () => buy(key, base, node))
    node.destroy()
    const compliance = { sanctions_provider: 'no', sanctions_enforce: true }
    await api.call('PUT', '/v1/config', { key: adminKey, body: { compliance } })
    await api.record(key)
    await called(types => expect(types).toEqual(expect.arrayContaining([...webhookTypes, testType])))
    await called(types => expect(types.filter(type => type === 'receipt.refunded')).toHaveLength(2))
    sent.push(...receiver.received.filter(({ path }) => path === '/all'))
  })

  const called = (asExpected: (types: string[]) => void) =>
    vi.waitFor(() => asExpected(receiver.types('/all')), { timeout: 20_000 })

  type Bought = { payer: Payer; asset: string; signature: string }

  async function buy(key: string, base: string, node: JsonRpcProvider): Promise<Bought> {
    const [{ path, network, asset }] = (await service.api.call('GET', '/v1/x402/pricing')).json
    const payer = await createPayer(node, asset, 1_000_000n)
    const wallet = clientOf(payer, { network, asset })
    let signature = ''
    const pay = paidFetch({
      sign: async required => {
        signature = encodePaymentSignatureHeader(await wallet.createPaymentPayload(required as never))
        return signature
      },
    })
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': key }
    const body = JSON.stringify({ base_ccy: 'USD', quote_ccy: 'USD' })
    expect((await pay(base + path, { method: 'POST', headers, body })).status).toBe(200)
    return { payer, asset, signature }
  }

  /** Takes the blocks of a payment back. Its payer cancels the authorization before it can be settled again. */
  async function takeBack(node: JsonRpcProvider, bought: () => Promise<Bought>) {
    const snapshot = await node.send('evm_snapshot', [])
    const { payer, asset, signature } = await bought()
    await node.send('evm_revert', [snapshot])
    const { nonce } = inside(signature).authorization
    const { v, r, s } = Signature.from(await signCancel(payer.wallet, asset, payer.address, nonce))
    await node.send('anvil_setBalance', [payer.address, '0x56bc75e2d63100000'])
    const cancel = dollars(asset, payer.wallet).getFunction(
      'cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)',
    )
    await (await cancel(payer.address, nonce, v, r, s)).wait()
    await node.send('anvil_mine', ['0x10'])
    await service.app.pool.query('update payments set look_at = now()')
    await lookedUp('payment.reversed')
  }

  /** The service knows the height of the chain a second later. */
  const lookedUp = (type: string) =>
    vi.waitFor(
      async () => {
        await recheckDue(service.app)
        expect(receiver.types('/all')).toContain(type)
      },
      { timeout: 20_000, interval: 200 },
    )

  it('exist once for each event type, with the form of the real delivery', async () => {
    const examples = (await blocksOf('webhooks.md', 'json')).map(({ code }) => JSON.parse(code))
    expect(examples.map(({ type }) => type).toSorted()).toEqual([...webhookTypes, testType].toSorted())
    for (const example of examples) {
      const real = sent.find(({ body }) => body.type === example.type)
      expect(formOf(example), example.type).toEqual(formOf(real?.body))
    }
  })

  it('the payment subscription sends each status change of the payment', async () => {
    const payments = followField(service.base, projectKey, 'paymentChanged', '', 'type paymentId payment { id status }')
    const changes = ['PAYMENT_VERIFIED', 'PAYMENT_SETTLING', 'PAYMENT_SETTLED', 'PAYMENT_DELIVERED']
    const all = [...changes, 'PAYMENT_CORRECTED', ...changes, 'PAYMENT_REVERSED']
    await expect.poll(() => payments.seen.map(({ data }) => data.type)).toEqual(all)
    for (const [index, { data }] of payments.seen.entries())
      expect(data.payment).toEqual({ id: data.paymentId, status: index < 5 ? 'DELIVERED' : 'REVERSED' })
    await payments.stop()
  })

  it('the deliveries are signed, and match the OpenAPI document', () => {
    for (const one of sent) {
      expect(verified(secret, one)).toEqual(one.body)
      expect(differencesOfWebhook(one.body.type, one.body)).toEqual([])
    }
  })

  it('a refund is sent when it is recorded and again when it is settled', () => {
    const told = sent.filter(({ body }) => body.type === 'receipt.refunded').map(({ body }) => body.data)
    expect(told.map(data => data.refund_settled)).toEqual([false, true])
    expect(new Set(told.map(data => data.refund_receipt_id)).size).toBe(1)
  })
})

/** Returns the names of the members in order, and which are null. */
const formOf = (value: unknown): unknown =>
  value === null || typeof value !== 'object'
    ? value === null
      ? null
      : typeof value
    : Object.entries(value).map(([name, inner]) => [name, formOf(inner)])
