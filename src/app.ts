// Composition root: builds adapters, app context, HTTP server and worker from the settings, starts them, and stops them
// in reverse order.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import packageJson from '../package.json' with { type: 'json' }
import { createVault } from './adapters/aes-vault.ts'
import { createModel } from './adapters/ai-sdk-model.ts'
import { createArweaveStore } from './adapters/arweave-store.ts'
import { createChainlinkRates, type Feed } from './adapters/chainlink-rates.ts'
import { accountWith, configuredChains, readPaymentChainsFile, unchangeable } from './adapters/chains-file.ts'
import { openProviders } from './adapters/compliance-providers.ts'
import { databaseFault } from './adapters/database-fault.ts'
import { unfitness } from './adapters/database-fitness.ts'
import { missingRights } from './adapters/database-rights.ts'
import { readDocumentFiles } from './adapters/documents-file.ts'
import { createEcbRates } from './adapters/ecb-rates.ts'
import { openSigningKey } from './adapters/ed25519-file.ts'
import { type ChainConfig, createEthersChain } from './adapters/ethers-chain.ts'
import { createPaymentChain, type PaymentChainConfig } from './adapters/evm-payment-chain.ts'
import { exactPrisma } from './adapters/exact-prisma.ts'
import { createHttpRates } from './adapters/http-rates.ts'
import { createIpfsNode } from './adapters/ipfs-node.ts'
import { createIpfsStore } from './adapters/ipfs-store.ts'
import { type Log, openLog } from './adapters/log.ts'
import { migrate } from './adapters/migrate.ts'
import { isBehind, migrationState, mustMigrate } from './adapters/migrations.ts'
import { openEventFeed } from './adapters/pg-event-feed.ts'
import { answeredWithin, connections, lastingClient, openPool, openReads, readConnections } from './adapters/pg-pool.ts'
import { keepsSessions, pooledReads, poolerFault, poolsTransactions } from './adapters/pg-pooler.ts'
import { createSilence } from './adapters/pg-silence.ts'
import { openStandby } from './adapters/pg-standby.ts'
import { openTunnels } from './adapters/pg-tunnels.ts'
import { measurePool } from './adapters/pool-metrics.ts'
import { createPublicFetch, fetchOwn, guardOf } from './adapters/public-fetch.ts'
import { createPublicPost } from './adapters/public-post.ts'
import { createS3Store } from './adapters/s3-store.ts'
import { traceStatements } from './adapters/traced-pg.ts'
import { createX402Facilitator, settlementCosts } from './adapters/x402-facilitator.ts'
import { AppError } from './core/errors.ts'
import { aliasesWith, type ChainAliases, chainKey } from './core/identity.ts'
import { knownAssets, type LabelledAsset } from './core/known-assets.ts'
import { adminKeys } from './embedded/admin-key.ts'
import { startChain } from './embedded/chain.ts'
import { startPostgres } from './embedded/postgres.ts'
import { StartError } from './embedded/start-error.ts'
import { webhookKey } from './embedded/webhook-key.ts'
import { type Env, EnvError } from './env.ts'
import { PrismaClient } from './generated/prisma/client.ts'
import { openDocuments, type TrustedDocuments } from './graphql/trusted.ts'
import { httpApp } from './http/application.ts'
import { below, pathOf } from './http/base-path.ts'
import type { Finished } from './http/finished.ts'
import { metricsAccess } from './http/metrics-access.ts'
import { openProbes, type Probes } from './http/probes.ts'
import { requestLog } from './http/request-log.ts'
import { countRequest } from './http/request-metrics.ts'
import { type HttpServer, openServer } from './http/server.ts'
import type { Ai, App } from './kit/context.ts'
import { pagedClient } from './kit/paged-client.ts'
import { createStandbys } from './kit/standbys.ts'
import { sqlOf } from './kit/transaction.ts'
import { createLimiter } from './limits/limiter.ts'
import { logMissingProviders } from './modules/compliance/missing.ts'
import { publishSigningKey } from './modules/evidence/keys.ts'
import { openMetrics } from './modules/metrics/collect.ts'
import { renameChains } from './modules/receipts/rename-chains.ts'
import { startDelivering } from './modules/webhooks/dispatch.ts'
import { logMissingKeys } from './modules/webhooks/secrets.ts'
import type { Chain } from './ports/chain.ts'
import type { FxRates } from './ports/fx-rates.ts'
import type { Vault } from './ports/vault.ts'
import { startWorker, type Worker } from './worker/worker.ts'

export type Running = {
  /** URL at which this process listens; null without the `api` role. */
  url: string | null
  /** The port of probes and metrics; null without PROBE_PORT. */
  probePort: number | null
  /** The development administrator key, on the very first start only; otherwise null. */
  newAdminKey: string | null
  /** JSON-RPC URL of the embedded chain; null when another chain is configured. */
  localChain: string | null
  app: App
  /**
   * Reads the files of chains, lists and trusted documents again. Files that cannot be used change nothing. Requests
   * and jobs in progress end with what they began with.
   */
  reload(): Promise<void>
  stop(): Promise<void>
}

/** The id that the node of a project's chain must report; null when the name of the chain does not tell it. */
function evmIdOf(name: string, aliases: ChainAliases): string | null {
  const id = chainKey(name, aliases)
  return /^eip155:[1-9]\d{0,14}$/.test(id) ? id : null
}

// The operator configured the gateways, which may be in the operator's network.
const fetchFromGateway = createPublicFetch({ allowPrivate: true })

// The worker looks for lost work every five seconds, and each of its statements ends within twenty.
const stuckAfterMs = 300_000

export async function start(env: Env): Promise<Running> {
  const log = openLog({ level: env.LOG_LEVEL, roles: env.ROLES, version: packageJson.version })
  const logRequest = requestLog(log, env.REQUEST_LOG)
  const tell = (finished: Finished) => {
    countRequest(finished)
    logRequest(finished)
  }
  const closers: ((deadline: number) => unknown)[] = []
  let server: HttpServer | null = null
  let probes: Probes | null = null
  const stop = async () => {
    probes?.stopping()
    const withinMs = env.SHUTDOWN_SECONDS * 1_000
    const deadline = Date.now() + withinMs
    // The HTTP server stops first, because its requests need the resources that are closed below.
    await server?.stop(withinMs)
    for (const close of closers.splice(0).reverse()) {
      await Promise.resolve(close(deadline)).catch(error => log.error({ err: error }, 'could not stop cleanly'))
    }
  }
  try {
    // The ports are opened first, because one in use is the likeliest fault and the quickest to detect.
    probes = await probesFrom(env)
    closers.push(() => probes?.close())
    server = env.ROLES.includes('api') ? await openServer(env, log, tell) : null
    const tracing = await tracesFrom(env, log)
    if (tracing) closers.push(deadline => tracing.close(deadline))
    const documents = server && (await documentsFrom(env))
    const {
      databaseUrl,
      chains: chainConfigs,
      localChain,
      localFeeds,
      localAssets,
      x402,
    } = await infrastructure(env, closers, log)
    const paymentConfigs = await paymentChainsFrom(env, localChain === null ? [] : chainConfigs)
    await prepareDatabase(databaseUrl, !env.production, log)
    const silence = createSilence(log, () => log.works('database'))
    const poolerUrl = await poolerOf(env, databaseUrl)
    const isShared = poolerUrl !== null
    const pool = openPool(poolerUrl ?? databaseUrl, connections, log, { deadline: answeredWithin, isShared })
    closers.push(() => pool.end())
    const reads = openReads(poolerUrl ? pooledReads(poolerUrl) : databaseUrl, readConnections, log, { isShared })
    closers.push(() => reads.end())
    for (const one of [pool, reads]) {
      if (tracing) traceStatements(one)
      silence.guard(one)
    }
    measurePool('main', pool)
    measurePool('reads', reads)
    // Jobs read nothing there.
    const standbys = server && env.DATABASE_READ_URLS && openStandbys(env.DATABASE_READ_URLS, reads, log)
    if (standbys) closers.push(() => standbys.close())
    const signer = await openSigningKey(env.SIGNING_KEY_FILE ?? join(env.DATA_DIR, 'signing-key.pem'), {
      create: env.SIGNING_KEY_FILE === null,
    })
    await publishSigningKey({ pool }, signer)
    const db = pagedClient(new PrismaClient({ adapter: exactPrisma(pool) }), { pool, reads })
    closers.push(() => db.$disconnect())
    const feed = await openEventFeed(databaseUrl, log, silence)
    closers.push(() => feed.close())
    const admins = await adminKeys(env)
    const url = server ? `http://${urlHost(env.HOST)}:${server.port}` : null
    const fetchPublic = createPublicFetch({ allowPrivate: env.ALLOW_PRIVATE_TARGETS })
    const compliance = await providersFrom(env, log)
    const [firstKey = await webhookKey(env.DATA_DIR), ...otherKeys] = env.WEBHOOK_SECRET ?? []
    const openChain = (config: ChainConfig) =>
      createEthersChain({ ...config, works: () => log.works(`chain ${config.name}`) })
    const chains = chainConfigs.map(openChain)
    const [defaultChain, ...otherChains] = chains
    if (defaultChain === undefined) throw new Error('no chain')
    await checkChains(chains, log)
    const chainAliases = aliasesFrom(env, [...chainConfigs, ...paymentConfigs])
    const app: App = {
      log,
      requestShare: env.REQUEST_LOG.successes,
      tracing,
      pool,
      reads,
      standbys,
      db,
      chains: [defaultChain, ...otherChains],
      chainAliases,
      paymentChains: openPaymentChains(paymentConfigs, log),
      knownAssets: [...knownAssets, ...localAssets],
      openProjectChain: ({ name, rpcUrl, contract }) =>
        createEthersChain({
          name,
          caip2: evmIdOf(name, app.chainAliases),
          rpcUrls: [rpcUrl],
          contract,
          finality: projectFinality,
          account: null,
          fetchPublic,
        }),
      signer,
      compliance,
      feed,
      fetchPublic,
      postPublic: createPublicPost({ allowPrivate: env.ALLOW_PRIVATE_TARGETS }),
      canPost: address => guardOf(new URL(address), env.ALLOW_PRIVATE_TARGETS) !== null,
      webhooks: { keys: [firstKey, ...otherKeys], deliveryDays: env.WEBHOOK_DELIVERY_DAYS },
      eventDays: env.EVENT_DAYS,
      blobStore: env.s3 && createS3Store(env.s3, () => log.works('object store')),
      publisher: env.ipfsNode && createIpfsNode(env.ipfsNode),
      contentStores: [
        ...(env.IPFS_GATEWAY === null ? [] : [createIpfsStore(env.IPFS_GATEWAY, fetchFromGateway)]),
        ...(env.ARWEAVE_GATEWAY === null ? [] : [createArweaveStore(env.ARWEAVE_GATEWAY, fetchFromGateway)]),
      ],
      facilitator: x402 && createX402Facilitator({ ...x402, ...settlementCosts }),
      paymentsTo: x402?.payTo ?? '',
      fxRates: ratesFrom(env, chainConfigs, localFeeds),
      ai: aiFrom(env),
      vault: vaultFrom(env),
      publicBaseUrl: env.PUBLIC_BASE_URL ?? url ?? `http://${urlHost(env.HOST)}:${env.PORT}`,
      allowedOrigins: env.ALLOWED_ORIGINS,
      version: packageJson.version,
      adminKeyHashes: admins.hashes,
    }
    if (env.production && app.publicBaseUrl.startsWith('http://'))
      log.warn({ url: app.publicBaseUrl }, 'PUBLIC_BASE_URL is without TLS: API keys are sent unencrypted')
    await logMissingProviders(app)
    await logMissingKeys(app)
    // Before it serves: a payment that is told again must meet its receipt under the names of this version.
    await renameChains(app)
    let worker: Worker | null = null
    if (env.ROLES.includes('worker')) {
      worker = await startWorker(app, () => lastingClient(databaseUrl, 'quittance worker'))
      closers.push(deadline => worker?.stop(deadline))
      const deliverer = startDelivering(app)
      closers.push(deadline => deliverer.stop(deadline))
    }
    const metrics = openMetrics(app, env.ROLES)
    const limiter = createLimiter(sqlOf(pool), env.RATE_LIMITS, log)
    closers.push(() => limiter.stop())
    if (server !== null && documents !== null) {
      const { TRUST_PROXY: trustedProxies, RATE_LIMITS: quotas } = env
      const graphql = { documents, hasGraphiql: env.graphql.hasGraphiql }
      const { isStopping, accept } = server
      const tunnels = openTunnels(pool, feed, log, accept)
      closers.push(() => tunnels.close())
      const demandDatabase = silence.demandAnswers
      const listener = httpApp(app, {
        ...{ limiter, demandDatabase, quotas, trustedProxies, isStopping, tunnels, graphql, tell },
        metrics: { ...metrics, token: env.METRICS_TOKEN },
      })
      server.serve(below(pathOf(app.publicBaseUrl), listener))
    }
    const fault = databaseFault(pool)
    probes?.serve({
      stuck: () => (worker !== null && performance.now() - worker.lookedAt() > stuckAfterMs ? 'worker' : null),
      unready: async () => (await fault()) ?? (worker?.isRunning() === false ? 'worker' : null),
      metrics: metrics.read,
    })
    const localPayments = localChain === null ? [] : chainConfigs
    const reload = reloading(env, app, {
      ...{ documents, chains: chainConfigs, localFeeds, localPayments, log, openChain },
    })
    return { url, probePort: probes?.port ?? null, newAdminKey: admins.fresh, localChain, app, reload, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

// Imported only where there is a collector.
async function tracesFrom({ traces: variables, ROLES: roles }: Env, log: Log) {
  if (variables === null) return null
  const { openTraces } = await import('./adapters/otlp-traces.ts')
  return openTraces({ variables, roles, version: packageJson.version }, log)
}

type Reloaded = {
  documents: TrustedDocuments | null
  chains: readonly ChainConfig[]
  localFeeds: readonly Feed[]
  localPayments: readonly ChainConfig[]
  log: Log
  openChain(config: ChainConfig): Chain
}

/** Returns a function that reloads, one call after the other. */
function reloading(
  env: Env,
  app: App,
  { documents, localFeeds, localPayments, log, openChain, ...started }: Reloaded,
): () => Promise<void> {
  let { chains: before } = started
  let last = Promise.resolve()

  async function readAgain() {
    const { documentFiles } = env.graphql
    const [configured, opened, read, payments] = await Promise.all([
      env.CHAINS_FILE === null ? { chains: [...before] } : configuredChains(env),
      openProviders(env.complianceProviders, app.log),
      documents === null ? { listed: [] } : readDocumentFiles(documentFiles),
      paymentChainsFrom(env, localPayments),
    ])
    const faults = [configured, opened].flatMap(one => ('faults' in one ? one.faults : []))
    if ('faults' in read) faults.push(...read.faults.map(fault => `GRAPHQL_DOCUMENTS_FILE ${fault}`))
    if ('chains' in configured) faults.push(...unchangeable(before, configured.chains))
    if (faults.length > 0 || !('chains' in configured && 'providers' in opened && 'listed' in read))
      throw new EnvError(faults.join('\n'))
    const [first, ...others] = configured.chains.map(openChain)
    if (first === undefined) throw new EnvError('CHAINS_FILE names no chain')
    const chains: App['chains'] = [first, ...others]
    await checkChains(chains, app.log)
    const aliases = aliasesFrom(env, [...configured.chains, ...payments])
    return { configs: configured.chains, chains, aliases, opened, read, payments }
  }

  async function reload(): Promise<void> {
    try {
      const { configs, chains, aliases, opened, read, payments } = await readAgain()
      // The last that may fail, and from here on nothing waits: no request sees one half.
      const faults = documents?.replace(read.listed) ?? []
      if (faults.length > 0) throw new EnvError(faults.map(fault => `GRAPHQL_DOCUMENTS_FILE ${fault}`).join('\n'))
      before = configs
      app.chains = chains
      app.chainAliases = aliases
      app.paymentChains = openPaymentChains(payments, log)
      app.compliance = opened.providers
      app.fxRates = ratesFrom(env, configs, localFeeds)
      const names = chains.map(({ name }) => name)
      app.log.warn({ chains: names, documents: read.listed.length, providers: opened.providers.size }, 'reloaded')
      await renameChains(app).catch(error => app.log.error({ err: error }, 'receipts keep the names of their chains'))
    } catch (error) {
      const isFault = error instanceof EnvError || error instanceof StartError
      const why = isFault ? { faults: error.message.split('\n').map(fault => fault.trim()) } : { err: error }
      app.log.error(why, 'ALARM: the reload changes nothing, because these files cannot be used')
    }
  }

  return () => {
    last = last.then(reload)
    return last
  }
}

function probesFrom({ PROBE_HOST: host, PROBE_PORT: port, METRICS_TOKEN: token }: Env): Promise<Probes> | null {
  return port === null ? null : openProbes({ host, port, setting: 'PROBE_PORT' }, metricsAccess(token))
}

async function infrastructure(env: Env, closers: ((deadline: number) => unknown)[], log: Logger) {
  const database = env.DATABASE_URL === null ? await startPostgres(join(env.DATA_DIR, 'postgres'), log) : null
  if (database) closers.push(() => database.stop())
  const isLocal = env.chain === null && env.CHAINS_FILE === null
  const local = isLocal ? await startChain(join(env.DATA_DIR, 'chain'), log) : null
  if (local) closers.push(() => local.stop())
  const databaseUrl = env.DATABASE_URL ?? database?.url
  if (databaseUrl === undefined) throw new Error('no database')
  if (local === null) {
    const configured = await configuredChains(env)
    if ('faults' in configured) throw new EnvError(configured.faults.map(fault => `  ${fault}`).join('\n'))
    return { databaseUrl, chains: configured.chains, localChain: null, localFeeds: [], localAssets: [], x402: env.x402 }
  }
  const { rpcUrl, chainId, contract, anchorPrivateKey } = local
  const account = accountWith(anchorPrivateKey)
  const finality = { confirmations: 1 }
  const chain = { name: 'local', caip2: `eip155:${chainId}`, rpcUrls: [rpcUrl], contract, finality, account }
  const localFeeds = local.feeds.map(feed => ({ ...feed, maxAgeSeconds: null }))
  const { testDollar: asset, payTo, facilitatorPrivateKey } = local
  const own = { network: chain.caip2, rpcUrls: [rpcUrl], asset, payTo, privateKey: facilitatorPrivateKey, ...finality }
  const localAssets: LabelledAsset[] = [
    { label: 'ETH', caip19: `${chain.caip2}/slip44:60`, decimals: 18 },
    { label: 'TESTUSD', caip19: `${chain.caip2}/erc20:${asset}`, decimals: 6 },
  ]
  return { databaseUrl, chains: [chain], localChain: rpcUrl, localFeeds, localAssets, x402: env.x402 ?? own }
}

/** The chains of PAYMENT_CHAINS_FILE, and the local one, which every newcomer pays on. */
async function paymentChainsFrom(
  { PAYMENT_CHAINS_FILE: path }: Env,
  local: readonly ChainConfig[],
): Promise<PaymentChainConfig[]> {
  const ofLocal = local.flatMap(({ caip2, ...chain }) => (caip2 === null ? [] : [{ ...chain, caip2 }]))
  if (path === null) return ofLocal
  const read = await readPaymentChainsFile(path)
  if ('faults' in read) throw new EnvError(read.faults.map(fault => `  ${fault}`).join('\n'))
  const named = new Set(read.chains.map(({ caip2 }) => caip2))
  return [...read.chains, ...ofLocal.filter(({ caip2 }) => !named.has(caip2))]
}

const openPaymentChains = (configs: readonly PaymentChainConfig[], log: Log): App['paymentChains'] =>
  new Map(
    configs.map(config => [
      config.caip2,
      createPaymentChain({ ...config, works: () => log.works(`chain ${config.name}`) }),
    ]),
  )

function aliasesFrom({ CHAIN_ALIASES }: Env, chains: readonly Pick<ChainConfig, 'name' | 'caip2'>[]): ChainAliases {
  const ofChains = chains.flatMap(({ name, caip2 }) => (caip2 === null ? [] : [[name, caip2] as const]))
  const { aliases, contradictory } = aliasesWith([...ofChains, ...CHAIN_ALIASES])
  const [name] = contradictory
  if (name !== undefined) throw new EnvError(`  CHAIN_ALIASES and the chains’ names give ${name} to two chains`)
  return aliases
}

/**
 * Migrates outside production, on connections without a deadline: a migration of a large table takes minutes. In
 * production an operator does, once for all processes, with a role that owns the tables.
 */
async function prepareDatabase(databaseUrl: string, migrates: boolean, log: Logger): Promise<void> {
  const pool = openPool(databaseUrl, 2, log)
  try {
    await checkPooler(pool)
    const unfit =
      (await unfitness(pool)) ?? (await missingRights(pool, { migrates })) ?? (await migrationState(pool)).refusal
    if (unfit !== null) throw new StartError(unfit)
    if (migrates) await migrate(pool)
    else if (await isBehind(pool)) throw new StartError(mustMigrate)
  } finally {
    await pool.end()
  }
}

/** A worker waits for jobs by notifications, which needs sessions of its own. */
async function poolerOf({ DATABASE_POOLER_URL: url, ROLES }: Env, databaseUrl: string): Promise<string | null> {
  if (url === null || ROLES.includes('worker')) return null
  const fault = await poolerFault(url, databaseUrl)
  if (fault !== null) throw new StartError(`DATABASE_POOLER_URL cannot be used: ${fault}.`)
  return url
}

const openStandbys = (urls: readonly string[], primary: pg.Pool, log: Logger) =>
  createStandbys(
    primary,
    urls.map(url => openStandby(url, readConnections)),
    log,
  )

async function checkPooler(pool: pg.Pool): Promise<void> {
  const [one, other] = await Promise.all([pool.connect(), pool.connect()])
  const isFit = await keepsSessions(one, other)
  one.release(!isFit)
  other.release(!isFit)
  if (!isFit) throw new StartError(poolsTransactions)
}

const aiFrom = (env: Env): Ai => ({
  timeoutMs: env.AI_TIMEOUT_SECONDS * 1_000,
  maxOutputTokens: env.AI_MAX_OUTPUT_TOKENS,
  maxSteps: env.AI_MAX_STEPS,
  dailyBudget: env.AI_DAILY_BUDGET,
  inputPrice: env.AI_INPUT_PRICE,
  outputPrice: env.AI_OUTPUT_PRICE,
  transcriptDays: env.AI_TRANSCRIPT_DAYS,
  model: env.model && createModel(env.model, true),
  openModel: config => createModel(config, env.ALLOW_PRIVATE_TARGETS),
})

function vaultFrom({ SECRETS_KEY }: Env): Vault | null {
  const [first, ...others] = SECRETS_KEY ?? []
  return first === undefined ? null : createVault([first, ...others])
}

async function providersFrom({ complianceProviders }: Env, log: Logger) {
  const opened = await openProviders(complianceProviders, log)
  if ('faults' in opened) throw new EnvError(opened.faults.map(fault => `  ${fault}`).join('\n'))
  return opened.providers
}

async function documentsFrom({ graphql }: Env): Promise<TrustedDocuments> {
  const read = await readDocumentFiles(graphql.documentFiles)
  const opened = 'faults' in read ? read : openDocuments({ ...graphql, listed: read.listed })
  if ('documents' in opened) return opened.documents
  throw new EnvError(opened.faults.map(fault => `  GRAPHQL_DOCUMENTS_FILE ${fault}`).join('\n'))
}

function ratesFrom(
  { FX_FEEDS, FX_RPC_URL, FX_ECB_URL, rateService }: Env,
  [chain]: readonly ChainConfig[],
  localFeeds: readonly Feed[],
): FxRates[] {
  const feeds = FX_FEEDS ?? localFeeds
  // RPC nodes configured for the price feeds alone get no chain id, because no setting says which chain they serve.
  const { name, caip2 } = chain && FX_RPC_URL === null ? chain : { name: 'of the price feeds', caip2: null }
  const chainId = caip2 === null ? null : BigInt(caip2.slice('eip155:'.length))
  const rpcUrls = FX_RPC_URL ?? chain?.rpcUrls ?? []
  return [
    ...(feeds.length === 0 ? [] : [createChainlinkRates({ name, chainId, rpcUrls, feeds })]),
    ...(rateService === null ? [] : [createHttpRates(rateService, fetchOwn)]),
    ...(FX_ECB_URL === null ? [] : [createEcbRates(FX_ECB_URL, fetchOwn)]),
  ]
}

// The service knows nothing about the finality of a chain that a project configures. On common chains, cautious
// exchanges wait for 12 confirmations.
const projectFinality = { confirmations: 12 }

const checkPatienceMs = 3_000

/** Throws `StartError` for a misconfigured chain. A chain that cannot be reached now does not stop the start. */
async function checkChains(chains: readonly Chain[], log: Logger): Promise<void> {
  await Promise.all(
    chains.map(async chain => {
      try {
        await Promise.race([chain.check(), sleep(checkPatienceMs, undefined, { ref: false })])
      } catch (error) {
        if (error instanceof AppError && error.code === 'chain_misconfigured') throw new StartError(error.message)
        log.warn({ err: error, chain: chain.name }, 'a chain cannot be reached yet')
      }
    }),
  )
}

// The printed URL must be reachable: a wildcard address becomes localhost, and an IPv6 address is put in brackets.
const urlHost = (host: string) =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
