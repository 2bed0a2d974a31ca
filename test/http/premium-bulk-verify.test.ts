// Many verifications for one payment: each has its own result, in order; a few run at a time, and no other caller is
// locked out.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { wrapFetchWithPayment } from '@x402/fetch'
import { Interface, JsonRpcProvider } from 'ethers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import type { PaymentRequirement } from '../../src/ports/payment-facilitator.ts'
import { clientOf, createPayer, dollars, type Payer, pay, random32 } from '../kit/payer.ts'
import { type Service, startService } from '../kit/service.ts'

const path = '/v1/x402/premium/bulk-verify'
const price = 10_000n

type Anchored = { bundle_hash: string; ledger_txid: string; anchored_at: string; bundle_url: string; bytes: Buffer }

let service: Service
let node: JsonRpcProvider
let payer: Payer
let requirement: PaymentRequirement
let good: Anchored[]
let key: string
const bundles = await bundleServer()

beforeAll(async () => {
  service = await startService({ ALLOW_PRIVATE_TARGETS: 'true', LOG_LEVEL: 'silent' })
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  const { facilitator, paymentsTo: payTo } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  requirement = await facilitator.requirement({ amount: '0.01', payTo, maxTimeoutSeconds: 120 })
  payer = await createPayer(node, requirement.asset, 1_000_000n)
  key = (await service.api.project()).key
  const recorded = await Promise.all(Array.from({ length: 4 }, () => service.api.record(key)))
  good = await Promise.all(
    recorded.map(async ({ json }) => {
      const receipt = await service.api.anchored(json.receipt_id)
      return { ...receipt, bytes: Buffer.from(await (await fetch(receipt.bundle_url)).arrayBuffer()) }
    }),
  )
  bundles.serve(good[0]?.bytes ?? Buffer.alloc(0))
})
afterEach(() => bundles.release())
afterAll(async () => {
  node?.destroy()
  await service?.stop()
  await bundles.stop()
})

/** Serves one bundle under every path, counts the open requests, and delays them while it is held. */
async function bundleServer() {
  let bytes: Buffer = Buffer.alloc(0)
  let held: http.ServerResponse[] | null = null
  let open = 0
  let most = 0
  let asked = 0
  const server = http.createServer((_, res) => {
    asked++
    open++
    most = Math.max(most, open)
    res.once('close', () => open--)
    if (held) held.push(res)
    else res.end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(content: Buffer) {
      bytes = content
    },
    /** Delays all requests from now on, and resets the counts. */
    hold() {
      held = []
      most = open
      asked = 0
    },
    release() {
      const waiting = held ?? []
      held = null
      for (const res of waiting) res.end(bytes)
    },
    counts: () => ({ open, most, asked }),
    stop: () => new Promise(resolve => server.close(resolve)),
  }
}

const post = (body: unknown, header?: string, at = path) =>
  service.api.call('POST', at, { body, headers: header === undefined ? {} : { 'PAYMENT-SIGNATURE': header } })
/** Returns the payment that another paid route asks for. */
async function priceOf(at: string): Promise<PaymentRequirement> {
  const { headers } = await post({}, undefined, at)
  const [offered] = decodePaymentRequiredHeader(headers.get('payment-required') ?? '').accepts
  return { ...requirement, amount: offered?.amount ?? '' }
}
const batchOf = (hashes: string[]) =>
  new Interface(evidenceAnchor.abi).encodeFunctionData('anchorEvidenceBatch', [hashes])
const balance = (address: string): Promise<bigint> => dollars(requirement.asset, node).getFunction('balanceOf')(address)
const nth = (index: number): Anchored => {
  const receipt = good[index % good.length]
  if (receipt === undefined) throw new Error('nothing is anchored')
  return receipt
}
/** Waits until this many payments are settled and their work runs. */
const areSettled = (count: number) =>
  expect
    .poll(
      async () =>
        (await service.app.pool.query(`select count(*)::int as n from payments where status = 'settled'`)).rows[0].n,
    )
    .toBe(count)
const urls = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${bundles.url}/${name}-${index}.zip`)

describe('100 entries of every kind', () => {
  type Result = { bundle_hash: string | null; ledger_txid: string | null; errors: unknown }
  type Kind = { input: Record<string, string>; result: Partial<Result>; isProven: boolean }

  /** The input of an entry, and its expected result. */
  const kinds: ((index: number) => Kind)[] = [
    index => {
      const { bundle_hash, ledger_txid } = nth(index)
      return { input: { bundle_hash }, result: { bundle_hash, ledger_txid, errors: [] }, isProven: true }
    },
    index => {
      const { bundle_hash, ledger_txid } = nth(0)
      const input = { bundle_url: `${bundles.url}/mixed-${index}.zip`, bundle_hash }
      return { input, result: { bundle_hash, ledger_txid, errors: [] }, isProven: true }
    },
    () => {
      const bundle_hash = random32()
      const result = { bundle_hash, ledger_txid: null, errors: ['anchor_not_found'] }
      return { input: { bundle_hash }, result, isProven: false }
    },
    index => {
      const result = { bundle_hash: null, ledger_txid: null, errors: ['bundle_unavailable'] }
      return { input: { bundle_url: `http://127.0.0.1:9/${index}.zip` }, result, isProven: false }
    },
    index => {
      const { bundle_hash, ledger_txid, bundle_url } = nth(index)
      const input = { bundle_url, bundle_hash, txid: ledger_txid }
      return { input, result: { bundle_hash, ledger_txid, errors: [] }, isProven: true }
    },
  ]

  it('are paid for by the official client and answered in order, with at most 8 fetched at once', async () => {
    const entries = Array.from({ length: 100 }, (_, index) => kinds[index % kinds.length]?.(index)).filter(
      entry => entry !== undefined,
    )
    const items = entries.map(({ input }) => input)
    const challenged = decodePaymentRequiredHeader((await post({ items })).headers.get('payment-required') ?? '')
    expect(challenged).toMatchObject({ accepts: [requirement], resource: { url: service.base + path } })
    const before = await balance(service.app.paymentsTo)
    bundles.hold()
    bundles.release()
    const buy = wrapFetchWithPayment(fetch, clientOf(payer, requirement))
    const response = await buy(service.base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ items }),
    })
    expect(response.status).toBe(200)
    const receipt = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
    expect(receipt).toMatchObject({ success: true, network: 'eip155:31337', payer: payer.address })
    expect((await balance(service.app.paymentsTo)) - before).toBe(price)
    const { verified, results } = await response.json()
    expect(results).toEqual(
      entries.map(({ input, result, isProven }) => ({
        input,
        result: {
          matches_onchain: isProven,
          anchored_at: isProven ? expect.any(String) : null,
          ...result,
          flare_txid: result.ledger_txid,
        },
      })),
    )
    expect(verified).toBe(60)
    expect(bundles.counts().asked).toBe(20)
    expect(bundles.counts().most).toBeLessThanOrEqual(4)
  })

  it('do not count as verified when their hash is anchored but their bundle is unavailable', async () => {
    const { bundle_hash } = nth(0)
    const items = [{ bundle_hash }, { bundle_hash, bundle_url: 'http://127.0.0.1:9/lost.zip' }]
    const { json } = await post({ items }, await pay(payer, requirement))
    expect(json.results).toMatchObject([
      { result: { matches_onchain: true, errors: [] } },
      { result: { matches_onchain: true, errors: ['bundle_unavailable'] } },
    ])
    expect(json.verified).toBe(1)
  })
})

describe('while it runs', () => {
  it('4 entries run at once however many are requested, and free requests are served meanwhile', async () => {
    bundles.hold()
    const bulk = post({ bundle_urls: urls(30, 'held') }, await pay(payer, requirement))
    await expect.poll(() => bundles.counts().open).toBe(4)
    const free = await post({ bundle_hash: nth(0).bundle_hash }, undefined, '/v1/iso/verify')
    expect([free.status, free.json.matches_onchain]).toEqual([200, true])
    // An address without a key has 4 slots, and its further requests wait without locking out paying callers.
    const others = urls(12, 'free').map(bundle_url => post({ bundle_url }, undefined, '/v1/iso/verify'))
    await expect.poll(() => bundles.counts().open).toBe(8)
    const rich = await createPayer(node, requirement.asset, 10_000_000n)
    const paid = post({ bundle_urls: urls(2, 'second') }, await pay(rich, requirement))
    await expect.poll(() => bundles.counts().open).toBe(10)
    bundles.release()
    const answers = await Promise.all([bulk, paid, ...others])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await bulk).json.verified).toBe(30)
    expect(bundles.counts()).toMatchObject({ asked: 44, most: 10 })
  })

  it('two requests of one payer share 4 slots', async () => {
    bundles.hold()
    const both = ['one', 'two'].map(async name => post({ bundle_urls: urls(12, name) }, await pay(payer, requirement)))
    await areSettled(2)
    await expect.poll(() => bundles.counts().open).toBe(4)
    bundles.release()
    const answers = await Promise.all(both)
    expect(answers.map(({ status, json }) => [status, json.verified])).toEqual([
      [200, 12],
      [200, 12],
    ])
    expect(bundles.counts()).toMatchObject({ asked: 24, most: 4 })
  })
})

describe('when the settlement cannot be stored', () => {
  it('no other process takes the payment over before the work has ended, and the payment still buys the answer', async () => {
    const { pool } = service.app
    await pool.query(`
      create sequence refusals;
      create function refuse() returns trigger language plpgsql as $$
        begin perform nextval('refusals'); raise exception 'not stored'; end $$;
      create trigger refuse before update on payments for each row when (new.status = 'settled') execute function refuse()`)
    const refusals = async () => (await pool.query('select is_called from refusals')).rows[0].is_called
    const leases = async () =>
      (await pool.query('select lease_id as id from payments where lease_id is not null')).rows.map(({ id }) => id)
    bundles.hold()
    const body = { bundle_urls: urls(2, 'unstored') }
    const header = await pay(payer, requirement)
    const before = await balance(payer.address)
    const work = post(body, header)
    await expect.poll(refusals).toBe(true)
    await expect.poll(() => bundles.counts().open).toBe(2)
    // Long enough to release the lease.
    await sleep(300)
    const own = await leases()
    expect(own).toHaveLength(1)
    expect(bundles.counts().open).toBe(2)
    await pool.query('drop trigger refuse on payments; drop function refuse; drop sequence refusals')
    bundles.release()
    expect((await work).status).toBe(500)
    // The worker may have leased the payment by now, to store its settlement.
    expect(await leases()).not.toEqual(own)
    const again = await post(body, header)
    expect([again.status, again.json.verified]).toEqual([200, 2])
    expect(before - (await balance(payer.address))).toBe(price)
  })
})

describe('when very many entries of one payer wait', () => {
  it('a further request is refused before it is charged, and its payment is valid later', async () => {
    bundles.hold()
    const headers = await Promise.all(Array.from({ length: 6 }, () => pay(payer, requirement)))
    const last = headers.pop()
    const body = { bundle_urls: urls(20, 'many') }
    // Each request has 4 entries running or waiting: 4 of the 20 run.
    const many = headers.map(header => post(body, header))
    await areSettled(5)
    const before = await balance(payer.address)
    const refused = await post(body, last)
    expect([refused.status, refused.json.detail, refused.headers.get('retry-after')]).toEqual([
      429,
      'too_many_requests',
      '5',
    ])
    bundles.release()
    const answers = await Promise.all(many)
    expect(answers.map(({ status, json }) => [status, json.verified])).toEqual(many.map(() => [200, 20]))
    expect(await balance(payer.address)).toBe(before)
    expect((await post(body, last)).json.verified).toBe(20)
  })
})

it('a repeated entry is fetched once, and answered each time', async () => {
  bundles.hold()
  bundles.release()
  const [url = ''] = urls(1, 'same')
  const items = [{ bundle_url: url }, { bundle_hash: nth(1).bundle_hash }, { bundle_url: url, txid: null }]
  const { status, json } = await post({ items: [...items, ...items] }, await pay(payer, requirement))
  expect([status, json.verified, json.results.length]).toEqual([200, 6, 6])
  expect(json.results[3]).toEqual(json.results[0])
  expect(json.results[2].input).toEqual({ bundle_url: url })
  expect(bundles.counts().asked).toBe(1)
})

it('the bundle of the project whose key comes with the payment is meant, if a transaction anchors several', async () => {
  const [mine] = good
  const data = batchOf([random32(), mine?.bundle_hash ?? '', random32()])
  const sender = await node.getSigner(0)
  const { hash: txid } = await sender.sendTransaction({ to: service.app.chains[0].contract, data })
  await node.waitForTransaction(txid)
  const buy = async (at: string, body: object, headers: Record<string, string>) => {
    const header = await pay(payer, at === path ? requirement : await priceOf(at))
    const answer = await service.api.call('POST', at, { body, headers: { ...headers, 'PAYMENT-SIGNATURE': header } })
    expect([answer.status, answer.text]).toEqual([200, expect.anything()])
    return answer.json
  }
  const single = '/v1/x402/premium/verify-bundle'
  for (const [headers, expected] of [
    // The transaction is not in the service's own records.
    [{ 'X-API-Key': key }, { bundle_hash: mine?.bundle_hash, errors: ['issuer_unchecked'] }],
    [{}, { bundle_hash: null, errors: ['bundle_hash_ambiguous'] }],
  ] as const) {
    expect(await buy(single, { txid }, headers)).toMatchObject({ matches_onchain: true, ...expected })
    const { results } = await buy(path, { items: [{ txid }] }, headers)
    expect(results).toEqual([
      { input: { txid }, result: expect.objectContaining({ matches_onchain: true, ...expected }) },
    ])
  }
})

describe('an invalid request', () => {
  const hash = `0x${'12'.repeat(32)}`
  const url = 'http://example.com/a.zip'
  const many = <T>(count: number, entry: T) => Array.from({ length: count }, () => entry)

  it('is refused with the place of each fault, and nothing is charged, so that the payment stays valid', async () => {
    const header = await pay(payer, requirement)
    const before = await balance(payer.address)
    const cases: [body: unknown, ...loc: unknown[]][] = [
      [{}, ['body']],
      [{ items: null, bundle_urls: null }, ['body']],
      [{ items: [{ bundle_hash: hash }], bundle_urls: [url] }, ['body', 'bundle_urls']],
      [{ items: [] }, ['body', 'items']],
      [{ bundle_urls: [] }, ['body', 'bundle_urls']],
      [{ items: many(101, { bundle_hash: hash }) }, ['body', 'items']],
      [{ bundle_urls: many(101, url) }, ['body', 'bundle_urls']],
      [{ items: [...many(3, { bundle_hash: hash }), { bundle_hash: '0x12' }] }, ['body', 'items', 3, 'bundle_hash']],
      [{ items: [{ bundle_hash: hash }, {}] }, ['body', 'items', 1]],
      [{ items: [{ bundle_hash: hash, more: 1 }] }, ['body', 'items', 0, 'more']],
      [{ items: [hash] }, ['body', 'items', 0]],
      [
        { items: [{ txid: 7 }, { bundle_url: 'ftp://x/y' }] },
        ['body', 'items', 0, 'txid'],
        ['body', 'items', 1, 'bundle_url'],
      ],
      [{ bundle_urls: [url, 'nonsense'] }, ['body', 'bundle_urls', 1]],
      [{ bundle_urls: [url], depth: 2 }, ['body', 'depth']],
    ]
    for (const [body, ...locs] of cases) {
      expect((await post(body, undefined)).status).toBe(402)
      const { status, json } = await post(body, header)
      const found = json.detail.map(({ loc }: { loc: unknown }) => loc)
      expect([body, status, found]).toEqual([body, 422, locs])
    }
    expect(await balance(payer.address)).toBe(before)
    expect((await post({ bundle_urls: [nth(0).bundle_url] }, header)).json.verified).toBe(1)
    expect(before - (await balance(payer.address))).toBe(price)
  })
})

it('over GraphQL an entry is one of two types, and the same payment buys the same answer as over REST', async () => {
  const header = await pay(payer, requirement)
  const unknown = random32()
  const query = `query ($items: [VerifyLocatorInput!]) { premiumVerifyBundles(items: $items) { verified results {
    __typename
    ... on VerifiedEntry { input { bundleHash anchorTx } result { matchesOnchain checks { code } } }
    ... on UnverifiedEntry { input { bundleHash } error }
  } } }`
  const hashes = [nth(0).bundle_hash.toUpperCase().replace('0X', '0x'), unknown]
  const { status, json, headers } = await service.api.call('POST', '/graphql', {
    body: { query, variables: { items: hashes.map(bundleHash => ({ bundleHash })) } },
    headers: { 'PAYMENT-SIGNATURE': header },
  })
  expect([status, json.errors]).toEqual([200, undefined])
  expect(decodePaymentResponseHeader(headers.get('payment-response') ?? '').success).toBe(true)
  expect(json.data.premiumVerifyBundles).toMatchObject({
    verified: 1,
    results: [
      {
        __typename: 'VerifiedEntry',
        input: { bundleHash: nth(0).bundle_hash, anchorTx: null },
        result: { matchesOnchain: true, checks: expect.arrayContaining([{ code: 'signature_invalid' }]) },
      },
      { input: { bundleHash: unknown }, result: { matchesOnchain: false } },
    ],
  })
  const before = await balance(payer.address)
  const again = await post({ items: hashes.map(bundle_hash => ({ bundle_hash })) }, header)
  expect([again.status, again.json.verified, again.json.results[1].result.errors]).toEqual([
    200,
    1,
    ['anchor_not_found'],
  ])
  expect(await balance(payer.address)).toBe(before)
})

describe('an entry that cannot be verified', () => {
  const trapped = random32()

  /** Makes the database fail with this SQLSTATE for queries of one hash. */
  async function withTrap(sqlState: string, work: () => Promise<void>) {
    const { pool } = service.app
    await pool.query(`
      create function passes(hash text) returns boolean volatile language plpgsql as $$ begin
        if hash = '${trapped}' then raise exception 'trapped' using errcode = '${sqlState}'; end if;
        return true;
      end $$;
      insert into anchors (id, chain, bundle_hash, state, transaction_id)
        select gen_random_uuid(), 'local', '${trapped}', 'external', transaction_id from anchors
        where transaction_id is not null limit 1;
      alter table anchors rename to anchors_behind;
      create view anchors as select * from anchors_behind where passes(bundle_hash)`)
    try {
      await work()
    } finally {
      await pool.query(`
        drop view anchors;
        alter table anchors_behind rename to anchors;
        drop function passes;
        delete from anchors where bundle_hash = '${trapped}'`)
    }
  }

  it('has only an error code, and does not affect the other entries', async () => {
    await withTrap('P0001', async () => {
      const items = [{ bundle_hash: nth(0).bundle_hash }, { bundle_hash: trapped }, { bundle_hash: nth(1).bundle_hash }]
      const { status, json } = await post({ items }, await pay(payer, requirement))
      expect([status, json.verified, json.results[1]]).toEqual([
        200,
        2,
        { input: { bundle_hash: trapped }, error: 'internal_error' },
      ])
      expect(json.results.map((entry: object) => Object.keys(entry))).toEqual([
        ['input', 'result'],
        ['input', 'error'],
        ['input', 'result'],
      ])
    })
  })

  it('for a temporary reason fails the whole request, which can be repeated free of charge', async () => {
    const header = await pay(payer, requirement)
    const items = [{ bundle_hash: trapped }, { bundle_hash: nth(0).bundle_hash }]
    const before = await balance(payer.address)
    await withTrap('57P03', async () => {
      const { status, json, headers } = await post({ items }, header)
      expect([status, json.detail, headers.get('retry-after')]).toEqual([500, 'delivery_failed', '2'])
      expect(decodePaymentResponseHeader(headers.get('payment-response') ?? '').success).toBe(true)
    })
    const { status, json } = await post({ items }, header)
    expect([status, json.verified]).toEqual([200, 1])
    expect(before - (await balance(payer.address))).toBe(price)
  })
})
