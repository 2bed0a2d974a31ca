// Reads the environment; no other file does. All faults are reported at once. A feature that is switched off is null.
import { z } from 'zod'
import { nearest } from './core/nearest.ts'
import { type AnchoringEnv, anchoringFaults, anchoringVariables, ownChain, readAnchoring } from './env/anchoring.ts'
import { type AssistantEnv, assistantFaults, assistantVariables, readAssistant } from './env/assistant.ts'
import { type ComplianceEnv, complianceFaults, complianceVariables, readCompliance } from './env/compliance.ts'
import { type GraphqlEnv, graphqlFaults, graphqlVariables, readGraphql } from './env/graphql.ts'
import { type PaymentEnv, paymentFaults, paymentVariables, readPayments } from './env/payments.ts'
import { type RateEnv, rateFaults, rateVariables, readRates } from './env/rates.ts'
import { readStorage, type StorageEnv, storageFaults, storageVariables } from './env/storage.ts'
import { baseUrl, fromOne, list, missing, natural, url } from './env/values.ts'
import { readWebhooks, type WebhookEnv, webhookVariables } from './env/webhooks.ts'
import { defaultQuotas, isPolicy, type Quotas } from './limits/policy.ts'
import { strangeNames } from './setting-names.ts'

/** `*`, or origins such as `https://app.example.com`; null allows any origin. */
const origins = list.transform((entries, { addIssue }): readonly string[] | null => {
  if (entries.join() === '*') return null
  return entries.map(entry => {
    const url = /^https?:\/\/[^/?#@*]+\/?$/.test(entry) && URL.canParse(entry) ? new URL(entry) : null
    if (url === null) addIssue('must be origins such as https://app.example.com, or * alone')
    return url?.origin ?? ''
  })
})

/** `project=6000,sign-in=0`: a limit that is not named keeps its default. */
const quotas = list.transform((entries, { addIssue }): Quotas => {
  const given = entries.map(entry => {
    const [, name = '', quota] = /^([a-z-]+)=(\d{1,9})$/.exec(entry) ?? []
    if (!isPolicy(name)) addIssue(`must be ${Object.keys(defaultQuotas).join(', ')}, each with = and a whole number`)
    return [name, Number(quota)] as const
  })
  return { ...defaultQuotas, ...Object.fromEntries(given) }
})

const modes = ['development', 'production', 'test'] as const
const mode = z.enum(modes, {
  error: ({ input }) => `must be ${modes.join(', ')}: the nearest to ${input} is ${nearest(String(input), modes)}`,
})

export const variables = z.object({
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
  ...anchoringVariables,
  ...storageVariables,
  ...paymentVariables,
  ...rateVariables,
  ...assistantVariables,
  ...complianceVariables,
  ...webhookVariables,
  ...graphqlVariables,
  RATE_LIMITS: quotas.default(defaultQuotas),
  TRUST_PROXY: natural.default(0),
  ALLOW_PRIVATE_TARGETS: z
    .enum(['true', 'false'])
    .default('false')
    .transform(value => value === 'true'),
  SHUTDOWN_SECONDS: fromOne.default(30),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export type Env = AnchoringEnv &
  StorageEnv &
  PaymentEnv &
  RateEnv &
  AssistantEnv &
  ComplianceEnv &
  WebhookEnv &
  GraphqlEnv & {
    production: boolean
    port: number
    host: string
    /** Null: made from host and port. */
    publicBaseUrl: string | null
    /**
     * Origins of front ends from which browsers may call and wallets sign in. Null: browsers may call from any origin.
     */
    allowedOrigins: readonly string[] | null
    /** Null: the embedded PostgreSQL. */
    databaseUrl: string | null
    dataDir: string
    roles: readonly ('api' | 'worker')[]
    /** Null: a development key is made at the first start. */
    adminApiKeys: readonly string[] | null
    /** Null: a key is made under the data folder. */
    signingKeyFile: string | null
    /** The quota of each limit, as src/limits/policy.ts defines it. */
    rateLimits: Quotas
    /** The number of proxies in front whose X-Forwarded-For is trusted. */
    trustedProxies: number
    allowPrivateTargets: boolean
    /** The longest time from the signal to stop until the process ends. */
    shutdownSeconds: number
    logLevel: string
  }

export class EnvError extends Error {}

const neededInProduction = [
  'DATABASE_URL',
  'PUBLIC_BASE_URL',
  'ADMIN_API_KEYS',
  'SIGNING_KEY_FILE',
  'WEBHOOK_SECRET',
] as const

const filled = (source: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(source).flatMap(([name, value]) => (value ? [[name, value]] : [])))

/**
 * Reads the settings. `file` is the content of `.env`; the environment wins. Throws `EnvError` with a line for each
 * fault.
 */
export function readEnv(source: NodeJS.ProcessEnv, file: NodeJS.ProcessEnv = {}): Env {
  const given = filled({ ...file, ...source })
  const { success, data, error } = variables.safeParse(given)
  const faults = strangeNames(Object.keys(variables.shape), filled(source), filled(file))
  if (!success) faults.push(...error.issues.map(issue => `${issue.path.join('.')} ${issue.message}`))
  for (const faultsOf of [anchoringFaults, paymentFaults, storageFaults, rateFaults, assistantFaults, graphqlFaults])
    faults.push(...faultsOf(given))
  if (data !== undefined) faults.push(...complianceFaults(data))
  if (given.NODE_ENV === 'production') {
    const needed = given.CHAINS_FILE === undefined ? [...neededInProduction, ...ownChain] : neededInProduction
    faults.push(...missing(given, needed, 'the embedded parts and development keys are for development only'))
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
    ...readAnchoring(data),
    ...readStorage(data),
    ...readPayments(data),
    ...readRates(data),
    ...readAssistant(data),
    ...readCompliance(data),
    ...readWebhooks(data),
    ...readGraphql(data),
    rateLimits: data.RATE_LIMITS,
    trustedProxies: data.TRUST_PROXY,
    allowPrivateTargets: data.ALLOW_PRIVATE_TARGETS,
    shutdownSeconds: data.SHUTDOWN_SECONDS,
    logLevel: data.LOG_LEVEL,
  }
}
