// A project erases what is its own, as exactly as it is named, and nothing of others; no late writer brings it back.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wrapFetchWithPayment } from '@x402/fetch'
import { JsonRpcProvider } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlOf, withEffects } from '../../src/kit/transaction.ts'
import { report } from '../../src/modules/artifacts/tasks.ts'
import { erase } from '../../src/modules/erasure/erase.ts'
import { endMove, seal, startMove } from '../../src/modules/moves/freeze.ts'
import { closeEnded } from '../../src/modules/statements/close.ts'
import { writeNumbered } from '../../src/modules/statements/write.ts'
import { until } from '../kit/child.ts'
import { runCommand } from '../kit/command.ts'
import { clientOf, createPayer, type Payer } from '../kit/payer.ts'
import { adminKey, type Service, startService, tipOf } from '../kit/service.ts'

type Project = { id: string; key: string }

let service: Service
let node: JsonRpcProvider
let payer: Payer
let victim: Project
let attacker: Project

beforeAll(async () => {
  service = await startService()
  const { facilitator } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  payer = await createPayer(node, facilitator.asset, 10_000_000n)
  victim = await service.api.project('Victim')
  attacker = await service.api.project('Attacker')
})
afterAll(async () => {
  node?.destroy()
  await service?.stop()
})

const rows = async (text: string, values: unknown[] = []) => (await service.app.pool.query(text, values)).rows
const soon = (what: string, isSo: () => Promise<boolean>) => until(what, isSo, () => '', 60_000)

async function ask(query: string, key: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await service.api.graphql(query, { key, variables })
  if (errors) throw Object.assign(new Error(errors[0].message), { code: errors[0].extensions.code })
  return data
}

const erasing =
  'mutation ($id: ID!) { eraseReceipt(input: { receiptId: $id }) { files statements refunds receipt { reference } } }'
const eraseAs = async (key: string, id: string) => (await ask(erasing, key, { id })).eraseReceipt

async function recorded({ key }: Project, tip: Partial<ReturnType<typeof tipOf>> = {}): Promise<string> {
  const { json } = await service.api.record(key, tip)
  await service.api.anchored(json.receipt_id)
  return json.receipt_id
}

/** Calls a paid route as the official client does. */
async function buy(method: string, path: string, key?: string) {
  const { facilitator, paymentsTo: payTo } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  const requirement = await facilitator.requirement({ amount: '0.005', payTo, maxTimeoutSeconds: 120 })
  let sent: Request | undefined
  const noted: typeof fetch = (input, init) => {
    sent = new Request(input, init)
    return fetch(sent.clone())
  }
  const headers = key === undefined ? {} : { 'X-API-Key': key }
  const answer = await wrapFetchWithPayment(noted, clientOf(payer, requirement))(service.base + path, {
    method,
    headers,
  })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return {
    text,
    json: JSON.parse(text),
    again: () => (sent ? fetch(sent.clone()) : Promise.reject(new Error('unsent'))),
  }
}

const statusOf = async (url: string) => (await fetch(url)).status

async function exported(key: string): Promise<string> {
  const { startExport } = await ask(
    'mutation { startExport(input: { kind: RECEIPTS, format: CSV }) { export { id } } }',
    key,
  )
  const { id } = startExport.export
  await soon(
    'the export',
    async () => (await rows('select from exports where id = $1 and finished_at is not null', [id])).length > 0,
  )
  return id
}
const exportsLeft = async () => (await rows('select id from exports')).map(({ id }) => id)

it('what others have stays, whatever a project recorded, until an administrator erases', async () => {
  const paid = await recorded(victim, { sender_wallet: payer.address, reference: 'order 1' })
  // Another tenant states a payment of the same wallet, by the same transaction and under the same reference.
  const { tip_tx_hash } = (await rows('select tip_tx_hash from receipts where id = $1', [paid]))[0]
  const copied = await recorded(attacker, { sender_wallet: payer.address, reference: 'order 1', tip_tx_hash })
  const bought = await buy('POST', '/v1/x402/premium/generate-statement')
  const { statement } = await ask('mutation { generateStatement(input: {}) { statement { url } } }', victim.key).then(
    data => data.generateStatement,
  )
  const own = await ask('mutation { generateStatement(input: {}) { statement { url } } }', attacker.key)
  const repeated = { key: victim.key, body: tipOf(), headers: { 'Idempotency-Key': 'mine' } }
  const first = await service.api.call('POST', '/v1/iso/record-tip', repeated)
  const [ofAdmin, ofVictim, ofAttacker] = [
    await exported(adminKey),
    await exported(victim.key),
    await exported(attacker.key),
  ]

  await expect(eraseAs(attacker.key, paid)).rejects.toMatchObject({ code: 'not_found' })
  const { files, statements } = await eraseAs(attacker.key, copied)
  // Its own statement has a page and an archive of its accounts; the receipt has its messages and its bundle.
  expect([statements, files > 3]).toEqual([1, true])
  expect(await exportsLeft()).toEqual(expect.arrayContaining([ofAdmin, ofVictim]))
  expect(await exportsLeft()).not.toContain(ofAttacker)
  const urls = [
    bought.json.url,
    statement.url,
    own.generateStatement.statement.url,
    `${service.base}/files/${paid}/evidence.zip`,
  ]
  expect(await Promise.all(urls.map(statusOf))).toEqual([200, 200, 410, 200])
  expect((await service.api.call('POST', '/v1/iso/record-tip', repeated)).text).toBe(first.text)

  // The project cannot tell from the answer or from its audit trail what else an administrator erased.
  expect(await eraseAs(adminKey, copied)).toMatchObject({ files: 0, statements: 1 })
  const trail = await rows(
    `select details from audit_events where object_id = $1 and action = 'receipt.erase' order by seq`,
    [copied],
  )
  expect(trail.map(({ details }) => details)).toEqual([
    { files, refunds: 0, statements: 1 },
    { files: 0, refunds: 0, statements: 1 },
  ])
  expect(await Promise.all(urls.map(statusOf))).toEqual([410, 200, 410, 200])
  expect(await exportsLeft()).toEqual([ofVictim])
})

describe('stored answers', () => {
  const references = ['e', '"', 'a\\b', 'é', '<&>', 'anchored', 'USDC', '1']

  it.each(references)('a receipt with the reference %s takes only the answers that name it', async reference => {
    const project = await service.api.project()
    const recordedAs = async (name: string, of: string) => {
      const query = `mutation ($input: RecordReceiptInput!) { recordReceipt(input: $input) { receipt { ${of === reference ? '' : 'id status currency amount'} reference } } }`
      const { tip_tx_hash, sender_wallet, receiver_wallet, ...tip } = tipOf({
        reference: of,
        amount: '1',
        currency: 'USDC',
      })
      const { chain, amount, currency } = tip
      const input = {
        chain,
        amount,
        currency,
        reference: of,
        settlementTx: tip_tx_hash,
        senderWallet: sender_wallet,
        receiverWallet: receiver_wallet,
      }
      const request = { key: project.key, body: { query, variables: { input } }, headers: { 'Idempotency-Key': name } }
      const { json } = await service.api.call('POST', '/graphql', request)
      expect(json.errors).toBeUndefined()
      return () => service.api.call('POST', '/graphql', request)
    }
    const again = await recordedAs('named', reference)
    const others = [await recordedAs('longer', `${reference}${reference}`), await recordedAs('other', 'order 2')]
    const answers = async () => (await Promise.all(others.map(repeat => repeat()))).map(({ json }) => json.data)
    const before = await answers()
    const [{ id }] = await rows('select id from receipts where project_id = $1 and reference = $2', [
      project.id,
      reference,
    ])
    await service.api.anchored(id)

    await eraseAs(project.key, id)
    expect(await again()).toMatchObject({ status: 410, json: { detail: 'content_erased' } })
    expect(await answers()).toEqual(before)
  })

  it('are found among many', async () => {
    const id = await recorded(victim)
    const [{ principal }] = await rows(`select 'key:' || id as principal from api_keys where project_id = $1`, [
      victim.id,
    ])
    const named = `principal = $1 and key like 'many-%'`
    await rows(
      `insert into idempotent_requests (principal, key, fingerprint, finished_at, status, headers, body)
       select $1, 'many-' || n, '', now(), 200, '{}', convert_to(case when n = 450 then $2 else 'other' end, 'UTF8')
       from generate_series(1, 450) as n`,
      [principal, id],
    )
    await eraseAs(victim.key, id)
    const left = `select status, count(*)::int from idempotent_requests where ${named} group by status order by status`
    expect(await rows(left, [principal])).toEqual([
      { status: 200, count: 449 },
      { status: 410, count: 1 },
    ])
  })

  it('a paid answer that did not arrive is still owed', async () => {
    const id = await recorded(victim)
    const path = `/v1/x402/premium/iso-message/${id}`
    const [arrived, owed] = [
      await buy('GET', `${path}/pain.001`, victim.key),
      await buy('GET', `${path}/pain.002`, victim.key),
    ]
    expect(arrived.text).toContain('CstmrCdtTrfInitn')
    const newest = `select id from payments where project_id = $1 order by verified_at desc limit 1`
    const delivered = async () =>
      (await rows(`select from payments where project_id = $1 and status = 'delivered'`, [victim.id])).length
    await soon('the answers have arrived', async () => (await delivered()) === 2)
    await rows(`update payments set status = 'settled', delivered_at = null where id = (${newest})`, [victim.id])
    await eraseAs(victim.key, id)
    const answers = await Promise.all([arrived, owed].map(async one => (await one.again()).status))
    expect(answers).toEqual([409, 200])
  })
})

describe('whoever writes while a receipt is erased', () => {
  /** Erases the receipt once the work waits for its row, which it has read before. */
  async function meanwhile<T>(id: string, work: () => Promise<T>): Promise<T | { code: string }> {
    const client = await service.app.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from receipts where id = $1 for no key update', [id])
      const done = work().catch(error => error)
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%receipts%' and datname = current_database()`
      await soon('the writer waits', async () => (await rows(waits)).length > 0)
      await withEffects(sqlOf(client), tx => erase(tx, id, 'project', []))
      await client.query('commit')
      return await done
    } finally {
      client.release()
    }
  }

  it('makes no message', async () => {
    const id = await recorded(victim)
    const query =
      'mutation ($id: ID!) { generateMessage(input: { receiptId: $id, type: CAMT_056 }) { artifact { id } } }'
    expect(await meanwhile(id, () => ask(query, victim.key, { id }))).toMatchObject({ code: 'content_erased' })
    expect(await rows(`select from artifacts where receipt_id = $1 and type = 'camt.056'`, [id])).toEqual([])
  })

  it('reports nothing', async () => {
    const id = await recorded(victim)
    await rows(`delete from artifacts where receipt_id = $1 and type = 'pain.002'`, [id])
    await meanwhile(id, () => report.run(service.app, { receipts: [id] }))
    expect(await rows(`select from artifacts where receipt_id = $1 and type = 'pain.002'`, [id])).toEqual([])
  })

  it('makes no statement, and one without the reference when it is asked again', async () => {
    const reference = 'for Ünal'
    const project = await service.api.project()
    const id = await recorded(project, { reference })
    const query = 'mutation { generateStatement(input: {}) { statement { url count } } }'
    expect(await meanwhile(id, () => ask(query, project.key))).toMatchObject({ code: 'conflict' })
    expect(await rows('select from statements where project_id = $1', [project.id])).toEqual([])
    const { url, count } = (await ask(query, project.key)).generateStatement.statement
    const text = await (await fetch(url)).text()
    expect([count, text.includes(reference), text.includes(id)]).toEqual([1, false, true])
  })

  it('writes the numbered statement anew; those of other accounts stay, and the day can be stated again', async () => {
    const project = await service.api.project()
    const [one, other] = [await recorded(project, { reference: 'for Ünal' }), await recorded(project)]
    await service.app.pool.query(
      `begin; lock table projects, statement_accounts in share row exclusive mode;
       update receipts set booked_at = booked_at - interval '1 day', created_at = created_at - interval '1 day' where project_id = '${project.id}';
       delete from statement_accounts where project_id = '${project.id}';
       update projects set created_at = created_at - interval '3 days', closes_at = now(), series_from = null,
         closed_to = null, closed_day = null where id = '${project.id}';
       commit`,
    )
    await closeEnded(service.app)
    const series = () =>
      rows(
        `select s.id, e.receipt_id as receipt, s.status from statements s join statement_entries e on e.statement_id = s.id
         where s.project_id = $1 and s.kind = 'series' and e.side = 'CRDT'`,
        [project.id],
      )
    await soon(
      'both are anchored',
      async () => (await series()).filter(({ status }) => status === 'anchored').length === 2,
    )
    const [mine, others] = [one, other].map(id => series().then(all => all.find(({ receipt }) => receipt === id)?.id))
    const [id, stays] = [await mine, await others]
    // As if the worker had not written it yet.
    await service.app.pool.query(
      `begin; delete from anchors where statement_id = '${id}'; delete from artifacts where statement_id = '${id}';
       update statements set status = 'pending', bundle_hash = null, ledger_txid = null, anchored_at = null where id = '${id}'; commit`,
    )
    await meanwhile(one, () => writeNumbered(service.app, id))
    const page = await (await fetch(`${service.base}/files/${id}/camt053.xml`)).text()
    expect([page.includes('Ünal'), page.includes('erased:')]).toEqual([false, true])

    await eraseAs(project.key, other)
    expect(await Promise.all([id, stays].map(owner => statusOf(`${service.base}/files/${owner}/camt053.xml`)))).toEqual(
      [200, 410],
    )
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const { statement } = (
      await ask(
        'mutation ($day: Date!) { generateStatement(input: { date: $day }) { statement { kind url count } } }',
        project.key,
        { day },
      )
    ).generateStatement
    expect([statement.kind, statement.count, await statusOf(statement.url)]).toEqual(['PROVISIONAL', 2, 200])
  })
})

it('a reference that looks like that of an erased receipt keeps none from being erased', async () => {
  const project = await service.api.project()
  const id = await recorded(project)
  await recorded(project, { reference: `erased:${id}` })
  const { receipt } = await eraseAs(project.key, id)
  expect(receipt.reference).toMatch(new RegExp(`^erased:${id}:`))
})

it('a project that is moved erases in its new place, and the operator what stayed behind', async () => {
  const project = await service.api.project()
  const id = await recorded(project, { reference: 'for Ünal' })
  await startMove(service.app.pool, project.id)
  await expect(eraseAs(project.key, id)).rejects.toMatchObject({ code: 'project_moving' })
  await soon('it is sealed', async () => (await seal(service.app.pool, project.id)).length === 0)
  await expect(eraseAs(adminKey, id)).rejects.toMatchObject({ code: 'project_moving' })
  expect(await statusOf(`${service.base}/files/${id}/evidence.zip`)).toBe(200)
  const trail = () => rows('select from audit_events where project_id = $1', [project.id])
  const before = (await trail()).length
  const list = join(await mkdtemp(join(tmpdir(), 'quittance-erasures-')), 'list')
  await writeFile(list, id)
  const done = await runCommand(['erasures', '--again', list], { DATABASE_URL: service.databaseUrl })
  expect([done.code, done.err, done.out]).toEqual([0, '', 'Erased again: 1.\n'])
  expect([await statusOf(`${service.base}/files/${id}/evidence.zip`), (await trail()).length]).toEqual([410, before])
  await endMove(service.app.pool, project.id)
})
