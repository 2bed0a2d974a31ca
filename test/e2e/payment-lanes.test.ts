// Two processes settle from one account on a chain with a block every two seconds, for sixteen payers with several
// payments each at once. All are delivered, and no nonce is lost or left open.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Child, startChild, until } from '../kit/child.ts'
import { keptPort } from '../kit/kept-port.ts'
import { type PaidChain, startPaidChain } from '../kit/paid-chain.ts'
import { answerTo, createPayer, type Payer } from '../kit/payer.ts'
import { auditPayments, type PaymentBooks } from '../kit/payment-books.ts'
import { adminKey, apiOf, freshDatabase, roomForAll } from '../kit/service.ts'
import { onlyInFull } from '../kit/size.ts'

const payersEach = 8
const paymentsEach = 6
const patienceMs = 60_000

// Parts that started before `beforeAll` failed are closed as well.
const closers: (() => Promise<unknown>)[] = []
let books: PaymentBooks
let chain: PaidChain
let apis: ReturnType<typeof apiOf>[]
let children: Child[]

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-lanes-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  chain = await startPaidChain(['--block-time', '2'])
  closers.push(chain.stop)
  const databaseUrl = await freshDatabase()
  const { signer, payTo, settings } = await chain.till()
  books = { databaseUrl, rpcUrl: chain.url, asset: chain.asset, payTo, signer }
  const ports = [await keptPort(), await keptPort()]
  const common = {
    ...settings,
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    ADMIN_API_KEYS: adminKey,
    LOG_LEVEL: 'error',
    RATE_LIMITS: roomForAll,
  }
  const begin = async (more: Record<string, string>) => {
    const child = await startChild({ ...common, ...more })
    closers.push(() => child.end('SIGKILL'))
    return child
  }
  // The first process creates what the others find.
  const first = await begin({ ROLES: 'api', PORT: `${ports[0]}` })
  children = [first, await begin({ ROLES: 'api', PORT: `${ports[1]}` }), await begin({ ROLES: 'worker' })]
  apis = ports.map(port => apiOf(`http://127.0.0.1:${port}`))
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const said = () => children.map(child => child.said()).join('\n')

/** Sends one payment until it is delivered, as a patient client does, with the same header each time. */
async function buy({ call }: ReturnType<typeof apiOf>, payer: Payer): Promise<string> {
  const ask = (header?: string) =>
    call('POST', '/v1/x402/premium/fx-lookup', {
      body: { base_ccy: 'USD', quote_ccy: 'USD' },
      headers: header === undefined ? {} : { 'PAYMENT-SIGNATURE': header },
    })
  const header = await answerTo(payer, (await ask()).headers.get('payment-required'))
  for (const deadline = Date.now() + patienceMs; ; ) {
    const { status, headers, text } = await ask(header)
    if (status === 200) return `${headers.get('payment-response')}`
    if ((status !== 503 && status !== 409) || Date.now() > deadline) throw new Error(`${status} ${text}\n${said()}`)
    await sleep(Number(headers.get('retry-after')) * 1_000)
  }
}

onlyInFull(
  `${2 * payersEach} payers with ${paymentsEach} concurrent payments: all delivered, no nonce lost, table equals chain`,
  async () => {
    const money = BigInt(paymentsEach) * 1_000n
    const payers = await Promise.all(
      Array.from({ length: 2 * payersEach }, () => createPayer(chain.node, chain.asset, money)),
    )
    const receipts = await Promise.all(
      payers.flatMap((payer, number) => {
        const api = apis[number % 2]
        if (api === undefined) throw new Error('no process')
        return Array.from({ length: paymentsEach }, () => buy(api, payer))
      }),
    )
    const total = 2 * payersEach * paymentsEach
    expect(new Set(receipts).size).toBe(total)
    const database = new pg.Client({ connectionString: books.databaseUrl })
    await database.connect()
    closers.push(() => database.end())
    const rowsSql = 'select signer_nonce::int as nonce, status::text from payments order by signer_nonce'
    const rows = async () => (await database.query<{ nonce: number; status: string }>(rowsSql)).rows
    await expect.poll(rows).toEqual(Array.from({ length: total }, (_, nonce) => ({ nonce, status: 'delivered' })))
    const mined = async () => (await chain.node.getTransactionCount(books.signer)) === total
    await until('the last was waited for', mined, said)
    expect(await auditPayments(books)).toEqual([])
  },
  150_000,
)
