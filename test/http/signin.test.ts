// Wallet sign-in over REST: which messages and signatures prove a wallet, that each can be used once, and what the
// wallet may do then.
import { request } from 'node:http'
import type { BaseWallet } from 'ethers'
import { SiweMessage } from 'siwe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlOf } from '../../src/kit/transaction.ts'
import { cleanNonces } from '../../src/modules/signin/nonce.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { deployWallets, formsOf, type MessageFields, messageText, newWallet, undeployedWallet } from '../kit/sign-in.ts'

let service: Service
/** Another process on the same database with the same public URL, whose chain is unreachable. */
let twin: Service
let contracts: Awaited<ReturnType<typeof deployWallets>>
const contractOwner = newWallet()
/** Values that no table may contain afterwards. */
const secrets = new Set<string>()
const nonces = new Set<string>()

beforeAll(async () => {
  service = await startService({ ROLES: 'api', ALLOWED_ORIGINS: `https://other.example, ${frontEnd}` })
  twin = await startService({
    ROLES: 'api',
    DATABASE_URL: service.databaseUrl,
    PUBLIC_BASE_URL: service.base,
    ANCHOR_CHAIN: 'eip155:31337',
    ANCHOR_RPC_URL: 'http://127.0.0.1:9',
    ANCHOR_CONTRACT: `0x${'11'.repeat(20)}`,
  })
  contracts = await deployWallets(service.localChain ?? '', contractOwner.address)
})
afterAll(async () => {
  await twin?.stop()
  await service?.stop()
})

const frontEnd = 'https://shop.example'
const host = () => new URL(service.base).host
const post = (path: string, body: unknown, key?: string) =>
  service.api.call('POST', path, { body, ...(key && { key }) })

async function freshNonce(): Promise<string> {
  const { nonce } = (await service.api.call('GET', '/v1/auth/nonce')).json
  nonces.add(nonce)
  return nonce
}

async function messageFor(address: string, change: Partial<MessageFields> = {}): Promise<string> {
  const nonce = change.nonce ?? (await freshNonce())
  return messageText({ domain: host(), uri: `${service.base}/sign-in`, address, ...change, nonce })
}

async function sign(wallet: BaseWallet, message: string): Promise<string> {
  const signature = await wallet.signMessage(message)
  secrets.add(signature.slice(2, 130))
  return signature
}

async function signed(wallet: BaseWallet, change: Partial<MessageFields> = {}) {
  const message = await messageFor(wallet.address, change)
  return { message, signature: await sign(wallet, message) }
}

const verify = (body: unknown, key?: string) => post('/v1/auth/siwe-verify', body, key)
const mint = (body: unknown) => post('/v1/auth/siwe-mint-key', body)

async function register(wallet: BaseWallet, name = 'Shop'): Promise<{ id: string; key: string }> {
  const { status, json } = await post('/v1/projects/register', { name, ...(await signed(wallet)) })
  expect(status).toBe(200)
  secrets.add(json.api_key)
  return { id: json.project.id, key: json.api_key }
}

function expectUnreadable({ status, json }: Awaited<ReturnType<typeof verify>>, why: RegExp): void {
  expect([status, json.detail?.[0]?.loc]).toEqual([422, ['body', 'message']])
  expect(json.detail[0].msg).toMatch(why)
}

const expectRefused = ({ status, json }: Awaited<ReturnType<typeof verify>>, why: RegExp) => {
  expect({ status, code: json.detail, message: json.message }).toEqual({
    status: 401,
    code: 'invalid_signature',
    message: expect.stringMatching(why),
  })
}

const soon = (ms: number) => new Date(Date.now() + ms).toISOString()
const minutes = 60_000

describe('a nonce', () => {
  it('is a UUID of 32 hex digits, new each time, with the service’s own domain, and not cacheable', async () => {
    const first = await service.api.call('GET', '/v1/auth/nonce')
    const second = await service.api.call('GET', '/v1/auth/nonce')
    expect(first.json).toEqual({
      nonce: expect.stringMatching(/^[0-9a-f]{12}4[0-9a-f]{19}$/),
      domain: host(),
      chain_ids: [31_337],
    })
    expect(second.json.nonce).not.toBe(first.json.nonce)
    expect(first.headers.get('cache-control')).toBe('no-store')
  })

  it('has the same domain whatever the Host header is', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const { port } = new URL(service.base)
      const options = { host: '127.0.0.1', port, path: '/v1/auth/nonce', headers: { Host: 'evil.example' } }
      request(options, async response => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve(text)
      })
        .on('error', reject)
        .end()
    })
    expect(JSON.parse(answer).domain).toBe(host())
  })

  it('that was not used is deleted after ten minutes, and not before', async () => {
    const [old, fresh] = [await freshNonce(), await freshNonce()]
    await age(old, '10 minutes 1 second')
    await age(fresh, '9 minutes 50 seconds')
    await cleanNonces(sqlOf(service.app.pool))
    const { rows } = await service.app.pool.query('select nonce from sign_in_nonces where nonce = any($1)', [
      [old, fresh],
    ])
    expect(rows).toEqual([{ nonce: fresh }])
  })
})

const age = (nonce: string, interval: string) =>
  service.app.pool.query('update sign_in_nonces set created_at = now() - $2::interval where nonce = $1', [
    nonce,
    interval,
  ])

// Evaluated when the test runs, because the times in a message soon expire.
type Lazy = () => Partial<MessageFields>

describe('a message that proves its wallet', () => {
  it.each<[string, Lazy]>([
    ['without a statement, two blank lines', () => ({})],
    ['without a statement, one blank line', () => ({ statement: '\n' })],
    ['with a statement', () => ({ statement: '\nI accept the terms: https://example.com/terms\n\n' })],
    ['with a statement that looks like a URI', () => ({ statement: '\nURI: https://elsewhere.example\n\n' })],
    [
      'with every optional field',
      () => ({
        tail: `\nExpiration Time: ${soon(5 * minutes)}\nNot Before: ${soon(-minutes)}\nRequest ID: abc-1\nResources:\n- https://example.com/a\n- ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi`,
      }),
    ],
    ['of a wallet whose clock is half a minute ahead', () => ({ issuedAt: soon(minutes / 2) })],
    ['issued ten minutes ago', () => ({ issuedAt: soon(-10 * minutes) })],
    ['with a time of another zone', () => ({ issuedAt: soon(2 * 60 * minutes).replace('Z', '+02:00') })],
    ['with a line break at its end', () => ({ tail: '\n' })],
    ['with a line break of Windows at its end', () => ({ tail: '\r\n' })],
    ['with the URI of a front end', () => ({ uri: `${frontEnd}/sign-in` })],
  ])('%s', async (_, change) => {
    const wallet = newWallet()
    const { status, json } = await verify(await signed(wallet, change()))
    expect({ status, json }).toEqual({
      status: 200,
      json: { linked: false, address: wallet.address.toLowerCase(), domain: host(), chain_id: 31337 },
    })
  })

  it.each([1, 14, 8_453, 11_297_108_109])('is accepted with chain id %i, which is not served', async chain_id => {
    const { status, json } = await verify(await signed(newWallet(), { chainId: `${chain_id}` }))
    expect([status, json.chain_id]).toEqual([200, chain_id])
  })

  it('is accepted as the siwe library writes it, with the scheme', async () => {
    const wallet = newWallet()
    const fields = { domain: host(), address: wallet.address, uri: service.base, version: '1', chainId: 31337 }
    const message = new SiweMessage({ scheme: 'http', ...fields, nonce: await freshNonce() }).prepareMessage()
    expect((await verify({ message, signature: await sign(wallet, message) })).status).toBe(200)
  })
})

describe('a text that is no EIP-4361 message is 422', () => {
  it.each<[string, Lazy, RegExp]>([
    ['version 2', () => ({ version: '2' }), /Version is not 1/],
    ['a chain id with a leading zero', () => ({ chainId: '031337' }), /does not know/],
    ['a chain id beyond all numbers', () => ({ chainId: '9'.repeat(400) }), /EIP-4361/],
    ['issued on a day that is none', () => ({ issuedAt: '2026-02-30T00:00:00Z' }), /issued-at/],
    ['a line after the end', () => ({ tail: '\nand all my money' }), /EIP-4361/],
    ['two line breaks after the end', () => ({ tail: '\n\n' }), /EIP-4361/],
    ['fields in another order', () => ({ tail: '\nRequest ID: a\nNot Before: 2026-01-01T00:00:00Z' }), /EIP-4361/],
    ['no blank line', () => ({ statement: '' }), /EIP-4361/],
    ['a nonce that is too short', () => ({ nonce: 'abc' }), /nonce/],
  ])('with %s', async (_, change, why) => {
    expectUnreadable(await verify(await signed(newWallet(), change())), why)
  })

  it.each(['URI', 'Version', 'Chain ID', 'Nonce', 'Issued At'])('without %s', async label => {
    const wallet = newWallet()
    const message = (await messageFor(wallet.address)).replace(new RegExp(`\n${label}: .*`), '')
    expectUnreadable(await verify({ message, signature: await sign(wallet, message) }), new RegExp(`no ${label}`))
  })

  it('with Windows line ends', async () => {
    const wallet = newWallet()
    const message = (await messageFor(wallet.address)).replaceAll('\n', '\r\n')
    expectUnreadable(await verify({ message, signature: await sign(wallet, message) }), /EIP-4361/)
  })

  it('with an address whose checksum is wrong', async () => {
    const message = await messageFor(`0x${'Ab'.repeat(20)}`)
    expectUnreadable(await verify({ message, signature: await sign(newWallet(), message) }), /EIP-55/)
  })
})

it('an address in lower case is accepted, because EIP-4361 does not require a checksum', async () => {
  const wallet = newWallet()
  const message = await messageFor(wallet.address.toLowerCase())
  const { status, json } = await verify({ message, signature: await sign(wallet, message) })
  expect([status, json.address]).toEqual([200, wallet.address.toLowerCase()])
  const other = await messageFor(wallet.address.toLowerCase())
  expectRefused(await verify({ message: other, signature: await sign(newWallet(), other) }), /signature/)
})

describe('a message that is refused with 401 invalid_signature', () => {
  it.each<[string, Lazy, RegExp]>([
    ['another domain', () => ({ domain: 'evil.example' }), /domain/],
    ['the domain without its port', () => ({ domain: '127.0.0.1' }), /domain/],
    ['user info before the domain', () => ({ domain: 'me@127.0.0.1:1' }), /domain/],
    ['another scheme', () => ({ domain: 'https://{host}' }), /scheme/],
    ['a URI of another origin', () => ({ uri: 'http://evil.example/sign-in' }), /URI/],
    ['a URI of another scheme', () => ({ uri: 'https://{host}/' }), /URI/],
    ['a URI that borrows our origin', () => ({ uri: 'blob:http://{host}/x' }), /URI/],
    ['chain id zero', () => ({ chainId: '0' }), /Chain ID/],
    ['issued in the future', () => ({ issuedAt: soon(2 * minutes) }), /Issued At is in the future/],
    ['issued too long ago', () => ({ issuedAt: soon(-12 * minutes) }), /Issued At is more than ten minutes ago/],
    ['issued in a leap second', () => ({ issuedAt: '2016-12-31T23:59:60Z' }), /Issued At/],
    ['expired', () => ({ tail: `\nExpiration Time: ${soon(-1_000)}` }), /Expiration Time/],
    ['not valid yet', () => ({ tail: `\nNot Before: ${soon(minutes)}` }), /Not Before/],
    ['a URI of an origin that begins as a front end’s', () => ({ uri: `${frontEnd}.evil/` }), /URI/],
    ['a nonce nobody gave out', () => ({ nonce: 'f'.repeat(32) }), /nonce is unknown/],
  ])('%s', async (_, change, why) => {
    const filled = Object.fromEntries(
      Object.entries(change()).map(([key, text]) => [key, text.replace('{host}', host())]),
    )
    expectRefused(await verify(await signed(newWallet(), filled)), why)
  })

  it('signed by another wallet, whose nonce stays valid for the right wallet', async () => {
    const wallet = newWallet()
    const message = await messageFor(wallet.address)
    expectRefused(await verify({ message, signature: await sign(newWallet(), message) }), /signature/)
    expect((await verify({ message, signature: await sign(wallet, message) })).status).toBe(200)
  })

  it('changed after it was signed', async () => {
    const { message, signature } = await signed(newWallet(), { statement: '\nPay 1 dollar\n\n' })
    expectRefused(await verify({ message: message.replace('1 dollar', '9 dollar'), signature }), /signature/)
  })

  it('signed with one blank line and sent with two, because only the exact text counts', async () => {
    const { message, signature } = await signed(newWallet(), { statement: '\n' })
    expectRefused(await verify({ message: message.replace('\n\nURI', '\n\n\nURI'), signature }), /signature/)
  })

  it('used before, even for another operation', async () => {
    const proof = await signed(newWallet())
    expect((await verify(proof)).status).toBe(200)
    expectRefused(await verify(proof), /nonce/)
    expectRefused(await post('/v1/projects/register', { name: 'Again', ...proof }), /nonce/)
    expectRefused(await mint(proof), /nonce/)
  })

  it('with a nonce older than ten minutes', async () => {
    const nonce = await freshNonce()
    await age(nonce, '10 minutes 1 second')
    expectRefused(await verify(await signed(newWallet(), { nonce })), /nonce/)
  })

  it('sent with a Host header that matches its foreign domain', async () => {
    const proof = await signed(newWallet(), { domain: 'evil.example', uri: 'http://evil.example' })
    const status = await new Promise<[number | undefined, string]>((resolve, reject) => {
      const { port } = new URL(service.base)
      const headers = { Host: 'evil.example', 'Content-Type': 'application/json' }
      request({ host: '127.0.0.1', port, path: '/v1/auth/siwe-verify', method: 'POST', headers }, async response => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve([response.statusCode, JSON.parse(text).detail])
      })
        .on('error', reject)
        .end(JSON.stringify(proof))
    })
    expect(status).toEqual([401, 'invalid_signature'])
  })
})

describe('a signature', () => {
  it.each(['v 27 or 28', 'v 0 or 1', 'compact (EIP-2098)', 'upper-case hex'] as const)('passes with %s', async form => {
    const { message, signature } = await signed(newWallet())
    expect((await verify({ message, signature: formsOf(signature)[form] })).status).toBe(200)
  })

  it.each(['high s', 'the other v', 'v of a transaction (EIP-155)'] as const)('is refused with %s', async form => {
    const { message, signature } = await signed(newWallet())
    const sent = formsOf(signature)[form]
    secrets.add(sent.slice(2))
    expectRefused(await verify({ message, signature: sent }), /signature/)
  })

  it.each([
    ['nothing but zeros', `0x${'00'.repeat(65)}`],
    ['nothing', '0x'],
    ['one byte', '0x1b'],
    ['4,096 bytes', `0x${'ab'.repeat(4096)}`],
  ])('is refused with %s', async (_, signature) => {
    const { message } = await signed(newWallet())
    expectRefused(await verify({ message, signature }), /signature/)
  })

  it.each([
    ['half a byte', '0x123'],
    ['no 0x', 'ab'.repeat(65)],
    ['more than 4,096 bytes', `0x${'ab'.repeat(4097)}`],
    ['no hex', `0x${'zz'.repeat(65)}`],
  ])('is 422 with %s', async (_, signature) => {
    const { status, json } = await verify({ message: 'x', signature })
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'signature']])
  })
})

describe('a wallet that is a contract (ERC-1271)', () => {
  const from = async (address: string, signer: BaseWallet = contractOwner, change: Partial<MessageFields> = {}) => {
    const message = await messageFor(address, change)
    return { message, signature: await sign(signer, message) }
  }

  it('is proved by its own answer: for 65 bytes of its owner, or a signature format of its own', async () => {
    const plain = await verify(await from(contracts.OwnerWallet))
    expect([plain.status, plain.json.address]).toEqual([200, contracts.OwnerWallet.toLowerCase()])
    const { message, signature } = await from(contracts.OwnerWallet)
    expect((await verify({ message, signature: `${signature}0123456789` })).status).toBe(200)
  })

  it('can own a project and mint a key', async () => {
    const { json } = await post('/v1/projects/register', { name: 'Multisig', ...(await from(contracts.OwnerWallet)) })
    expect(json.project.owner_wallet).toBe(contracts.OwnerWallet.toLowerCase())
    secrets.add(json.api_key)
    const minted = await mint(await from(contracts.OwnerWallet))
    secrets.add(minted.headers.get('x-api-key') ?? '')
    expect([minted.status, minted.json.project_id]).toEqual([200, json.project.id])
  })

  it.each(['Reverting', 'Burning', 'SaysOne', 'SaysNothing'] as const)('is not proved when it is %s', async name => {
    expectRefused(await verify(await from(contracts[name])), /signature/)
  })

  it('is not proved by another wallet’s signature, nor by its owner’s over another message', async () => {
    expectRefused(await verify(await from(contracts.OwnerWallet, newWallet())), /signature/)
    const [one, other] = [await from(contracts.OwnerWallet), await from(contracts.OwnerWallet)]
    expectRefused(await verify({ message: one.message, signature: other.signature }), /signature/)
  })

  it('is not queried on a chain that is not served; the answer lists the served chains', async () => {
    const proof = await from(contracts.OwnerWallet, contractOwner, { chainId: '1' })
    const answer = await verify(proof)
    expectRefused(answer, /31337.* 1 is not one of these/)
    expect(answer.json.chain_ids).toEqual([31_337])
    const { errors } = await service.api.graphql(
      'mutation ($input: VerifyWalletInput!) { verifyWallet(input: $input) { linked } }',
      { variables: { input: proof } },
    )
    expect(errors[0].extensions).toMatchObject({ code: 'invalid_signature', chain_ids: [31_337] })
  })

  it('that is not deployed yet is proved by a signature that says how to deploy it (ERC-6492)', async () => {
    const { address, wrapped, deploy } = await undeployedWallet(service.localChain ?? '', contractOwner.address)
    const message = await messageFor(address)
    const signature = await sign(contractOwner, message)
    expectRefused(await verify({ message, signature }), /signature/)
    const { status, json } = await verify({ message, signature: wrapped(signature) })
    expect([status, json.address]).toEqual([200, address.toLowerCase()])
    const other = await messageFor(address)
    expectRefused(await verify({ message: other, signature: wrapped(signature) }), /signature/)
    expectRefused(await verify({ message: other, signature: wrapped(await sign(newWallet(), other)) }), /signature/)
    // A wallet at another address, whose factory does deploy something.
    const stranger = await messageFor(newWallet().address)
    expectRefused(
      await verify({ message: stranger, signature: wrapped(await sign(contractOwner, stranger)) }),
      /signature/,
    )
    await deploy()
    const later = await messageFor(address)
    expect((await verify({ message: later, signature: wrapped(await sign(contractOwner, later)) })).status).toBe(200)
  })

  it('is not proved at an address without code', async () => {
    expectRefused(await verify(await from(newWallet().address)), /signature/)
  })

  it('on an unreachable chain is 503 and never invalid, and the nonce stays valid; a key wallet needs no chain', async () => {
    const proof = await from(contracts.OwnerWallet)
    const answer = await twin.api.call('POST', '/v1/auth/siwe-verify', { body: proof })
    expect([answer.status, answer.json.detail]).toEqual([503, 'chain_unavailable'])
    expect(answer.headers.get('retry-after')).not.toBeNull()
    expect((await verify(proof)).status).toBe(200)
    const plain = await signed(newWallet())
    expect((await twin.api.call('POST', '/v1/auth/siwe-verify', { body: plain })).status).toBe(200)
  })

  it('is not queried before the nonce is known to be ours', async () => {
    const message = await messageFor(contracts.OwnerWallet, { nonce: 'e'.repeat(32) })
    const body = { message, signature: await sign(contractOwner, message) }
    expectRefused(await twin.api.call('POST', '/v1/auth/siwe-verify', { body }), /nonce/)
  })
})

describe('registering a project', () => {
  it('creates the project, its owner’s wallet and one working project_admin key', async () => {
    const wallet = newWallet()
    const address = wallet.address.toLowerCase()
    const answer = await post('/v1/projects/register', { name: '  Corner shop ', ...(await signed(wallet)) })
    const { project, api_key } = answer.json
    secrets.add(api_key)
    expect({ status: answer.status, json: answer.json }).toEqual({
      status: 200,
      json: {
        project: { id: expect.any(String), name: 'Corner shop', owner_wallet: address, created_at: expect.any(String) },
        api_key: expect.stringMatching(/^qtk_/),
      },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const get = async (path: string) => (await service.api.call('GET', path, { key: api_key })).json
    expect(await get('/v1/auth/me')).toEqual({ role: 'project_admin', project_id: project.id, is_admin: false })
    expect(await get('/v1/projects')).toEqual([project])
    expect(await get('/v1/auth/linked-wallets')).toEqual([{ address, created_at: expect.any(String) }])
    const { rows } = await service.app.pool.query(
      'select action, actor from audit_events where project_id = $1 order by seq',
      [project.id],
    )
    const actor = `wallet:${address}`
    expect(rows).toEqual([
      { action: 'project.register', actor },
      { action: 'api_key.create', actor },
    ])
  })

  const projectsNamed = async (name: string) =>
    Number((await service.app.pool.query('select count(*) from projects where name = $1', [name])).rows[0].count)

  it('100 times at once with one signature creates one project', async () => {
    const body = { name: 'Replayed', ...(await signed(newWallet())) }
    const answers = await Promise.all(Array.from({ length: 100 }, () => post('/v1/projects/register', body)))
    const [won, ...more] = answers.filter(answer => answer.status === 200)
    secrets.add(won?.json.api_key)
    expect([more.length, await projectsNamed('Replayed')]).toEqual([0, 1])
    for (const lost of answers.filter(answer => answer !== won)) expectRefused(lost, /nonce/)
  })

  it('40 times at once at two processes on one database creates one project', async () => {
    const body = { name: 'Twice', ...(await signed(newWallet())) }
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        (n % 2 ? service : twin).api.call('POST', '/v1/projects/register', { body }),
      ),
    )
    const won = answers.filter(answer => answer.status === 200)
    for (const { json } of won) secrets.add(json.api_key)
    expect([won.length, await projectsNamed('Twice')]).toEqual([1, 1])
  })

  it('with an invalid name is 422, and the nonce stays valid', async () => {
    const proof = await signed(newWallet())
    const { status, json } = await post('/v1/projects/register', { name: ' ', ...proof })
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'name']])
    expect((await verify(proof)).status).toBe(200)
  })

  it('reports every missing field', async () => {
    const { status, json } = await post('/v1/projects/register', {})
    const fields = json.detail.map((issue: { loc: string[]; type: string }) => [issue.loc[1], issue.type])
    expect([status, fields]).toEqual([
      422,
      [
        ['name', 'missing'],
        ['message', 'missing'],
        ['signature', 'missing'],
      ],
    ])
  })
})

describe('the older form: address, nonce and a signature of the nonce', () => {
  const older = async (wallet: BaseWallet) => {
    const nonce = await freshNonce()
    return { address: wallet.address, nonce, signature: await sign(wallet, nonce) }
  }

  it('proves the wallet once', async () => {
    const wallet = newWallet()
    const proof = await older(wallet)
    const { status, json } = await verify(proof)
    expect({ status, json }).toEqual({
      status: 200,
      json: { linked: false, address: wallet.address.toLowerCase(), domain: host(), chain_id: null },
    })
    expectRefused(await verify(proof), /nonce/)
  })

  it('is refused when another wallet signed, another text was signed, or the nonce is not ours', async () => {
    const [wallet, other] = [newWallet(), newWallet()]
    expectRefused(await verify({ ...(await older(wallet)), address: other.address }), /signature/)
    expectRefused(await verify({ ...(await older(wallet)), signature: await sign(wallet, 'hello') }), /signature/)
    const nonce = 'd'.repeat(32)
    expectRefused(await verify({ address: wallet.address, nonce, signature: await sign(wallet, nonce) }), /nonce/)
  })

  it('is for key wallets only, because it names no chain to query', async () => {
    const nonce = await freshNonce()
    const signature = await sign(contractOwner, nonce)
    expectRefused(await verify({ address: contracts.OwnerWallet, nonce, signature }), /signature/)
  })

  it.each<[string, object, [string, string][]]>([
    ['neither form', {}, [['message', 'missing']]],
    [
      'both forms',
      { message: 'x', address: `0x${'1'.repeat(40)}`, nonce: 'a'.repeat(32) },
      [
        ['address', 'extra_forbidden'],
        ['nonce', 'extra_forbidden'],
      ],
    ],
    ['no nonce', { address: `0x${'1'.repeat(40)}` }, [['nonce', 'missing']]],
    ['no address', { nonce: 'a'.repeat(32) }, [['address', 'missing']]],
    ['an address that is none', { address: '0x1', nonce: 'a'.repeat(32) }, [['address', 'string_pattern_mismatch']]],
    [
      'a nonce that cannot be ours',
      { address: `0x${'1'.repeat(40)}`, nonce: 'x' },
      [['nonce', 'string_pattern_mismatch']],
    ],
    ['an unknown field', { message: 'x', memo: 'x' }, [['memo', 'extra_forbidden']]],
  ])('a body with %s is 422', async (_, body, expected) => {
    const { status, json } = await verify({ signature: '0x', ...body })
    const found = json.detail.map((issue: { loc: string[]; type: string }) => [issue.loc[1], issue.type])
    expect([status, found]).toEqual([422, expected])
  })
})

describe('linking wallets', () => {
  const wallets = async (key: string) => (await service.api.call('GET', '/v1/auth/linked-wallets', { key })).json
  const unlink = (address: string, key?: string) =>
    service.api.call('DELETE', `/v1/auth/linked-wallets/${address}`, key ? { key } : {})

  it('a key that may write links the wallet to its project, once however often; any hex case unlinks it', async () => {
    const [owner, wallet] = [newWallet(), newWallet()]
    const project = await register(owner)
    const writer = await service.api.key(project.key, 'project')
    secrets.add(writer)
    const address = wallet.address.toLowerCase()
    for (let n = 0; n < 2; n++) {
      const { status, json } = await verify(await signed(wallet), writer)
      expect([status, json.linked]).toEqual([200, true])
    }
    expect((await wallets(project.key)).map((row: { address: string }) => row.address)).toEqual([
      owner.address.toLowerCase(),
      address,
    ])
    expect((await verify(await signed(wallet))).json.linked).toBe(true)
    const gone = await unlink(`0x${address.slice(2).toUpperCase()}`, project.key)
    expect([gone.status, gone.json]).toEqual([200, { status: 'ok', address }])
    expect((await unlink(address, project.key)).status).toBe(404)
    expect((await verify(await signed(wallet))).json.linked).toBe(false)
    const { rows } = await service.app.pool.query(
      `select action, actor from audit_events where object_id = $1 and project_id = $2 order by seq`,
      [address, project.id],
    )
    expect(rows).toEqual([
      { action: 'wallet.link', actor: `wallet:${address}` },
      { action: 'wallet.verify', actor: `wallet:${address}` },
      { action: 'wallet.unlink', actor: expect.stringMatching(/^key:/) },
    ])
  })

  it('50 concurrent proofs of one wallet link it once', async () => {
    const wallet = newWallet()
    const project = await register(newWallet())
    const proofs = await Promise.all(Array.from({ length: 50 }, () => signed(wallet)))
    const answers = await Promise.all(proofs.map(proof => verify(proof, project.key)))
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([200]))
    expect(await wallets(project.key)).toHaveLength(2)
  })

  it('an owner’s wallet is reported as linked, and cannot be unlinked', async () => {
    const owner = newWallet()
    const project = await register(owner)
    expect((await verify(await signed(owner))).json.linked).toBe(true)
    const refused = await unlink(owner.address, project.key)
    expect([refused.status, refused.json.detail]).toEqual([409, 'conflict'])
    expect(await wallets(project.key)).toHaveLength(1)
  })

  it('another project’s wallet can be neither seen nor unlinked', async () => {
    const owner = newWallet()
    const [mine, theirs] = [await register(newWallet()), await register(owner)]
    expect(JSON.stringify(await wallets(mine.key))).not.toContain(owner.address.toLowerCase())
    expect((await unlink(owner.address, mine.key)).status).toBe(404)
    expect(await wallets(theirs.key)).toHaveLength(1)
  })

  it('a viewer may list but not link or unlink; a project key may not unlink; without a key nothing is allowed', async () => {
    const owner = newWallet()
    const project = await register(owner)
    const viewer = await service.api.key(project.key, 'viewer')
    const writer = await service.api.key(project.key, 'project')
    const proof = await signed(newWallet())
    const linking = await verify(proof, viewer)
    expect([linking.status, linking.json.detail]).toEqual([403, 'forbidden'])
    expect((await verify(proof)).status).toBe(200)
    expect(await wallets(viewer)).toHaveLength(1)
    const statuses = async (key?: string) => (await unlink(owner.address, key)).status
    expect([await statuses(viewer), await statuses(writer), await statuses()]).toEqual([403, 403, 401])
    expect((await service.api.call('GET', '/v1/auth/linked-wallets')).status).toBe(401)
  })

  it('a service administrator has no project to link to, but the wallet is proved', async () => {
    const wallet = newWallet()
    const { status, json } = await verify(await signed(wallet), adminKey)
    expect([status, json.linked]).toEqual([200, false])
    expect(await wallets(adminKey)).toMatchObject({
      detail: 'project_key_required',
      message: expect.stringMatching(/^A linked wallet belongs to a project, and a service administrator has none/),
    })
  })

  it('a malformed address is 422', async () => {
    const project = await register(newWallet())
    const { status, json } = await unlink('0x12', project.key)
    expect([status, json.detail[0].loc]).toEqual([422, ['path', 'address']])
  })
})

describe('minting a key', () => {
  it('returns a project_admin key to the owner, in the header alone', async () => {
    const owner = newWallet()
    const { id } = await register(owner)
    const { status, headers, json, text } = await mint({ ...(await signed(owner)), label: 'back again' })
    const key = headers.get('x-api-key') ?? ''
    secrets.add(key)
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        id: expect.any(String),
        label: 'back again',
        role: 'project_admin',
        project_id: id,
        created_at: expect.any(String),
      },
    })
    expect([headers.get('cache-control'), text.includes(key)]).toEqual(['no-store', false])
    expect((await service.api.call('GET', '/v1/auth/me', { key })).json.project_id).toBe(id)
    const { rows } = await service.app.pool.query('select action, actor from audit_events where object_id = $1', [
      json.id,
    ])
    expect(rows).toEqual([{ action: 'api_key.mint', actor: `wallet:${owner.address.toLowerCase()}` }])
  })

  it('is refused for a wallet that owns no project, linked or not', async () => {
    const [stranger, linked] = [newWallet(), newWallet()]
    const project = await register(newWallet())
    await verify(await signed(linked), project.key)
    for (const wallet of [stranger, linked]) {
      const { status, json, headers } = await mint(await signed(wallet))
      expect([status, json.detail, headers.get('x-api-key')]).toEqual([404, 'not_found', null])
      const named = await mint({ ...(await signed(wallet)), project_id: project.id })
      expect([named.status, named.json.detail]).toEqual([404, 'not_found'])
    }
  })

  it('requires a project id when the wallet owns several; the nonce of the refused attempt stays valid', async () => {
    const owner = newWallet()
    const [, second] = [await register(owner, 'One'), await register(owner, 'Two')]
    const proof = await signed(owner)
    const { status, json } = await mint(proof)
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'project_id']])
    const minted = await mint({ ...proof, project_id: second.id })
    secrets.add(minted.headers.get('x-api-key') ?? '')
    expect([minted.status, minted.json.project_id, minted.json.label]).toEqual([200, second.id, 'minted key'])
  })

  it('needs the owner’s signature: a key of the project is not enough', async () => {
    const owner = newWallet()
    const project = await register(owner)
    const message = await messageFor(owner.address)
    const body = { message, signature: await sign(newWallet(), message) }
    expectRefused(await post('/v1/auth/siwe-mint-key', body, project.key), /signature/)
  })
})

describe('keys over REST', () => {
  const create = (body: object, key: string) => post('/v1/auth/api-keys', body, key)
  const revoke = (id: string, key: string) => service.api.call('DELETE', `/v1/auth/api-keys/${id}`, { key })
  const list = (key: string) => service.api.call('GET', '/v1/auth/api-keys', { key })
  const me = async (key: string) => (await service.api.call('GET', '/v1/auth/me', { key })).status

  it('are rotated: create the replacement, test it, delete the old one', async () => {
    const project = await register(newWallet())
    const made = await create({ label: 'replacement', role: 'project_admin' }, project.key)
    const key = made.headers.get('x-api-key') ?? ''
    secrets.add(key)
    expect([made.status, made.headers.get('cache-control'), made.text.includes(key)]).toEqual([200, 'no-store', false])
    expect(made.json).toEqual({
      id: expect.any(String),
      label: 'replacement',
      role: 'project_admin',
      project_id: project.id,
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    })
    expect(await me(key)).toBe(200)
    const { json: keys } = await list(key)
    const old = keys.find((row: { id: string }) => row.id !== made.json.id)
    expect(keys.map((row: { label: string }) => row.label)).toEqual(['replacement', 'first key'])
    const gone = await revoke(old.id, key)
    expect([gone.status, gone.json]).toEqual([200, { status: 'ok', id: old.id, revoked_at: expect.any(String) }])
    await new Promise(resolve => setTimeout(resolve, 1_000))
    expect([await me(project.key), await me(key)]).toEqual([401, 200])
  })

  it('keep the last project_admin key until the owner’s wallet mints another', async () => {
    const owner = newWallet()
    const project = await register(owner)
    const [first] = (await list(project.key)).json
    const refused = await revoke(first.id, project.key)
    expect([refused.status, refused.json.detail]).toEqual([409, 'last_admin_key'])
    const minted = await mint(await signed(owner))
    const key = minted.headers.get('x-api-key') ?? ''
    secrets.add(key)
    expect((await revoke(first.id, key)).status).toBe(200)
    expect((await revoke(minted.json.id, key)).json.detail).toBe('last_admin_key')
  })

  it('have the given role and expiry; the default role is project', async () => {
    const project = await register(newWallet())
    const expires_at = soon(60 * minutes)
    const { json } = await create({ label: 'short', expires_at }, project.key)
    expect([json.role, json.expires_at]).toEqual(['project', expires_at])
    const bad = await create({ label: 'x', role: 'admin', expires_at: soon(-1) }, project.key)
    expect([bad.status, bad.json.detail.map((issue: { loc: string[] }) => issue.loc[1])]).toEqual([422, ['role']])
    const past = await create({ label: 'x', expires_at: soon(-1) }, project.key)
    expect([past.status, past.json.detail[0].loc]).toEqual([422, ['body', 'expires_at']])
  })

  it('are managed with project_admin keys; a service administrator names the project', async () => {
    const project = await register(newWallet())
    for (const role of ['viewer', 'project'] as const) {
      const key = await service.api.key(project.key, role)
      const answers = [await list(key), await create({ label: 'x' }, key), await revoke(project.id, key)]
      expect(answers.map(answer => answer.status)).toEqual([403, 403, 403])
    }
    const unnamed = await create({ label: 'x' }, adminKey)
    expect([unnamed.status, unnamed.json.detail[0].loc]).toEqual([422, ['body', 'project_id']])
    expect((await create({ label: 'x', project_id: project.id }, adminKey)).json.project_id).toBe(project.id)
    const other = await register(newWallet())
    const [theirs] = (await list(other.key)).json
    expect((await revoke(theirs.id, project.key)).status).toBe(404)
  })

  it('identify the caller', async () => {
    const { json } = await service.api.call('GET', '/v1/auth/me', { key: adminKey })
    expect(json).toEqual({ role: 'admin', project_id: null, is_admin: true })
    expect((await service.api.call('GET', '/v1/auth/me')).status).toBe(401)
    expect((await service.api.call('GET', '/v1/projects')).status).toBe(401)
    const all = (await service.api.call('GET', '/v1/projects', { key: adminKey })).json
    expect(all.length).toBeGreaterThan(5)
  })
})

it('GraphQL does the same', async () => {
  const wallet = newWallet()
  const { data } = await service.api.graphql('mutation { createSignInNonce { signInNonce { nonce domain } } }')
  const proof = await signed(wallet, { nonce: data.createSignInNonce.signInNonce.nonce })
  const query = `mutation ($m: String!, $s: String!) {
    registerProject(input: { name: "By GraphQL", message: $m, signature: $s }) { project { ownerWallet } apiKey { role } key }
  }`
  const variables = { m: proof.message, s: proof.signature }
  const made = (await service.api.graphql(query, { variables })).data.registerProject
  secrets.add(made.key)
  expect([made.project.ownerWallet, made.apiKey.role]).toEqual([wallet.address.toLowerCase(), 'PROJECT_ADMIN'])
  expect((await service.api.graphql(query, { variables })).errors[0].extensions.code).toBe('invalid_signature')
})

it('afterwards no table contains a raw key, none but that of kept proofs a signature, and no audit row a nonce', async () => {
  expect(secrets.size).toBeGreaterThan(100)
  const { rows: tables } = await service.app.pool.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const texts = [...secrets].flatMap(secret => [secret, Buffer.from(secret).toString('hex')])
  const holding = async (table: string, words: string[]) => {
    const { rows } = await service.app.pool.query(
      `select 1 from ${table} as t where exists (select from unnest($1::text[]) as word where position(lower(word) in lower(t::text)) > 0)`,
      [words],
    )
    return rows.length
  }
  expect(tables.length).toBeGreaterThan(15)
  // Proves that the search finds values that exist.
  expect(await holding('projects', ['Corner shop'])).toBe(1)
  const kept = 'public.wallet_proofs'
  for (const { name } of tables.filter(table => table.name !== kept))
    expect([name, await holding(name, texts)]).toEqual([name, 0])
  expect(await holding(kept, ['eip4361'])).toBeGreaterThan(0)
  const keys = texts.filter(text => /^(qtk_|71746b5f)/.test(text))
  expect([keys.length > 10, await holding(kept, keys)]).toEqual([true, 0])
  // Signatures that linked no wallet, or one that was unlinked, are not kept.
  const { rows } = await service.app.pool.query(
    'select id from wallet_proofs p where not exists (select from linked_wallets where proof_id = p.id)',
  )
  expect(rows).toEqual([])
  expect(await holding('audit_events', [...nonces])).toBe(0)
})
