// Settings with misspelt names are refused, because the service would otherwise start with a default unnoticed.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { EnvError, readEnv } from '../../src/env.ts'

function faults(environment: NodeJS.ProcessEnv, file: NodeJS.ProcessEnv = {}): string {
  try {
    readEnv(environment, file)
    return ''
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return error.message
  }
}

describe('an environment variable that is no setting', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['NODE_EVN', 'NODE_ENV'],
    ['ROLE', 'ROLES'],
    ['TRUSTPROXY', 'TRUST_PROXY'],
    ['RATE_LIMIT', 'RATE_LIMITS'],
    ['ANCHOR_RPC', 'ANCHOR_RPC_URL'],
    ['X402_PAYTO', 'X402_PAY_TO'],
    ['FX_FEED', 'FX_FEEDS'],
  ])('%s is refused with %s as the suggestion', (name, setting) => {
    expect(faults({ [name]: 'x' })).toBe(`  ${name} is no setting: the nearest is ${setting}`)
  })

  it('is refused in .env however different it is from every setting, because nothing else reads that file', () => {
    expect(faults({}, { COLOUR: 'red' })).toBe('  COLOUR in .env is no setting: .env.example lists all')
  })

  it('is reported together with every other fault', () => {
    expect(faults({ DATABSE_URL: 'x', PORT: 'eighty' }).split('\n')).toHaveLength(2)
  })
})

describe('another program’s environment variable', () => {
  it.each([
    'HOME',
    'PATH',
    'HOSTNAME',
    'HOSTTYPE',
    'LOGNAME',
    'PGHOST',
    'PGPORT',
    'POSTGRES_URL',
    'DATABASE_PRIVATE_URL',
    'NODE_OPTIONS',
    'NODE_PATH',
    'npm_config_loglevel',
    'IPFS_PATH',
    'KUBERNETES_SERVICE_HOST',
    'ANCHOR_SERVICE_HOST',
    'ANCHOR_SERVICE_PORT_HTTP',
    'ANCHOR_PORT',
    'X402_PORT_8000_TCP_ADDR',
  ])('%s is ignored', name => {
    expect(faults({ [name]: 'x' })).toBe('')
  })

  it('is ignored beside the setting that it resembles', () => {
    expect(faults({ DATABASE_URL: 'postgres://a/b', DATABASE_URI: 'postgres://a/c' })).toBe('')
  })

  it('is ignored in the environment of this test process', () => {
    expect(faults(process.env)).toBe('')
  })
})

it('NODE_ENV=prod is refused, because production would run with development keys', () => {
  expect(faults({ NODE_ENV: 'prod' })).toContain('the nearest to prod is production')
  expect(faults({ NODE_ENV: 'live' })).toBe('  NODE_ENV must be development, production, test')
})

it('each setting that production lacks is named with its own reason', () => {
  const lines = faults({ NODE_ENV: 'production' }).split('\n')
  expect(lines).toHaveLength(8)
  expect(lines[0]).toBe(
    '  DATABASE_URL is missing: NODE_ENV=production requires it, because the embedded database is for development only',
  )
  expect(lines.filter(line => line.includes('database is for'))).toHaveLength(1)
})

describe('in production a secret that anybody could know', () => {
  const random = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64')
  const set = {
    NODE_ENV: 'production',
    ADMIN_API_KEYS: 'Zt4nQ8wK2mX7vB1cJ6hY3pLd',
    WEBHOOK_SECRET: `a:${random}`,
    SECRETS_KEY: `a:${random}`,
    ANCHOR_PRIVATE_KEY: `0x${'1f2e3d4c5b6a7988'.repeat(4)}`,
  }
  const said = (changed: NodeJS.ProcessEnv) => faults({ ...set, ...changed }).match(/\w+ is (?:no secret|a published)/g)

  it.each([
    ['ADMIN_API_KEYS', 'x'.repeat(40)],
    ['ADMIN_API_KEYS', `Zt4nQ8wK2mX7vB1cJ6hY3pLd,${'ab'.repeat(16)}`],
    ['WEBHOOK_SECRET', `a:${Buffer.alloc(32).toString('base64')}`],
    ['SECRETS_KEY', `new:${random},old:${Buffer.alloc(32, 7).toString('base64')}`],
    ['ANCHOR_PRIVATE_KEY', `0x${'00'.repeat(31)}01`],
    ['X402_FACILITATOR_PRIVATE_KEY', `0x${'11'.repeat(32)}`],
  ])('%s=%s is refused', (name, value) => {
    expect(said({ [name]: value })).toEqual([`${name} is no secret`])
  })

  it.each([
    // The first and the tenth account of Hardhat and Anvil, and the first of Ganache.
    '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    '0x2A871D0798F97D79848A013D4936A73BF4CC922C825D33C1CF7073DFF6D409C6',
    '0x4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d',
  ])('the key %s of development tools is refused', key => {
    expect(said({ ANCHOR_PRIVATE_KEY: key })).toEqual(['ANCHOR_PRIVATE_KEY is a published'])
  })

  it('is accepted in development, where it is of use', () => {
    expect(said({})).toBeNull()
    expect(faults({ ADMIN_API_KEYS: 'x'.repeat(40) })).toBe('')
  })

  it('is named without its value', () => {
    expect(faults({ ...set, ADMIN_API_KEYS: 'abab'.repeat(8) })).not.toContain('abab')
  })
})

it('the environment overrides .env, also to switch a setting off', () => {
  const file = { PORT: '1', LOG_LEVEL: 'debug', IPFS_GATEWAY: 'https://ipfs.example.com' }
  expect(readEnv({ PORT: '2', IPFS_GATEWAY: '' }, file)).toMatchObject({
    PORT: 2,
    LOG_LEVEL: 'debug',
    IPFS_GATEWAY: null,
  })
})

it('.env.example names settings only, and is valid as it is', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  expect(faults({}, parseEnv(text))).toBe('')
  const named = [...text.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name ?? '')
  expect(faults({}, Object.fromEntries(named.map(name => [name, 'x'])))).not.toContain('is no setting')
})

describe('ALLOWED_ORIGINS', () => {
  it.each([
    [undefined, null],
    ['*', null],
    ['https://app.example.com', ['https://app.example.com']],
    ['https://APP.example.com:443/, http://localhost:3000', ['https://app.example.com', 'http://localhost:3000']],
  ])('%s is parsed as browsers write an origin', (text, origins) => {
    expect(readEnv({ ALLOWED_ORIGINS: text }).ALLOWED_ORIGINS).toEqual(origins)
  })

  it.each([
    'https://app.example.com, *',
    'app.example.com',
    'https://*.example.com',
    'https://a.example/b',
    'https://me@a.example',
    'ftp://a.example',
    'null',
  ])('%s is refused', text => {
    expect(faults({ ALLOWED_ORIGINS: text })).toContain('ALLOWED_ORIGINS must be origins')
  })
})

it('an assistant without prices, budget or key is refused with every missing name', () => {
  expect(faults({ AI_PROVIDER: 'openai', AI_MODEL: 'm' }).match(/AI_\w+ is missing/g)).toEqual([
    'AI_INPUT_PRICE is missing',
    'AI_OUTPUT_PRICE is missing',
    'AI_DAILY_BUDGET is missing',
    'AI_API_KEY is missing',
  ])
  expect(faults({ AI_PROVIDER: 'gpt' })).toContain('AI_PROVIDER must be openai-compatible, openai, anthropic, google')
})

it('an encryption key is 32 bytes with a unique name, and is not repeated in a fault', () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  expect(readEnv({ SECRETS_KEY: `b:${key},a:${key}` }).SECRETS_KEY?.map(({ id }) => id)).toEqual(['b', 'a'])
  for (const wrong of [key, `a:${key},a:${key}`, `a:${key.slice(4)}`]) {
    expect(faults({ SECRETS_KEY: wrong })).toMatch(/^ {2}SECRETS_KEY must be names/)
    expect(faults({ SECRETS_KEY: wrong })).not.toContain(key.slice(8))
  }
})

describe('an object store', () => {
  const whole = {
    S3_ENDPOINT: 'https://s3.example.com/',
    S3_BUCKET: 'evidence',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  }

  it('is configured by four settings together', () => {
    expect(readEnv({ ...whole, S3_PREFIX: 'a/b' }).s3).toMatchObject({
      endpoint: 'https://s3.example.com',
      prefix: 'a/b/',
      isPathStyle: true,
    })
    expect(readEnv({}).s3).toBeNull()
    for (const name of Object.keys(whole)) {
      expect(faults({ ...whole, [name]: '' })).toBe(`  ${name} is missing: an object store needs all of these`)
    }
  })

  it.each([
    { S3_ENDPOINT: 'https://id:secret@s3.example.com' },
    { S3_ENDPOINT: 's3.example.com' },
    { S3_BUCKET: 'a/b' },
    { S3_BUCKET: 'Evidence' },
    { S3_PREFIX: '/a' },
    { S3_PREFIX: 'a/../b' },
    { S3_PREFIX: 'a//b' },
  ])('%o is refused, and no secret is shown', change => {
    const text = faults({ ...whole, ...change })
    expect(text).toMatch(new RegExp(`^ {2}${Object.keys(change)} must be`))
    expect(text).not.toContain('secret')
  })
})

it('an IPFS node’s URL has no credentials, and an Authorization header needs a configured node', () => {
  expect(faults({ IPFS_API: 'http://me:secret@127.0.0.1:5001' })).toMatch(/^ {2}IPFS_API must be a URL without/)
  expect(faults({ IPFS_API_AUTHORIZATION: 'Bearer x' })).toMatch(/^ {2}IPFS_API is missing/)
})
