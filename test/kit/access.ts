// Fixture for access-control tests: a service in its own process, callers of every kind, and a project with data.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { killWithUs } from '../../src/embedded/on-death.ts'
import { adminKey, apiOf, freshDatabase, roomForAll } from './service.ts'

export const callers = [
  'none',
  'o.viewer',
  'o.project',
  'o.admin',
  'viewer',
  'project',
  'admin',
  'service',
  'revoked',
  'expired',
] as const
export type Caller = (typeof callers)[number]

/** Reads a table of expectations: each row has an operation, the object it is about and the outcome for each caller. */
export async function tableOf(
  file: string,
): Promise<{ what: string; object: string; expected: Map<Caller, string> }[]> {
  const [head = '', ...lines] = (await readFile(new URL(file, import.meta.url), 'utf8')).trim().split('\n')
  const words = (line: string) => (line.split(' | ')[2] ?? '').trim().split(/ +/)
  if (words(head).join() !== callers.join()) throw new Error(`${file} has other callers`)
  return lines.map(line => {
    const [what = '', object = ''] = line.split(' | ').map(part => part.trim())
    return { what, object, expected: new Map(callers.map((caller, index) => [caller, words(line)[index] ?? ''])) }
  })
}

export type World = Awaited<ReturnType<typeof startWorld>>

const absent = '00000000-0000-4000-8000-000000000000'

/** Every value that callers of other projects must not see contains this mark. */
export const mark = `mark${randomBytes(6).toString('hex')}`

export async function startWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-access-'))
  const databaseUrl = await freshDatabase()
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PORT: '0',
    ADMIN_API_KEYS: adminKey,
    LOG_LEVEL: 'trace',
    ALLOW_PRIVATE_TARGETS: 'true',
  }
  const limits = { RATE_LIMITS: roomForAll }
  const child: ChildProcess = spawn(process.execPath, ['src/main.ts'], {
    env: { ...process.env, ...env, ...limits },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.once('exit', killWithUs(child.pid))
  let output = ''
  const base = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const found = /"url":"(http[^"]+)"/.exec(output)?.[1]
      if (found) resolve(found)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', () => reject(new Error(`it did not start: ${output}`)))
  })
  const api = apiOf(base)
  const own = await api.project(`Own ${mark}`)
  const other = await api.project('Other')
  const query = (key: string, text: string, variables: Record<string, unknown> = {}) =>
    api.graphql(text, { key, variables })

  const made = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey { id } } }'
  const create = async (input: Record<string, unknown>) => {
    const { key, apiKey } = (await query(own.key, made, { input })).data.createApiKey
    return { key: String(key), id: String(apiKey.id) }
  }
  const revoked = await create({ label: 'revoked' })
  await query(own.key, 'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', { id: revoked.id })
  const expired = await create({ label: 'expired', expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await database.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [expired.id])

  const keys: Record<Caller, string | null> = {
    none: null,
    'o.viewer': await api.key(other.key, 'viewer'),
    'o.project': await api.key(other.key, 'project'),
    'o.admin': other.key,
    viewer: await api.key(own.key, 'viewer'),
    project: await api.key(own.key, 'project'),
    admin: own.key,
    service: adminKey,
    revoked: revoked.key,
    expired: expired.key,
  }
  const sessionOf = async (key: string | null) => {
    const { data } = await query(key ?? '', 'mutation { createSession(input: {}) { token session { id } } }')
    return { token: String(data.createSession.token), id: String(data.createSession.session.id) }
  }
  const sessions = { viewer: (await sessionOf(keys.viewer)).token, admin: (await sessionOf(keys.admin)).token }
  // The tests take longer than the life of a session.
  await database.query(`update sessions set expires_at = now() + interval '1 day'`)
  const recorded = await api.record(own.key, { reference: mark })
  const receipt = (await api.anchored(recorded.json.receipt_id)).id as string
  const { rows: payments } = await database.query<{ id: string }>(
    `insert into payments (id, network, asset, payer, nonce, amount, currency, pay_to, endpoint, fingerprint, payload,
       project_id, status, since_block, txid, settled_at, delivered_at, receipt_id)
     values (gen_random_uuid(), 'eip155:31337', '0x0', '0x' || repeat('1', 40), '\\x00', 1, $1,
       '0x' || repeat('2', 40), '/v1/x402/premium/fx-lookup', '\\x00', '{}', $2, 'delivered', 0, '0x' || repeat('3', 64), now(), now(), $3) returning id`,
    [mark, own.id, receipt],
  )
  await database.query(
    `insert into events (type, project_id, payment_id) select 'payment.delivered', project_id, id from payments`,
  )
  const agent = async () => {
    const input = `{ name: "${mark}", walletAddress: "0x1" }`
    const made = await query(own.key, `mutation { createAgent(input: ${input}) { agent { id } } }`)
    return String(made.data.createAgent.agent.id)
  }
  // No server listens on port 9.
  const endpoint = async () => {
    const input = `{ url: "http://127.0.0.1:9/${mark}" }`
    const made = await query(own.key, `mutation { createWebhookEndpoint(input: ${input}) { webhookEndpoint { id } } }`)
    return String(made.data.createWebhookEndpoint.webhookEndpoint.id)
  }
  const webhook = await endpoint()
  const tested = 'mutation ($id: ID!) { testWebhookEndpoint(input: { id: $id }) { webhookDelivery { id } } }'
  const { data: sent } = await query(own.key, tested, { id: webhook })
  const statement = await query(own.key, 'mutation { generateStatement(input: {}) { statement { id } } }')
  const { rows: accounts } = await database.query<{ id: string }>(
    `insert into statement_accounts (id, project_id, wallet_key, chain_key, currency, wallet, chain, since, balance)
     values (gen_random_uuid(), $1, 'shop', 'base', 'USDC', 'shop', 'base', now(), 1) returning id`,
    [own.id],
  )
  const statementAccount = accounts[0]?.id ?? ''
  const { data: exported } = await query(
    own.key,
    `mutation { startExport(input: { kind: RECEIPTS, format: CSV, receiptFilter: { reference: { eq: "${mark}" } } }) { export { id } } }`,
  )
  const since = new Date(Date.now() - 86_400_000).toISOString()
  const { data: covered } = await query(
    own.key,
    `mutation { startWalletCoverage(input: { wallet: "0x${'11'.repeat(20)}", chain: "local", currency: "TESTUSD", since: "${since}" }) { walletCoverage { id } } }`,
  )
  const coverage = String(covered.startWalletCoverage.walletCoverage.id)
  await database.query('update wallet_coverages set failure_reason = $2, failed_at = now() where id = $1', [
    coverage,
    mark,
  ])

  const erasable = (await api.anchored((await api.record(own.key)).json.receipt_id)).id as string
  return {
    base,
    api,
    keys,
    /** Tokens of sessions of the callers of this name. */
    sessions,
    own,
    receipt,
    /** Is newer than all else, because exports and transcripts since then go with it. */
    erasable,
    payment: payments[0]?.id ?? '',
    statement: statement.data.generateStatement.statement.id as string,
    statementAccount,
    export: String(exported.startExport.export.id),
    /** Ends what earlier calls left, because the number of exports at one time is limited. */
    endExports: () => database.query('update exports set finished_at = now() where finished_at is null'),
    coverage,
    /** The same of comparisons of wallets. */
    endCoverages: () => database.query('update wallet_coverages set finished_at = now() where finished_at is null'),
    agent: await agent(),
    freshAgent: agent,
    webhook,
    delivery: String(sent.testWebhookEndpoint.webhookDelivery.id),
    /** Deletes the endpoints that earlier calls left, because the number of endpoints per project is limited. */
    async freshEndpoint() {
      await database.query('update webhook_endpoints set deleted_at = now() where id <> $1', [webhook])
      return endpoint()
    },
    absent,
    /** Creates an API key of the project `own` that no other test uses. */
    freshKey: () => create({ label: 'fresh' }),
    /** Creates a session of the project `own` that no other test uses. */
    freshSession: async () => (await sessionOf(own.key)).id,
    ownKeyId: (await create({ label: 'kept' })).id,
    database,
    log: () => output,
    /** Reads every file under the data folder. */
    async files(): Promise<{ name: string; text: string }[]> {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      return Promise.all(
        entries
          .filter(entry => entry.isFile())
          .map(async entry => {
            const name = join(entry.parentPath, entry.name)
            return { name, text: await readFile(name, 'latin1') }
          }),
      )
    },
    async stop() {
      await database.end()
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
