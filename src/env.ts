// The only reader of the environment. Every fault is told at once; what is switched off is null.
import { z } from 'zod'
import { authorized, complianceAuthorization, complianceProviders, providerFaults } from './compliance-settings.ts'
import { isAboveZero } from './core/decimal.ts'
import { nearest } from './core/nearest.ts'
import { defaultQuotas, isPolicy, type Quotas } from './limits/policy.ts'
import type { ProviderSetting } from './ports/compliance.ts'
import { type ModelConfig, modelProviders } from './ports/model.ts'
import { strangeNames } from './setting-names.ts'

const url = (protocols: RegExp) =>
  z.string().refine(value => URL.canParse(value) && protocols.test(value), 'must be a URL')
const baseUrl = url(/^https?:\/\//)
  .transform(value => value.replace(/\/+$/, ''))
  .optional()
/** Without credentials, which would show wherever the address does. */
const bareUrl = z
  .string()
  .refine(
    value => /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(value) && URL.canParse(value),
    'must be a URL without credentials and query',
  )
  .transform(value => value.replace(/\/+$/, ''))
  .optional()
const pathPart = '[A-Za-z0-9_-][A-Za-z0-9._-]*'
const evmAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
  .transform(value => value.toLowerCase())
const secp256k1Order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, { error: 'must be 0x and 64 hex digits', abort: true })
  .refine(key => BigInt(key) > 0n && BigInt(key) < secp256k1Order, 'is no private key')
const list = z.string().transform(value =>
  value
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== ''),
)
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform(value => value === 'true')
const natural = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number)

/** `*`, or origins such as `https://app.example.com`; null: any. */
const origins = list.transform((entries, { addIssue }): readonly string[] | null => {
  if (entries.join() === '*') return null
  return entries.map(entry => {
    const url = /^https?:\/\/[^/?#@*]+\/?$/.test(entry) && URL.canParse(entry) ? new URL(entry) : null
    if (url === null) addIssue('must be origins such as https://app.example.com, or * alone')
    return url?.origin ?? ''
  })
})

const feed = /^([A-Z0-9]{2,12})\/([A-Z0-9]{2,12})=(0X[0-9A-F]{40})@([1-9]\d{0,8})$/
/** `FLR/USD=0x…@3600`: what one FLR is worth in USD, told at most an hour ago. */
const feeds = list.transform((entries, { addIssue }) =>
  entries.map(entry => {
    const [, base = '', quote = '', address = '', age] = feed.exec(entry.toUpperCase()) ?? []
    if (base === quote)
      addIssue('must be entries such as FLR/USD=0x…@3600: pair, address, seconds an answer may be old')
    return { base, quote, address: address.toLowerCase(), maxAgeSeconds: Number(age) }
  }),
)
const jsonPointer = z.string().regex(/^(\/([^~]|~[01])*)*$/, 'must be a JSON pointer such as /rates/{quote}')

/** `project=6000,sign-in=0`: what is not named keeps its default. */
const quotas = list.transform((entries, { addIssue }): Quotas => {
  const given = entries.map(entry => {
    const [, name = '', quota] = /^([a-z-]+)=(\d{1,9})$/.exec(entry) ?? []
    if (!isPolicy(name)) addIssue(`must be ${Object.keys(defaultQuotas).join(', ')}, each with = and a whole number`)
    return [name, Number(quota)] as const
  })
  return { ...defaultQuotas, ...Object.fromEntries(given) }
})

const price = z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a decimal such as 0.25')

/** `2026b:…,2026a:…`: what each key is called, and its 32 bytes in base64. */
const wrappingKeys = list.transform((entries, { addIssue }) => {
  const keys = entries.map(entry => {
    const [, id = '', base64 = ''] = /^([A-Za-z0-9._-]{1,40}):([A-Za-z0-9+/]{43}=)$/.exec(entry) ?? []
    return { id, key: Buffer.from(base64, 'base64') }
  })
  const isRight = keys.every(({ id }) => id !== '') && new Set(keys.map(({ id }) => id)).size === keys.length
  if (!isRight || keys.length === 0) addIssue('must be names, each once, and 32 bytes in base64, such as 2026a:…')
  return keys
})

const modes = ['development', 'production', 'test'] as const
const mode = z.enum(modes, {
  error: ({ input }) => `must be ${modes.join(', ')}: the nearest to ${input} is ${nearest(String(input), modes)}`,
})

const variables = z.object({
  NODE_ENV: mode.optional(),
  PORT: natural.refine(port => port < 65_536, 'must be below 65536').default(8000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_BASE_URL: baseUrl,
  ALLOWED_ORIGINS: origins.default(null),
  DATABASE_URL: url(/^postgres(ql)?:\/\//).optional(),
  DATA_DIR: z.string().default('.data'),
  ROLES: list.pipe(z.array(z.enum(['api', 'worker'])).min(1)).default(['api', 'worker']),
  ADMIN_API_KEYS: list.pipe(z.array(z.string().min(24, 'each key must have at least 24 characters'))).optional(),
  SIGNING_KEY_FILE: z.string().optional(),
  CHAINS_FILE: z.string().optional(),
  ANCHOR_CHAIN: z
    .string()
    .regex(/^eip155:\d+$/, 'must be a CAIP-2 id such as eip155:14')
    .optional(),
  ANCHOR_RPC_URL: list.pipe(z.array(url(/^https?:\/\//)).min(1)).optional(),
  ANCHOR_CONTRACT: evmAddress.optional(),
  ANCHOR_PRIVATE_KEY: privateKey.optional(),
  ANCHOR_CONFIRMATIONS: natural.refine(n => n >= 1, 'must be at least 1').default(12),
  IPFS_GATEWAY: baseUrl,
  ARWEAVE_GATEWAY: baseUrl,
  IPFS_API: bareUrl,
  IPFS_API_AUTHORIZATION: z
    .string()
    .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be the value of a header')
    .optional(),
  S3_ENDPOINT: bareUrl,
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a region such as eu-central-1')
    .default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PATH_STYLE: z.enum(['true', 'false']).default('true'),
  S3_PREFIX: z
    .string()
    .regex(new RegExp(`^${pathPart}(/${pathPart})*/?$`), 'must be a folder such as evidence/production')
    .transform(value => value.replace(/\/*$/, '/'))
    .optional(),
  X402_NETWORK: z
    .string()
    .regex(/^eip155:[1-9]\d{0,14}$/, 'must be a CAIP-2 id such as eip155:8453')
    .optional(),
  X402_RPC_URL: list.pipe(z.array(url(/^https?:\/\//)).min(1)).optional(),
  X402_ASSET: evmAddress.optional(),
  X402_PAY_TO: evmAddress.optional(),
  X402_FACILITATOR_PRIVATE_KEY: privateKey.optional(),
  FX_FEEDS: feeds.optional(),
  FX_RPC_URL: list.pipe(z.array(url(/^https?:\/\//)).min(1)).optional(),
  FX_HTTP_URL: url(/^https?:\/\/[^/?#{}]+([/?]|$)/).optional(),
  FX_HTTP_RATE_POINTER: jsonPointer.optional(),
  FX_HTTP_TIME_POINTER: jsonPointer.optional(),
  FX_HTTP_MAX_AGE_SECONDS: natural.refine(n => n >= 1, 'must be at least 1').default(86_400),
  FX_ECB_URL: z
    .string()
    .refine(value => value === 'off' || (URL.canParse(value) && /^https?:\/\//.test(value)), 'must be a URL, or off')
    .default('https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'),
  AI_PROVIDER: z.enum(modelProviders, { error: `must be ${modelProviders.join(', ')}` }).optional(),
  AI_MODEL: z.string().max(200).optional(),
  AI_BASE_URL: baseUrl,
  AI_API_KEY: z.string().optional(),
  AI_INPUT_PRICE: price.optional(),
  AI_OUTPUT_PRICE: price.optional(),
  AI_DAILY_BUDGET: price.refine(isAboveZero, 'must be above zero').optional(),
  AI_TIMEOUT_SECONDS: natural.refine(n => n >= 1 && n <= 600, 'must be 1 to 600').default(60),
  AI_MAX_OUTPUT_TOKENS: natural.refine(n => n >= 16 && n <= 32_768, 'must be 16 to 32768').default(1_024),
  AI_MAX_STEPS: natural.refine(n => n >= 1 && n <= 20, 'must be 1 to 20').default(6),
  AI_TRANSCRIPT_DAYS: natural.refine(n => n <= 3_650, 'must be at most 3650').default(0),
  SECRETS_KEY: wrappingKeys.optional(),
  COMPLIANCE_PROVIDERS: complianceProviders.default([]),
  COMPLIANCE_AUTHORIZATION: complianceAuthorization.default([]),
  RATE_LIMITS: quotas.default(defaultQuotas),
  TRUST_PROXY: natural.default(0),
  ALLOW_PRIVATE_TARGETS: flag,
  SHUTDOWN_SECONDS: natural.refine(n => n >= 1, 'must be at least 1').default(30),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export type Env = {
  production: boolean
  port: number
  host: string
  /** Null: made from host and port. */
  publicBaseUrl: string | null
  /** Of the front ends that browsers may call from and wallets sign in at. Null: any may call. */
  allowedOrigins: readonly string[] | null
  /** Null: the embedded PostgreSQL. */
  databaseUrl: string | null
  dataDir: string
  roles: readonly ('api' | 'worker')[]
  /** Null: a development key is made at the first start. */
  adminApiKeys: readonly string[] | null
  /** Null: a key is made under the data folder. */
  signingKeyFile: string | null
  /** JSON that names the anchoring chains. */
  chainsFile: string | null
  /** The one anchoring chain. Null, and no file: the embedded chain. */
  chain: { caip2: string; rpcUrls: string[]; contract: string; confirmations: number } | null
  /** Signs platform anchors, on every chain. */
  anchorPrivateKey: string | null
  /** Null: payments to the embedded chain's test dollar, if it is there; else nothing can be paid for. */
  x402: { network: string; rpcUrls: string[]; asset: string; payTo: string; privateKey: string } | null
  /** Where the bytes of new files are kept; null: in the database. */
  s3: {
    endpoint: string
    bucket: string
    region: string
    accessKeyId: string
    secretAccessKey: string
    /** The bucket is the first part of the path, else of the host’s name. */
    isPathStyle: boolean
    /** What the names of all objects begin with; may be empty. */
    prefix: string
  } | null
  /** The node through which bundles are published; null: they cannot be. */
  ipfsApi: { url: string; authorization: string | null } | null
  /** Where `ipfs/<cid>` and `tx/<id>` are asked for; null: such bundles cannot be verified by their id. */
  ipfsGateway: string | null
  arweaveGateway: string | null
  fx: {
    /** Price feeds on a chain. Null: those of the embedded chain, if it is there. */
    feeds: { base: string; quote: string; address: string; maxAgeSeconds: number }[] | null
    /** Nodes that read the feeds; null: those of the first anchoring chain. */
    rpcUrls: string[] | null
    http: { url: string; ratePointer: string; timePointer: string | null; maxAgeSeconds: number } | null
    ecbUrl: string | null
  }
  ai: {
    /** Null: the assistant is off. */
    model: ModelConfig | null
    timeoutSeconds: number
    /** Of each step. */
    maxOutputTokens: number
    maxSteps: number
    /** Plain decimals; the prices are those of a million tokens. */
    dailyBudget: string
    inputPrice: string
    outputPrice: string
    transcriptDays: number
  }
  /** Encrypt stored secrets, the first of them new ones; null: none are stored. */
  secretsKeys: { id: string; key: Buffer }[] | null
  /** Those that a configuration can choose. */
  complianceProviders: readonly ProviderSetting[]
  /** Requests a minute. */
  rateLimits: Quotas
  /** Proxies in front whose X-Forwarded-For is believed. */
  trustedProxies: number
  allowPrivateTargets: boolean
  /** From the signal to stop until the process ends, at most. */
  shutdownSeconds: number
  logLevel: string
}

export class EnvError extends Error {}

const together = ['ANCHOR_CHAIN', 'ANCHOR_RPC_URL', 'ANCHOR_CONTRACT'] as const
const storedTogether = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
const httpRates = ['FX_HTTP_URL', 'FX_HTTP_RATE_POINTER'] as const
const paidTogether = [
  'X402_NETWORK',
  'X402_RPC_URL',
  'X402_ASSET',
  'X402_PAY_TO',
  'X402_FACILITATOR_PRIVATE_KEY',
] as const
const assistantTogether = ['AI_PROVIDER', 'AI_MODEL', 'AI_INPUT_PRICE', 'AI_OUTPUT_PRICE', 'AI_DAILY_BUDGET'] as const
const neededInProduction = ['DATABASE_URL', 'PUBLIC_BASE_URL', 'ADMIN_API_KEYS', 'SIGNING_KEY_FILE'] as const

const filled = (source: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))

/** `file` is what stands in `.env`: the environment wins. Throws `EnvError` with a line for each fault. */
export function readEnv(source: NodeJS.ProcessEnv, file: NodeJS.ProcessEnv = {}): Env {
  const given = filled({ ...file, ...source })
  const { success, data, error } = variables.safeParse(given)
  const faults = strangeNames(Object.keys(variables.shape), filled(source), filled(file))
  if (!success) faults.push(...error.issues.map(issue => `${issue.path.join('.')} ${issue.message}`))
  const missing = (names: readonly string[], why: string) =>
    names.filter(name => given[name] === undefined).map(name => `${name} is missing: ${why}`)
  if (together.some(name => given[name] !== undefined) && given.CHAINS_FILE !== undefined)
    faults.push('CHAINS_FILE and ANCHOR_CHAIN exclude each other')
  else if (together.some(name => given[name] !== undefined))
    faults.push(...missing(together, 'a chain of your own needs all of these'))
  if (paidTogether.some(name => given[name] !== undefined))
    faults.push(...missing(paidTogether, 'payments need all of these'))
  if (storedTogether.some(name => given[name] !== undefined) || given.S3_PREFIX !== undefined)
    faults.push(...missing(storedTogether, 'an object store needs all of these'))
  if (given.IPFS_API_AUTHORIZATION !== undefined && given.IPFS_API === undefined)
    faults.push('IPFS_API is missing: without it nothing is sent with IPFS_API_AUTHORIZATION')
  if (given.FX_RPC_URL !== undefined && given.FX_FEEDS === undefined)
    faults.push('FX_FEEDS is missing: without it nothing is read from FX_RPC_URL')
  if (Object.keys(given).some(name => name.startsWith('FX_HTTP_'))) {
    faults.push(...missing(httpRates, 'a service of rates needs both of these'))
    const named = httpRates.map(name => given[name] ?? '{base}{quote}').join(' ')
    // Without them every pair would have the same rate.
    if (!named.includes('{base}') || !named.includes('{quote}'))
      faults.push('FX_HTTP_URL and FX_HTTP_RATE_POINTER must name {base} and {quote} between them')
  }
  const asksModel = ['AI_BASE_URL', 'AI_API_KEY', ...assistantTogether].some(name => given[name] !== undefined)
  if (asksModel) {
    faults.push(
      ...missing(assistantTogether, 'the assistant needs all of these; the prices of a model of your own may be 0'),
    )
    const isOther = given.AI_PROVIDER === 'openai-compatible'
    faults.push(...missing([isOther ? 'AI_BASE_URL' : 'AI_API_KEY'], 'this provider needs it'))
  }
  faults.push(...providerFaults(data?.COMPLIANCE_PROVIDERS ?? [], data?.COMPLIANCE_AUTHORIZATION ?? []))
  if (given.NODE_ENV === 'production') {
    if (data?.COMPLIANCE_PROVIDERS.some(({ kind }) => kind === 'fixed'))
      faults.push('COMPLIANCE_PROVIDERS: fixed answers are for development only')
    const needed = given.CHAINS_FILE === undefined ? [...neededInProduction, ...together] : neededInProduction
    faults.push(...missing(needed, 'the embedded parts and development keys are for development only'))
    if (given.ALLOW_PRIVATE_TARGETS === 'true') faults.push('ALLOW_PRIVATE_TARGETS is for development only')
  }
  if (data === undefined || faults.length > 0)
    throw new EnvError([...new Set(faults)].map(fault => `  ${fault}`).join('\n'))
  return {
    production: data.NODE_ENV === 'production',
    port: data.PORT,
    host: data.HOST,
    publicBaseUrl: data.PUBLIC_BASE_URL ?? null,
    allowedOrigins: data.ALLOWED_ORIGINS,
    databaseUrl: data.DATABASE_URL ?? null,
    dataDir: data.DATA_DIR,
    roles: data.ROLES,
    adminApiKeys: data.ADMIN_API_KEYS ?? null,
    signingKeyFile: data.SIGNING_KEY_FILE ?? null,
    chain:
      data.ANCHOR_CHAIN && data.ANCHOR_RPC_URL && data.ANCHOR_CONTRACT
        ? {
            caip2: data.ANCHOR_CHAIN,
            rpcUrls: data.ANCHOR_RPC_URL,
            contract: data.ANCHOR_CONTRACT,
            confirmations: data.ANCHOR_CONFIRMATIONS,
          }
        : null,
    chainsFile: data.CHAINS_FILE ?? null,
    anchorPrivateKey: data.ANCHOR_PRIVATE_KEY ?? null,
    x402:
      data.X402_NETWORK && data.X402_RPC_URL && data.X402_ASSET && data.X402_PAY_TO && data.X402_FACILITATOR_PRIVATE_KEY
        ? {
            network: data.X402_NETWORK,
            rpcUrls: data.X402_RPC_URL,
            asset: data.X402_ASSET,
            payTo: data.X402_PAY_TO,
            privateKey: data.X402_FACILITATOR_PRIVATE_KEY,
          }
        : null,
    s3:
      data.S3_ENDPOINT && data.S3_BUCKET && data.S3_ACCESS_KEY_ID && data.S3_SECRET_ACCESS_KEY
        ? {
            endpoint: data.S3_ENDPOINT,
            bucket: data.S3_BUCKET,
            region: data.S3_REGION,
            accessKeyId: data.S3_ACCESS_KEY_ID,
            secretAccessKey: data.S3_SECRET_ACCESS_KEY,
            isPathStyle: data.S3_PATH_STYLE === 'true',
            prefix: data.S3_PREFIX ?? '',
          }
        : null,
    ipfsApi: data.IPFS_API ? { url: data.IPFS_API, authorization: data.IPFS_API_AUTHORIZATION ?? null } : null,
    ipfsGateway: data.IPFS_GATEWAY ?? null,
    arweaveGateway: data.ARWEAVE_GATEWAY ?? null,
    fx: {
      feeds: data.FX_FEEDS ?? null,
      rpcUrls: data.FX_RPC_URL ?? null,
      http:
        data.FX_HTTP_URL !== undefined && data.FX_HTTP_RATE_POINTER !== undefined
          ? {
              url: data.FX_HTTP_URL,
              ratePointer: data.FX_HTTP_RATE_POINTER,
              timePointer: data.FX_HTTP_TIME_POINTER ?? null,
              maxAgeSeconds: data.FX_HTTP_MAX_AGE_SECONDS,
            }
          : null,
      ecbUrl: data.FX_ECB_URL === 'off' ? null : data.FX_ECB_URL,
    },
    ai: {
      model:
        data.AI_PROVIDER && data.AI_MODEL
          ? {
              provider: data.AI_PROVIDER,
              name: data.AI_MODEL,
              baseUrl: data.AI_BASE_URL ?? null,
              apiKey: data.AI_API_KEY ?? null,
            }
          : null,
      timeoutSeconds: data.AI_TIMEOUT_SECONDS,
      maxOutputTokens: data.AI_MAX_OUTPUT_TOKENS,
      maxSteps: data.AI_MAX_STEPS,
      dailyBudget: data.AI_DAILY_BUDGET ?? '0',
      inputPrice: data.AI_INPUT_PRICE ?? '0',
      outputPrice: data.AI_OUTPUT_PRICE ?? '0',
      transcriptDays: data.AI_TRANSCRIPT_DAYS,
    },
    secretsKeys: data.SECRETS_KEY ?? null,
    complianceProviders: authorized(data.COMPLIANCE_PROVIDERS, data.COMPLIANCE_AUTHORIZATION),
    rateLimits: data.RATE_LIMITS,
    trustedProxies: data.TRUST_PROXY,
    allowPrivateTargets: data.ALLOW_PRIVATE_TARGETS,
    shutdownSeconds: data.SHUTDOWN_SECONDS,
    logLevel: data.LOG_LEVEL,
  }
}
