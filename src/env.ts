// The only reader of the environment. Every fault is told at once; what is switched off is null.
import { z } from 'zod'
import { defaultQuotas, isPolicy, type Quotas } from './limits/policy.ts'

const url = (protocols: RegExp) =>
  z.string().refine(value => URL.canParse(value) && protocols.test(value), 'must be a URL')
const baseUrl = url(/^https?:\/\//)
  .transform(value => value.replace(/\/+$/, ''))
  .optional()
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

/** `key=6000,sign-in=0`: what is not named keeps its default. */
const quotas = list.transform((entries, { addIssue }): Quotas => {
  const given = entries.map(entry => {
    const [, name = '', quota] = /^([a-z-]+)=(\d{1,9})$/.exec(entry) ?? []
    if (!isPolicy(name)) addIssue(`must be ${Object.keys(defaultQuotas).join(', ')}, each with = and a whole number`)
    return [name, Number(quota)] as const
  })
  return { ...defaultQuotas, ...Object.fromEntries(given) }
})

const variables = z.object({
  NODE_ENV: z.string().optional(),
  PORT: natural.refine(port => port < 65_536, 'must be below 65536').default(8000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_BASE_URL: baseUrl,
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
  ANCHOR_CONTRACT: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
    .transform(value => value.toLowerCase())
    .optional(),
  ANCHOR_PRIVATE_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
    .optional(),
  ANCHOR_CONFIRMATIONS: natural.refine(n => n >= 1, 'must be at least 1').default(12),
  IPFS_GATEWAY: baseUrl,
  ARWEAVE_GATEWAY: baseUrl,
  RATE_LIMITS: quotas.default(defaultQuotas),
  TRUST_PROXY: natural.default(0),
  ALLOW_PRIVATE_TARGETS: flag,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export type Env = {
  production: boolean
  port: number
  host: string
  /** Null: made from host and port. */
  publicBaseUrl: string | null
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
  /** Where `ipfs/<cid>` and `tx/<id>` are asked for; null: such bundles cannot be verified by their id. */
  ipfsGateway: string | null
  arweaveGateway: string | null
  /** Requests a minute. */
  rateLimits: Quotas
  /** Proxies in front whose X-Forwarded-For is believed. */
  trustedProxies: number
  allowPrivateTargets: boolean
  logLevel: string
}

export class EnvError extends Error {}

const together = ['ANCHOR_CHAIN', 'ANCHOR_RPC_URL', 'ANCHOR_CONTRACT'] as const
const neededInProduction = ['DATABASE_URL', 'PUBLIC_BASE_URL', 'ADMIN_API_KEYS', 'SIGNING_KEY_FILE'] as const

/** Throws `EnvError` with a line for each fault. */
export function readEnv(source: NodeJS.ProcessEnv): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))
  const { success, data, error } = variables.safeParse(given)
  const faults = success ? [] : error.issues.map(issue => `${issue.path.join('.')} ${issue.message}`)
  const missing = (names: readonly string[], why: string) =>
    names.filter(name => given[name] === undefined).map(name => `${name} is missing: ${why}`)
  if (together.some(name => given[name] !== undefined) && given.CHAINS_FILE !== undefined)
    faults.push('CHAINS_FILE and ANCHOR_CHAIN exclude each other')
  else if (together.some(name => given[name] !== undefined))
    faults.push(...missing(together, 'a chain of your own needs all of these'))
  if (given.NODE_ENV === 'production') {
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
    ipfsGateway: data.IPFS_GATEWAY ?? null,
    arweaveGateway: data.ARWEAVE_GATEWAY ?? null,
    rateLimits: data.RATE_LIMITS,
    trustedProxies: data.TRUST_PROXY,
    allowPrivateTargets: data.ALLOW_PRIVATE_TARGETS,
    logLevel: data.LOG_LEVEL,
  }
}
