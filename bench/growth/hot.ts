// The work that the service does most, beside lists: reads of one receipt, recording, and what workers pick.

import { knownChains } from '../../src/core/identity.ts'
import { cleanIdempotentRequests, newReservation, reserve } from '../../src/idempotency/reservations.ts'
import type { App } from '../../src/kit/context.ts'
import { inTransaction, sqlOf, type Transaction } from '../../src/kit/transaction.ts'
import { createLimiter } from '../../src/limits/limiter.ts'
import { defaultQuotas } from '../../src/limits/policy.ts'
import { wakeAnchoring } from '../../src/modules/anchoring/wake.ts'
import { readFacts } from '../../src/modules/artifacts/read-facts.ts'
import { lockPending } from '../../src/modules/compliance/store.ts'
import { wakeCompliance } from '../../src/modules/compliance/wake.ts'
import { receiptLog } from '../../src/modules/events/follow.ts'
import { cursorsOf, readProjectLog } from '../../src/modules/events/log.ts'
import { gauges } from '../../src/modules/metrics/installation.ts'
import { addUpCounters } from '../../src/modules/receipts/counters.ts'
import { recordAll } from '../../src/modules/receipts/record.ts'
import { cleanDeliveries } from '../../src/modules/webhooks/clean.ts'
import { claimDue, dueProjects } from '../../src/modules/webhooks/queue.ts'
import { adminKey, tip } from '../kit.ts'

type World = { large: string; keys: { large: string }; receipt: Record<string, string> }
type Work = { name: string; work: () => Promise<unknown>; tables?: string[] }

const nested = `query ($id: ID!) { receipt(id: $id) { id status artifacts { nodes { type url } } anchors { status transaction { hash blockNumber } }
  events { nodes { type } } payment { id } refunds { nodes { id } } project { name } } }`
const done = new Error('rolled back on purpose')
const zero = '00000000-0000-0000-0000-000000000000'

const recording = (projectId: string) => {
  const { tip_tx_hash, sender_wallet, receiver_wallet, ...body } = JSON.parse(tip())
  const wallets = { senderWallet: sender_wallet, receiverWallet: receiver_wallet }
  return {
    projectId,
    actor: 'bench',
    origin: null,
    input: { ...body, ...wallets, settlementTx: tip_tx_hash },
  }
}

export function hotWork(app: App, base: string, { large, keys, receipt }: World): Work[] {
  const sql = sqlOf(app.pool)
  const id = receipt.id ?? ''
  const call = async (path: string, key: string, body?: string) => {
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': key }
    const answer = await fetch(base + path, { headers, ...(body !== undefined && { method: 'POST', body }) })
    const text = await answer.text()
    if (!answer.ok || text.startsWith('{"errors"')) throw new Error(`${path}: ${text}`)
  }
  const ask = (query: string, variables: object = {}, key = keys.large) =>
    call('/graphql', key, JSON.stringify({ query, variables }))
  // Rolled back, so that the explained statement finds what this one found.
  const undone = (work: (tx: Transaction) => Promise<unknown>) =>
    inTransaction(app, async tx => {
      await work(tx)
      throw done
    }).catch(error => {
      if (error !== done) throw error
    })
  const limiter = () => createLimiter(sql, defaultQuotas, app.log)
  const total =
    (args: string, key = keys.large) =>
    () =>
      ask(`{ receipts${args} { totalCount } }`, {}, key)
  return [
    { name: 'one receipt', work: () => call(`/v1/iso/receipts/${id}`, keys.large) },
    { name: 'one receipt with all that belongs to it', work: () => ask(nested, { id }) },
    { name: 'a page of GET /v1/receipts, with its total', work: () => call('/v1/receipts', keys.large) },
    { name: 'total of receipts', work: total('') },
    { name: 'total of receipts by status', work: total('(filter: { statuses: [ANCHORED] })') },
    { name: 'total of receipts by chain', work: total('(filter: { chains: ["base"] })') },
    { name: 'total of the receipts of all projects', work: total('', adminKey) },
    { name: 'total of receipts by currency', work: total('(filter: { currencies: ["EURC"] })') },
    {
      name: 'total of receipts by wallet, counted',
      work: total(`(filter: { senderWallets: ["${receipt.sender}"] })`),
    },
    { name: 'total of receipts by time, counted', work: total('(filter: { createdAt: { since: "2026-06-01" } })') },
    { name: 'total of receipts by hasRefund, counted', work: total('(filter: { hasRefund: true })') },
    { name: 'record a receipt', work: () => undone(({ sql }) => recordAll(sql, [recording(large)], knownChains)) },
    {
      name: 'reserve an Idempotency-Key',
      work: () => {
        const request = { principal: 'key:0', key: 'absent', fingerprint: Buffer.alloc(32) } as never
        return reserve(sql, request, newReservation(request))
      },
    },
    {
      name: 'add to rate limits',
      tables: ['rate_windows'],
      work: async () => {
        const own = limiter()
        own.consume([{ policy: 'address', subject: 'bench' }], 1)
        await own.stop()
      },
    },
    { name: 'newest event of a project', work: () => cursorsOf(sql, large) },
    { name: 'events of a project after a cursor', work: () => readProjectLog(sql, large, '1000') },
    { name: 'stream of a receipt', work: async () => receiptLog(app, id, null).begin() },
    { name: 'lock pending receipts', work: () => lockPending(sql, [id]) },
    { name: 'facts of a receipt to seal', work: () => readFacts(app, sql, [id]) },
    {
      name: 'anchors that wait',
      work: () =>
        sql(
          `select id, bundle_hash as "bundleHash" from anchors where chain = $1 and state = 'waiting' order by created_at, id limit 500`,
          ['local'],
        ),
    },
    { name: 'recovery of anchoring jobs', work: () => wakeAnchoring(app) },
    { name: 'recovery of compliance jobs', work: () => wakeCompliance(app) },
    { name: 'projects with due deliveries', work: () => dueProjects(sql, zero) },
    {
      name: 'due deliveries of a project',
      work: () => undone(({ sql }) => claimDue(sql, { projectId: large, after: zero, places: 8 })),
    },
    { name: 'old deliveries to delete', work: () => cleanDeliveries(app) },
    { name: 'old idempotent responses to delete', work: () => cleanIdempotentRequests(sql) },
    { name: 'add up counters', work: () => addUpCounters(app) },
    { name: 'gauges of a scrape', work: () => Promise.all(gauges.map(({ text }) => sql(text, []))) },
  ]
}
