// The surroundings of a process that sells: database and node with a proxy before each, accounts, and a payer with
// money. They survive the process. Every answer is kept, so that tests can search it for secrets.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { keptPort } from './kept-port.ts'
import type { PaidChain } from './paid-chain.ts'
import { answerTo, createPayer, dollars } from './payer.ts'
import { auditPayments } from './payment-books.ts'
import { startPgProxy } from './pg-proxy.ts'
import { startRpcProxy } from './rpc-proxy.ts'
import { adminKey, apiOf, freshDatabase, roomForAll } from './service.ts'

export const fxPath = '/v1/x402/premium/fx-lookup'
// This rate needs no provider, and the answer has the time of the query: a request that ran twice has two answers.
export const fxQuestion = { base_ccy: 'USD', quote_ccy: 'USD' }

export type PaidWorld = Awaited<ReturnType<typeof createPaidWorld>>

export async function createPaidWorld(chain: PaidChain) {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-paid-'))
  const databaseUrl = await freshDatabase()
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const between = await startPgProxy(databaseUrl)
  const node = await startRpcProxy(chain.url)
  const secret = randomBytes(12).toString('hex')
  const { signer, payTo, settings: own } = await chain.till()
  const payer = await createPayer(chain.node, chain.asset, 1_000_000n)
  const port = await keptPort()
  const common = {
    ...own,
    DATA_DIR: folder,
    ADMIN_API_KEYS: adminKey,
    LOG_LEVEL: 'info',
    RATE_LIMITS: roomForAll,
  }
  const nodeUrl = `${node.url}/v3/${secret}`
  /** Settings of a process that answers requests. */
  const settings: Record<string, string> = {
    ...common,
    DATABASE_URL: between.url,
    ANCHOR_RPC_URL: nodeUrl,
    X402_RPC_URL: nodeUrl,
    PORT: `${port}`,
    ROLES: 'api',
  }
  /** Settings of a worker beside that process. It does not use the proxies. */
  const workerSettings: Record<string, string> = { ...common, DATABASE_URL: databaseUrl, ROLES: 'worker' }
  const api = apiOf(`http://127.0.0.1:${port}`)
  const answers: string[] = []

  /** `at`: another process on the same database and chain. */
  async function send(path: string, body: object, header?: string, at = api) {
    const headers = header === undefined ? {} : { 'PAYMENT-SIGNATURE': header }
    const answer = await at.call('POST', path, { body, headers })
    const coded = ['payment-required', 'payment-response'].map(name => atob(answer.headers.get(name) ?? ''))
    answers.push(JSON.stringify([...answer.headers]), answer.text, ...coded)
    return answer
  }
  const buy = (header: string, path = fxPath, body: object = fxQuestion) => send(path, body, header)
  /** Requests a challenge at this path and returns a new payment for it. */
  const header = async (by = payer, path = fxPath, body: object = fxQuestion) =>
    answerTo(by, (await send(path, body)).headers.get('payment-required'))

  const balance = (of = payer): Promise<bigint> => dollars(chain.asset, chain.node).getFunction('balanceOf')(of.address)
  const books = { databaseUrl, rpcUrl: chain.url, asset: chain.asset, payTo, signer }

  /** Returns the secrets that occur in an answer or in `words`: the node's URL, or a signed transaction. */
  async function leaks(words: string): Promise<string[]> {
    const { rows } = await database.query<{ raw: string }>(
      'select raw_transaction as raw from payments where raw_transaction is not null',
    )
    const all = [...answers, words].join('\n')
    const found = [secret, ...rows.map(({ raw }) => raw.slice(2))].filter(hidden => all.includes(hidden))
    return [...found, ...(/02f8[0-9a-f]{300}/i.exec(all) ?? [])]
  }

  return {
    settings,
    workerSettings,
    secret,
    database,
    between,
    node,
    payer,
    books,
    api,
    send,
    buy,
    header,
    balance,
    leaks,
    /** `gifts`: see `PaymentBooks`. */
    audit: (gifts: readonly string[] = []) => auditPayments({ ...books, gifts }),
    async end() {
      await database.end()
      await between.stop()
      await node.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
