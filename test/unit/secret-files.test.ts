// Secrets from files, as Docker and Kubernetes mount them.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { EnvError, readEnv, secretSettings, variables } from '../../src/env.ts'

const folder = mkdtempSync(join(tmpdir(), 'quittance-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
function fileOf(content: string | Buffer): string {
  const path = join(folder, `secret-${++count}`)
  writeFileSync(path, content)
  return path
}

function faults(environment: NodeJS.ProcessEnv, dotEnv: NodeJS.ProcessEnv = {}): string {
  try {
    readEnv(environment, dotEnv)
    return ''
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return error.message
  }
}

const key = 'Zt4nQ8wK2mX7vB1cJ6hY3pLd'
const bytes = Buffer.alloc(32, 'key').toString('base64')

it('every setting that may contain a secret is read from a file', () => {
  const values: Record<string, string> = {
    DATABASE_URL: 'postgresql://quittance:geheim@db.example.com/quittance',
    ADMIN_API_KEYS: key,
    ANCHOR_RPC_URL: 'https://rpc.example.com/v3/key',
    ANCHOR_PRIVATE_KEY: `0x${'1f'.repeat(32)}`,
    X402_RPC_URL: 'https://rpc.example.com/v3/key',
    X402_FACILITATOR_PRIVATE_KEY: `0x${'2f'.repeat(32)}`,
    AI_BASE_URL: 'https://ai.example.com/v1',
    AI_API_KEY: 'sk-secret',
    SECRETS_KEY: `a:${bytes}`,
    COMPLIANCE_PROVIDERS: 'acme=http+json:https://screening.example.com/check?key=1',
    COMPLIANCE_AUTHORIZATION: 'acme=Bearer secret',
    WEBHOOK_SECRET: `a:${bytes}`,
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
    IPFS_API_AUTHORIZATION: 'Basic c2VjcmV0',
    IPFS_GATEWAY: 'https://ipfs.example.com',
    ARWEAVE_GATEWAY: 'https://arweave.example.com',
    FX_RPC_URL: 'https://rpc.example.com/v3/key',
    FX_HTTP_URL: 'https://rates.example.com/{base}{quote}?key=1',
    FX_ECB_URL: 'https://ecb.example.com/rates',
  }
  const others = {
    ANCHOR_CHAIN: 'eip155:14',
    ANCHOR_CONTRACT: `0x${'a'.repeat(40)}`,
    X402_NETWORK: 'eip155:14',
    X402_ASSET: `0x${'b'.repeat(40)}`,
    X402_PAY_TO: `0x${'c'.repeat(40)}`,
    AI_PROVIDER: 'openai',
    AI_MODEL: 'm',
    AI_INPUT_PRICE: '1',
    AI_OUTPUT_PRICE: '1',
    AI_DAILY_BUDGET: '1',
    S3_ENDPOINT: 'https://s3.example.com',
    S3_BUCKET: 'evidence',
    IPFS_API: 'http://127.0.0.1:5001',
    FX_FEEDS: `FLR/USD=0x${'d'.repeat(40)}@60`,
    FX_HTTP_RATE_POINTER: '/rate',
  }
  const known = Object.entries(values).filter(([name]) => secretSettings.includes(name))
  const inFiles = Object.fromEntries(known.map(([name, value]) => [`${name}_FILE`, fileOf(`${value}\n`)]))
  expect(known).toHaveLength(Object.keys(values).length)
  expect(readEnv({ ...others, ...inFiles })).toEqual(readEnv({ ...others, ...values }))
})

it('every setting with a name of secrets or of URLs is one of them, so that no new one is printed', () => {
  const published = ['PUBLIC_BASE_URL', 'S3_ENDPOINT', 'IPFS_API', 'SIGNING_KEY_FILE']
  const suspicious = Object.keys(variables.shape).filter(
    name =>
      /KEY|SECRET|TOKEN|PASSWORD|AUTHORIZATION|HEADERS|URL|ENDPOINT|GATEWAY/.test(name) &&
      !/_MINUTES|TOKENS$/.test(name),
  )
  expect(suspicious.filter(name => !secretSettings.includes(name) && !published.includes(name))).toEqual([])
})

describe('the content of a file', () => {
  it.each([
    ['without a line break', key],
    ['with one', `${key}\n`],
    ['from Windows', `\uFEFF${key}\r\n`],
  ])('%s is the value', (_, content) => {
    expect(readEnv({ ADMIN_API_KEYS_FILE: fileOf(content) }).ADMIN_API_KEYS).toEqual([key])
  })

  it('is found behind the links that Kubernetes makes', () => {
    const link = join(folder, 'link')
    symlinkSync(fileOf(key), link)
    expect(readEnv({ ADMIN_API_KEYS_FILE: link }).ADMIN_API_KEYS).toEqual([key])
  })

  it.each([
    ['nothing', '', 'which is empty'],
    ['a line break alone', '\n', 'which is empty'],
    ['a second line break', `${key}\n\n`, 'which has more than one line, or a control character'],
    ['two lines', `${key}\n${key}\n`, 'which has more than one line, or a control character'],
    ['a tab', `${key}\t`, 'which has more than one line, or a control character'],
    ['a space', ` ${key}\n`, 'which begins or ends with a space'],
    ['UTF-16', Buffer.from(`\uFEFF${key}`, 'utf16le'), 'which is not UTF-8'],
    ['too much', key.repeat(4_000), 'which has more than 65536 bytes'],
  ])('%s is refused, and not quoted', (_, content, why) => {
    const path = fileOf(content)
    expect(faults({ ADMIN_API_KEYS_FILE: path })).toBe(`  ADMIN_API_KEYS_FILE names ${path}, ${why}`)
  })

  it('that is no valid value is refused with the path, and not quoted', () => {
    const path = fileOf('short-canary')
    expect(faults({ ADMIN_API_KEYS_FILE: path })).toBe(
      `  ADMIN_API_KEYS.0 in ${path} each key must have at least 24 characters`,
    )
  })
})

it.skipIf(process.getuid?.() === 0)('a file that may not be read is refused', () => {
  const path = fileOf(key)
  chmodSync(path, 0)
  expect(faults({ ADMIN_API_KEYS_FILE: path })).toContain('which cannot be read (EACCES)')
})

it('a missing file and a folder are refused, once, and the setting is not called missing', () => {
  const path = join(folder, 'nowhere')
  const said = faults({ NODE_ENV: 'production', ADMIN_API_KEYS_FILE: path, WEBHOOK_SECRET_FILE: folder })
  expect(said).toContain(`  ADMIN_API_KEYS_FILE names ${path}, which cannot be read (ENOENT)`)
  expect(said).toContain(`  WEBHOOK_SECRET_FILE names ${folder}, which is no file`)
  expect(said).not.toMatch(/ADMIN_API_KEYS is missing|WEBHOOK_SECRET is missing/)
})

it('a pipe that nobody writes does not hold up the start', () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  expect(faults({ ADMIN_API_KEYS_FILE: pipe })).toContain('which is no file')
})

describe('a setting in both forms', () => {
  it('is refused', () => {
    expect(faults({ ADMIN_API_KEYS: key, ADMIN_API_KEYS_FILE: fileOf(key) })).toBe(
      '  ADMIN_API_KEYS_FILE is given beside the setting itself: give one of them',
    )
  })

  it('is overridden by the environment, whichever form .env has', () => {
    const other = 'another-key-of-24-characters'
    const read = (environment: NodeJS.ProcessEnv, dotEnv: NodeJS.ProcessEnv) =>
      readEnv(environment, dotEnv).ADMIN_API_KEYS
    expect(read({ ADMIN_API_KEYS: key }, { ADMIN_API_KEYS_FILE: '/nowhere' })).toEqual([key])
    expect(read({ ADMIN_API_KEYS_FILE: fileOf(key) }, { ADMIN_API_KEYS: other })).toEqual([key])
    expect(read({}, { ADMIN_API_KEYS_FILE: fileOf(key) })).toEqual([key])
    expect(read({ ADMIN_API_KEYS: '' }, { ADMIN_API_KEYS_FILE: fileOf(key) })).toBeNull()
  })
})

it.each([
  ['ADMIN_API_KEY_FILE', 'ADMIN_API_KEYS_FILE'],
  ['ANCHOR_PRIVATE_KEYFILE', 'ANCHOR_PRIVATE_KEY_FILE'],
  ['DATABASE_URLFILE', 'DATABASE_URL_FILE'],
])('%s is refused with %s as the suggestion', (name, setting) => {
  expect(faults({ [name]: '/run/secrets/x' })).toBe(`  ${name} is no setting: the nearest is ${setting}`)
})

it('a setting that is no secret has no such form', () => {
  expect(faults({}, { PORT_FILE: '/run/port' })).toContain('PORT_FILE in .env is no setting')
})
