// A whole Quittance for a test file, with its own database, chain, folder and port, and the calls with which tests use
// it.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type Running, start } from '../../src/app.ts'
import { readEnv } from '../../src/env.ts'
import { defaultQuotas } from '../../src/limits/policy.ts'
import { onDatabase, template } from './global-setup.ts'

export const adminKey = `admin_${randomBytes(24).toString('hex')}`

/** Limits that no test reaches. */
export const roomForAll = Object.keys(defaultQuotas)
  .map(policy => `${policy}=999999999`)
  .join()

export async function freshDatabase(): Promise<string> {
  const url = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name} template ${template}`)
  await client.end()
  return onDatabase(url, name)
}

export type Service = Running & { base: string; databaseUrl: string; api: Api }

export async function startService(settings: Record<string, string> = {}): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-service-'))
  const databaseUrl = settings.DATABASE_URL ?? (await freshDatabase())
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PORT: '0',
    ADMIN_API_KEYS: adminKey,
    LOG_LEVEL: 'error',
    // The service must query no host but this machine.
    FX_ECB_URL: 'off',
    RATE_LIMITS: roomForAll,
    ...settings,
  }
  const running = await start(readEnv(env))
  const base = running.url ?? ''
  return {
    ...running,
    base,
    databaseUrl,
    api: apiOf(base),
    stop: async () => {
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Settings of a second service with the role `api` alone, on the first one's database and embedded chain. */
export const apiBeside = ({ databaseUrl, localChain, app }: Service) => ({
  ROLES: 'api',
  DATABASE_URL: databaseUrl,
  ANCHOR_CHAIN: app.chains[0].caip2 ?? '',
  ANCHOR_RPC_URL: localChain ?? '',
  ANCHOR_CONTRACT: app.chains[0].contract,
})

type Api = ReturnType<typeof apiOf>

/** Returns the header for an API key, or for the token of a session. */
export const credentials = (key: string): Record<string, string> =>
  key.startsWith('qts_') ? { Authorization: `Bearer ${key}` } : { 'X-API-Key': key }

export function apiOf(base: string) {
  async function call(
    method: string,
    path: string,
    options: { key?: string; body?: unknown; raw?: BodyInit; headers?: Record<string, string> } = {},
  ) {
    const { key, body, raw, headers } = options
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const response = await fetch(base + path, {
      method,
      redirect: 'manual',
      headers: { ...json, ...(key && credentials(key)), ...headers },
      ...(raw !== undefined ? { body: raw } : body !== undefined ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    // `any`: tests state what they expect of an answer, whatever its type.
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null }
  }

  async function graphql(query: string, options: { key?: string; variables?: Record<string, unknown> } = {}) {
    const { key, variables } = options
    const answer = await call('POST', '/graphql', { body: { query, variables }, ...(key && { key }) })
    return answer.json
  }

  /** Creates a project and its first key, a project_admin. */
  async function project(name = 'Test project'): Promise<{ id: string; key: string }> {
    const query = 'mutation ($name: String!) { createProject(input: { name: $name }) { project { id } key } }'
    const { data } = await graphql(query, { key: adminKey, variables: { name } })
    return { id: data.createProject.project.id, key: data.createProject.key }
  }

  async function key(projectKey: string, role: 'project_admin' | 'project' | 'viewer'): Promise<string> {
    const query = 'mutation ($role: ApiKeyRole!) { createApiKey(input: { label: "test", role: $role }) { key } }'
    const { data } = await graphql(query, { key: projectKey, variables: { role: role.toUpperCase() } })
    return data.createApiKey.key
  }

  const record = (apiKey: string, tip: Partial<Tip> = {}) =>
    call('POST', '/v1/iso/record-tip', { key: apiKey, body: tipOf(tip) })

  /** Waits until the receipt is anchored. */
  async function anchored(receiptId: string, timeoutMs = 120_000) {
    for (
      const until = Date.now() + timeoutMs;
      Date.now() < until;
      await new Promise(resolve => setTimeout(resolve, 100))
    ) {
      const { json } = await call('GET', `/v1/iso/receipts/${receiptId}`)
      if (json?.status === 'anchored') return json
      if (json?.status === 'failed') throw new Error('the receipt failed')
    }
    throw new Error(`the receipt was not anchored within ${timeoutMs} ms`)
  }

  return { base, call, graphql, project, key, record, anchored }
}

export type Tip = {
  tip_tx_hash: string
  chain: string
  amount: string
  currency: string
  sender_wallet: string
  receiver_wallet: string
  reference: string
  resource_hash?: string | null
  callback_url?: string | null
}

const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`

/** A payment that is not recorded yet, with the given fields. */
export const tipOf = (tip: Partial<Tip> = {}): Tip => ({
  tip_tx_hash: hex(32),
  chain: 'base',
  amount: '12.50',
  currency: 'USDC',
  sender_wallet: hex(20),
  receiver_wallet: hex(20),
  reference: `order-${randomBytes(8).toString('hex')}`,
  ...tip,
})
