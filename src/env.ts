// Reads the environment; no other file does. All faults are reported at once. A feature that is switched off is null.
import { z } from 'zod'
import { nearest } from './core/nearest.ts'
import { anchoringFaults, anchoringVariables, ownChain, readChain } from './env/anchoring.ts'
import { assistantFaults, assistantVariables, readModel } from './env/assistant.ts'
import { complianceFaults, complianceVariables, readProviders } from './env/compliance.ts'
import { databaseVariables } from './env/database.ts'
import { fileForm, givenIn } from './env/given.ts'
import { graphqlFaults, graphqlVariables, readGraphql } from './env/graphql.ts'
import { secretFaults } from './env/no-secrets.ts'
import { paymentFaults, paymentVariables, readPayments } from './env/payments.ts'
import { rateFaults, rateVariables, readRateService } from './env/rates.ts'
import { requestLogging } from './env/request-log.ts'
import { secrecyOf, secret } from './env/secret.ts'
import { readIpfsNode, readObjectStore, storageFaults, storageVariables } from './env/storage.ts'
import { readTraces, traceVariables } from './env/traces.ts'
import { atLeastOne, baseUrl, flag, list, missing, natural, orNull } from './env/values.ts'
import { webhookVariables } from './env/webhooks.ts'
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
  const raw = entries.map(entry => {
    const [, name = '', quota] = /^([a-z-]+)=(\d{1,9})$/.exec(entry) ?? []
    if (!isPolicy(name)) addIssue(`must be ${Object.keys(defaultQuotas).join(', ')}, each with = and a whole number`)
    return [name, Number(quota)] as const
  })
  return { ...defaultQuotas, ...Object.fromEntries(raw) }
})

const port = natural.refine(number => number < 65_536, 'must be below 65536')

const modes = ['development', 'production', 'test'] as const
const mode = z.enum(modes, {
  error: ({ input }) => {
    const near = nearest(String(input), modes)
    return `must be ${modes.join(', ')}${near === null ? '' : `: the nearest to ${input} is ${near}`}`
  },
})

export const variables = z.object({
  NODE_ENV: mode.optional(),
  PORT: port.default(8000),
  HOST: z.string().default('127.0.0.1'),
  /** The port of probes and metrics, in every role; null: none. */
  PROBE_PORT: orNull(port),
  PROBE_HOST: z.string().default('127.0.0.1'),
  /** Reads the metrics, and nothing else; null: on PORT an administrator's key, on PROBE_PORT this machine alone. */
  METRICS_TOKEN: secret(
    orNull(z.string().regex(/^[\x21-\x7e]{24,}$/, 'must be at least 24 characters, without spaces')),
  ),
  /** Null: made from host and port. */
  PUBLIC_BASE_URL: baseUrl,
  /**
   * Origins of front ends from which browsers may call and wallets sign in. Null: browsers may call from any origin.
   */
  ALLOWED_ORIGINS: origins.default(null),
  ...databaseVariables,
  DATA_DIR: z.string().default('.data'),
  ROLES: list.pipe(z.array(z.enum(['api', 'worker'])).min(1)).default(['api', 'worker']),
  /** Null: a development key is made at the first start. */
  ADMIN_API_KEYS: secret(orNull(list.pipe(z.array(z.string().min(24, 'each key must have at least 24 characters'))))),
  /** Null: a key is made under the data folder. */
  SIGNING_KEY_FILE: orNull(z.string()),
  ...anchoringVariables,
  ...storageVariables,
  ...paymentVariables,
  ...rateVariables,
  ...assistantVariables,
  ...complianceVariables,
  ...webhookVariables,
  ...graphqlVariables,
  ...traceVariables,
  /** The quota of each limit, as src/limits/policy.ts defines it. */
  RATE_LIMITS: quotas.default(defaultQuotas),
  /** The number of proxies in front whose X-Forwarded-For is trusted. */
  TRUST_PROXY: natural.default(0),
  ALLOW_PRIVATE_TARGETS: flag.default(false),
  /** The longest time from the signal to stop until the process ends. */
  SHUTDOWN_SECONDS: atLeastOne.default(30),
  REQUEST_LOG: requestLogging.default({ successes: 1, errors: true }),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

/** Returns each setting under its own name, and objects of the settings that are needed together. */
const envOf = (data: z.output<typeof variables>) => ({
  ...data,
  production: data.NODE_ENV === 'production',
  chain: readChain(data),
  s3: readObjectStore(data),
  ipfsNode: readIpfsNode(data),
  x402: readPayments(data),
  rateService: readRateService(data),
  model: readModel(data),
  complianceProviders: readProviders(data),
  graphql: readGraphql(data),
  traces: readTraces(data),
})
export type Env = ReturnType<typeof envOf>

export class EnvError extends Error {}

/** Each setting that production requires, and why. */
const neededInProduction: Record<string, string> = {
  DATABASE_URL: 'the embedded database is for development only',
  PUBLIC_BASE_URL: 'links to the address at which the service listens work on its own machine only',
  ADMIN_API_KEYS: 'the administrator key that the first start prints is for development only',
  SIGNING_KEY_FILE: 'the signing key that a start makes in the data folder is for development only',
  WEBHOOK_SECRET: 'the key that a start makes in the data folder is for development only',
}
const chainInProduction = Object.fromEntries(
  ownChain.map(name => [name, 'without it and without CHAINS_FILE the chain is a local one, for development only']),
)

/** The settings that may be given in a file of their own. */
export const secretSettings = Object.entries(variables.shape)
  .filter(([, type]) => secrecyOf(type) !== null)
  .map(([name]) => name)

const known = [...Object.keys(variables.shape), ...secretSettings.map(fileForm)]

const filled = (source: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(source).flatMap(([name, value]) => (value ? [[name, value]] : [])))

/** Parses the values with `shape`. Returns the faults beside the data, which is undefined with faults of its values. */
function parsed<Shape extends z.ZodRawShape>(
  shape: z.ZodObject<Shape>,
  source: NodeJS.ProcessEnv,
  file: NodeJS.ProcessEnv,
) {
  const { given, unread } = givenIn(source, file, secretSettings)
  const raw = Object.fromEntries(Array.from(given, ([name, { value }]) => [name, value]))
  const { success, data, error } = shape.safeParse(raw)
  const place = (name: unknown) => {
    const path = given.get(String(name))?.file
    return path == null ? '' : ` in ${path}`
  }
  const faults = success ? [] : error.issues.map(({ path, message }) => `${path.join('.')}${place(path[0])} ${message}`)
  return { raw, unread, data, faults }
}

const faultLines = (faults: readonly string[]) => [...new Set(faults)].map(fault => `  ${fault}`).join('\n')

/** Reads the two settings of `quittance migrate`, which needs no others. Throws `EnvError`, as `readEnv` does. */
export function readDatabaseUrls(source: NodeJS.ProcessEnv, file: NodeJS.ProcessEnv) {
  const shape = variables.pick({ DATABASE_URL: true, MIGRATION_DATABASE_URL: true })
  const { data, unread, faults } = parsed(shape, source, file)
  const ofFiles = unread.entries().filter(([name]) => name in shape.shape)
  faults.push(...ofFiles.map(([, fault]) => fault))
  if (data === undefined || faults.length > 0) throw new EnvError(faultLines(faults))
  return data
}

/**
 * Reads the settings. `file` is the content of `.env`; the environment wins. Throws `EnvError` with a line for each
 * fault, which quotes no secret.
 */
export function readEnv(source: NodeJS.ProcessEnv, file: NodeJS.ProcessEnv = {}): Env {
  const { raw, data, unread, faults: ofValues } = parsed(variables, source, file)
  const faults = [...strangeNames(known, filled(source), filled(file)), ...unread.values(), ...ofValues]
  for (const faultsOf of [anchoringFaults, paymentFaults, storageFaults, rateFaults, assistantFaults, graphqlFaults])
    faults.push(...faultsOf(raw))
  if (data !== undefined) faults.push(...complianceFaults(data))
  if (raw.NODE_ENV === 'production') {
    const needed = raw.CHAINS_FILE === undefined ? { ...neededInProduction, ...chainInProduction } : neededInProduction
    for (const [name, why] of Object.entries(needed))
      faults.push(...missing(raw, [name], `NODE_ENV=production requires it, because ${why}`))
    if (raw.ALLOW_PRIVATE_TARGETS === 'true') faults.push('ALLOW_PRIVATE_TARGETS is for development only')
    if (data !== undefined) faults.push(...secretFaults(data))
  }
  // A setting whose file cannot be used is not missing.
  const isMissing = (fault: string) => unread.keys().some(name => fault.startsWith(`${name} is missing`))
  if (data === undefined || faults.length > 0) throw new EnvError(faultLines(faults.filter(fault => !isMissing(fault))))
  return envOf(data)
}
