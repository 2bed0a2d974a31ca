// CHAINS_FILE: every mistake is reported before anything starts, with its position and without the secrets in node
// URLs.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readChainsFile } from '../../src/adapters/chains-file.ts'
import { EnvError, readEnv } from '../../src/env.ts'

let folder: string
let path: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-chains-'))
  path = join(folder, 'chains.json')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const privateKey = `0x${'11'.repeat(32)}`
const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const flare = {
  name: 'flare',
  caip2: 'eip155:14',
  rpc_urls: ['https://one.example/v3/secret', 'https://user:secret@two.example/', 'http://three.example:9650/rpc'],
  contract,
  finality: { confirmations: 12 },
}
const base = { name: 'base', caip2: 'eip155:8453', rpc_urls: ['https://base.example'], contract, finality: 'finalized' }

async function read(content: unknown, key: string | null = privateKey) {
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return readChainsFile(path, key)
}

async function faultsOf(content: unknown): Promise<string[]> {
  const result = await read(content)
  if ('chains' in result) throw new Error('the file was taken')
  expect(result.faults.join()).not.toMatch(/secret|example/)
  return result.faults
}

test('every setting of a chain is read and converted to the chain’s units', async () => {
  const whole = {
    ...flare,
    quorum: 3,
    explorer_base_url: 'https://explorer.example/flare//',
    deployed_at_block: 123,
    max_fee_gwei: '12.5',
    replace_after_seconds: 90,
  }
  const { rpc_urls: rpcUrls } = flare
  expect(await read([whole])).toEqual({
    chains: [
      {
        name: 'flare',
        caip2: 'eip155:14',
        rpcUrls,
        quorum: 3,
        contract: contract.toLowerCase(),
        finality: { confirmations: 12 },
        explorerBaseUrl: 'https://explorer.example/flare',
        deployedAtBlock: 123,
        account: { privateKey, maxFeePerGas: 12_500_000_000n, replaceAfterMs: 90_000 },
      },
    ],
  })
})

test('settings that are absent have their defaults; without a private key nothing is signed', async () => {
  const { rpc_urls: rpcUrls } = base
  const plain = {
    name: 'base',
    caip2: 'eip155:8453',
    rpcUrls,
    contract: contract.toLowerCase(),
    finality: 'finalized',
    explorerBaseUrl: null,
    deployedAtBlock: 0,
  }
  const account = { privateKey, maxFeePerGas: 300_000_000_000n, replaceAfterMs: 60_000 }
  expect(await read([base])).toEqual({ chains: [{ ...plain, account }] })
  expect(await read([{ ...base, finality: 'safe' }], null)).toEqual({
    chains: [{ ...plain, finality: 'safe', account: null }],
  })
})

test('the order of the file is kept, because receipts are anchored on the first chain by default', async () => {
  expect(await read([base, flare])).toMatchObject({ chains: [{ name: 'base' }, { name: 'flare' }] })
})

describe('the mistakes that are reported with their position', () => {
  test.each([
    ['no name', { name: undefined }, /^CHAINS_FILE 0\.name /],
    ['a blank name', { name: ' ' }, /^CHAINS_FILE 0\.name Must not be blank/],
    ['a chain id alone', { caip2: '14' }, /^CHAINS_FILE 0\.caip2 must be a CAIP-2 id/],
    ['another namespace', { caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }, /^CHAINS_FILE 0\.caip2 must be/],
    ['a chain id with a leading zero', { caip2: 'eip155:014' }, /^CHAINS_FILE 0\.caip2 must be/],
    ['a chain id that is no exact number', { caip2: 'eip155:9007199254740993' }, /^CHAINS_FILE 0\.caip2 must be/],
    ['no node', { rpc_urls: [] }, /^CHAINS_FILE 0\.rpc_urls /],
    ['a node by websocket', { rpc_urls: ['wss://secret.example'] }, /^CHAINS_FILE 0\.rpc_urls\.0 must be an http/],
    ['no URL', { rpc_urls: ['https://one.example', 'secret'] }, /^CHAINS_FILE 0\.rpc_urls\.1 must be an http/],
    [
      'a node twice, which would count twice',
      { rpc_urls: ['https://one.example/', 'https://one.example'] },
      /^CHAINS_FILE 0\.rpc_urls\.1 is the same as 0\.rpc_urls\.0$/,
    ],
    ['a quorum of more than there are', { quorum: 4 }, /^CHAINS_FILE 0\.quorum must be at most/],
    ['a quorum of none', { quorum: 0 }, /^CHAINS_FILE 0\.quorum /],
    ['a quorum of a half', { quorum: 1.5 }, /^CHAINS_FILE 0\.quorum /],
    ['an address cut short', { contract: '0x5FbDB' }, /^CHAINS_FILE 0\.contract must be 0x and 40/],
    ['no finality', { finality: undefined }, /^CHAINS_FILE 0\.finality must be "safe"/],
    ['a finality there is not', { finality: 'latest' }, /^CHAINS_FILE 0\.finality must be "safe"/],
    ['no confirmations', { finality: { confirmations: 0 } }, /^CHAINS_FILE 0\.finality\.confirmations /],
    ['an explorer without http', { explorer_base_url: 'flare' }, /^CHAINS_FILE 0\.explorer_base_url must be an http/],
    ['a block below 0', { deployed_at_block: -1 }, /^CHAINS_FILE 0\.deployed_at_block /],
    ['a fee as a number', { max_fee_gwei: 5 }, /^CHAINS_FILE 0\.max_fee_gwei /],
    ['a fee of 0, at which nothing is ever sent', { max_fee_gwei: '0.0' }, /^CHAINS_FILE 0\.max_fee_gwei must be/],
    ['a fee with an exponent', { max_fee_gwei: '1e3' }, /^CHAINS_FILE 0\.max_fee_gwei must be/],
    ['a replacement at once', { replace_after_seconds: 0 }, /^CHAINS_FILE 0\.replace_after_seconds /],
    ['a setting there is not', { rpc_url: 'https://secret.example' }, /^CHAINS_FILE 0 .*"rpc_url"/],
  ])('%s', async (_, change, fault) => {
    const faults = await faultsOf([{ ...flare, ...change }])
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(fault)
  })

  test('do not include a maximum fee below one gwei', async () => {
    expect(await read([{ ...base, max_fee_gwei: '0.000000001' }])).toMatchObject({
      chains: [{ account: { maxFeePerGas: 1n } }],
    })
  })

  test('include a chain that occurs twice, because one signer would use its nonces for two chains', async () => {
    expect(await faultsOf([flare, base, { ...base, name: ' flare ' }])).toEqual([
      'CHAINS_FILE 2.name is the same as 0.name',
      'CHAINS_FILE 2.caip2 is the same as 1.caip2',
    ])
  })

  test('are reported all at once, so that an operator can correct a file in one pass', async () => {
    const faults = await faultsOf([
      { ...flare, contract: '0x', quorum: 9 },
      { ...flare, caip2: 'flare' },
      'https://secret.example',
    ])
    expect(faults.map(fault => fault.split(' ')[1])).toEqual(['0.contract', '1.caip2', '2', '0.quorum', '1.name'])
  })
})

test.each([
  ['absent', null, /^CHAINS_FILE cannot be read: ENOENT/],
  ['no JSON', '[{"rpc_urls":["https://one.example/secret",]}]', /^CHAINS_FILE cannot be read as JSON$/],
  [
    'JSON broken at a place',
    '[{"rpc_urls": "https://one.example/secret" 1}]',
    /as JSON at position \d+ \(line 1 column/,
  ],
  ['empty', '', /^CHAINS_FILE cannot be read as JSON$/],
  ['no list', JSON.stringify(flare), /^CHAINS_FILE Invalid input: expected array/],
  ['an empty list', '[]', /^CHAINS_FILE must name at least one chain$/],
])('a file that is %s is reported in one line, without its content', async (_, content, fault) => {
  if (content === null) await rm(path, { force: true })
  const faults = content === null ? await readChainsFile(path, null) : { faults: await faultsOf(content) }
  expect(faults).toEqual({ faults: [expect.stringMatching(fault)] })
})

describe('the environment', () => {
  const chain = { ANCHOR_CHAIN: 'eip155:14', ANCHOR_RPC_URL: 'https://one.example', ANCHOR_CONTRACT: contract }
  const production = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://db.example/quittance',
    PUBLIC_BASE_URL: 'https://quittance.example',
    ADMIN_API_KEYS: 'k3mfW8qzR1xVb7tYc5dNg2hJ',
    SIGNING_KEY_FILE: '/keys/signing.pem',
    WEBHOOK_SECRET: `a:${Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('base64')}`,
  }

  function faultsIn(source: NodeJS.ProcessEnv): string {
    try {
      readEnv(source)
      return ''
    } catch (error) {
      if (error instanceof EnvError) return error.message
      throw error
    }
  }

  test('names its chains in one way only, because one of two ways would be ignored', () => {
    expect(faultsIn({ CHAINS_FILE: path, ...chain })).toBe('  CHAINS_FILE and ANCHOR_CHAIN exclude each other')
    expect(faultsIn({ CHAINS_FILE: path, ANCHOR_CONTRACT: contract })).toMatch(/exclude each other/)
    expect(readEnv({ CHAINS_FILE: path })).toMatchObject({ CHAINS_FILE: path, chain: null })
    expect(readEnv(chain)).toMatchObject({
      CHAINS_FILE: null,
      chain: { caip2: 'eip155:14', rpcUrls: ['https://one.example'], contract: contract.toLowerCase() },
    })
    expect(readEnv({ CHAINS_FILE: '' })).toMatchObject({ CHAINS_FILE: null, chain: null })
  })

  test('in production must name its chains, because the embedded chain exists on one machine only', () => {
    expect(faultsIn(production).match(/ANCHOR_\w+ is missing/g)).toHaveLength(3)
    expect(faultsIn({ ...production, CHAINS_FILE: path })).toBe('')
    expect(faultsIn({ ...production, ...chain })).toBe('')
  })

  test('has the same gateway with and without a trailing slash', () => {
    expect(
      readEnv({ IPFS_GATEWAY: 'https://ipfs.example//', ARWEAVE_GATEWAY: 'https://arweave.example/gate/' }),
    ).toMatchObject({ IPFS_GATEWAY: 'https://ipfs.example', ARWEAVE_GATEWAY: 'https://arweave.example/gate' })
    expect(readEnv({})).toMatchObject({ IPFS_GATEWAY: null, ARWEAVE_GATEWAY: null })
    expect(faultsIn({ IPFS_GATEWAY: 'ipfs.example' })).toMatch(/IPFS_GATEWAY must be a URL/)
  })
})
