// A dashboard on a real service: what its tools generate from the schema compiles, and its programs list receipts,
// record one, and receive the event that happened before they subscribed.
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Dashboard, startDashboard } from '../../kit/dashboard.ts'
import { tipOf } from '../../kit/service.ts'

let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await startDashboard()
  for (const reference of ['one', 'two', 'three', 'four', 'five'])
    await dashboard.service.api.record(dashboard.key, { reference })
  await generated('@graphql-codegen/cli/esm/bin.js', '--config', 'codegen.ts')
  await generated('relay-compiler/cli.js')
})
afterAll(() => dashboard[Symbol.asyncDispose]())

/** Runs a tool of the dashboard. */
async function generated(path: string, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await dashboard.node([join(dashboard.folder, '../node_modules', path), ...args])
  expect([code, stderr], stdout).toEqual([0, ''])
}

function paymentOf(reference: string) {
  const { tip_tx_hash, sender_wallet, receiver_wallet, chain, amount, currency } = tipOf()
  const wallets = { senderWallet: sender_wallet, receiverWallet: receiver_wallet }
  return { settlementTx: tip_tx_hash, chain, amount, currency, reference, ...wallets }
}

it('compiles with the code of graphql-codegen and relay-compiler, whose types are strings and numbers', () =>
  generated('typescript/bin/tsc', '-p', '.'))

it.each(['urql.ts', 'apollo.ts', 'graphql-sse.ts distinct', 'graphql-sse.ts single'])(
  '%s lists, records, and follows from the time of the list',
  async program => {
    const { service, key } = dashboard
    const { totalCount, nodes } = (
      await service.api.graphql('{ receipts(first: 2) { totalCount nodes { id } } }', { key })
    ).data.receipts
    const payment = paymentOf(program)
    const receipt = { ...row, id: expect.any(String), reference: payment.reference }
    expect(await dashboard.printed(program.split(' '), payment)).toMatchObject({
      listed: { receipts: { totalCount, nodes: nodes.map(({ id }: { id: string }) => ({ ...row, id })) } },
      recorded: { recordReceipt: { matchedBy: null, receipt } },
      changed: { receiptChanged: { matches: true, receipt } },
    })
  },
)
const row = { amount: '12.5', currency: 'USDC', status: 'PENDING', anchorTx: null }

it('tells a user of Apollo’s HttpLink alone where subscriptions are served', async () => {
  const message = expect.stringMatching(/Server-Sent Events.*graphql-sse.*docs\/graphql\.md/)
  expect(await dashboard.printed(['apollo-without-sse.ts'])).toMatchObject({
    error: { name: 'CombinedGraphQLErrors', errors: [{ message, extensions: { code: 'not_acceptable' } }] },
  })
})

it('keeps a list live over a stream that ends with its session', async () => {
  const { service, key } = dashboard
  const sessions = async (): Promise<string[]> => {
    const { data } = await service.api.graphql('{ me { project { sessions(first: 50) { nodes { id } } } } }', { key })
    return data.me.project.sessions.nodes.map(({ id }: { id: string }) => id)
  }
  const record = (reference: string) => service.api.record(key, { reference, currency: 'LIVE' })

  await record('before')
  const lines = dashboard.lines('live.ts')
  expect((await lines.next()).value).toBe('["before"]')
  const known = await sessions()
  await record('first')
  expect((await lines.next()).value).toBe('["before","first"]')
  await expect.poll(async () => (await sessions()).filter(id => !known.includes(id))).toHaveLength(1)
  await record('second')
  expect((await lines.next()).value).toBe('["before","first","second"]')
  expect((await lines.next()).done).toBe(true)
})

it('reads a list again when the service has lost its newest events', async () => {
  const { service, key } = dashboard
  const { pool } = service.app
  const record = (reference: string) => service.api.record(key, { reference, currency: 'LIVE' })
  await pool.query(`update receipts set currency = 'KEPT' where currency = 'LIVE'`)
  const lines = dashboard.lines('live.ts', 'stay')
  expect((await lines.next()).value).toBe('[]')
  await record('kept')
  expect((await lines.next()).value).toBe('["kept"]')
  await pool.query('delete from events')
  await pool.query(`update receipts set reference = 'restored' where reference = 'kept'`)
  // Ends the stream.
  await pool.query('update sessions set revoked_at = now() where revoked_at is null')
  expect((await lines.next()).value).toBe('["restored"]')
  expect((await lines.next()).done).toBe(true)
})

it('relay-runtime pages through connections, refetches by id, and puts a new receipt at the head of a list', async () => {
  const { folder, service, key } = dashboard
  await build({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    build: { ssr: 'relay/program.ts', outDir: 'built' },
    ssr: { noExternal: ['relay-runtime'] },
  })
  const query = '{ receipts(first: 4) { nodes { id reference amount status } } }'
  const { nodes } = (await service.api.graphql(query, { key })).data.receipts
  const references = nodes.map(({ reference }: { reference: string }) => reference)
  const ids = nodes.map(({ id }: { id: string }) => id)
  expect(await dashboard.printed(['built/program.js'], paymentOf('relay'))).toEqual({
    listed: references.slice(0, 2),
    longer: references,
    ofProject: ids.slice(0, 2),
    longerOfProject: ids,
    refetched: nodes[0],
    live: ['relay', ...references],
  })
})
