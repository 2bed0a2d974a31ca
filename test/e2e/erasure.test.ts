// An erased receipt leaves no text about a person in the database or the object store; its evidence still verifies.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { searchKey } from '../../src/core/text-filter.ts'
import { sqlOf } from '../../src/kit/transaction.ts'
import { verifyChain } from '../../src/modules/audit/chain.ts'
import { signingKeys } from '../../src/modules/evidence/keys.ts'
import { closeEnded } from '../../src/modules/statements/close.ts'
import { runChecks } from '../../src/modules/verification/checks.ts'
import { portsOf } from '../../src/modules/verification/ports-of.ts'
import { reproveNext } from '../../src/modules/verification/reprove.ts'
import { columnsWith, hasText } from '../kit/canary.ts'
import { until } from '../kit/child.ts'
import { runCommand, startCommand } from '../kit/command.ts'
import { type ObjectStore, startObjectStore } from '../kit/object-store.ts'
import { startReceiver } from '../kit/receiver.ts'
import { type Service, startService, tipOf } from '../kit/service.ts'
import { onlyInFull, proof, some } from '../kit/size.ts'

let store: ObjectStore
let receiver: Awaited<ReturnType<typeof startReceiver>>
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-erasure-'))
  store = await startObjectStore()
  // A receiver that repeats in its answer what it got.
  receiver = await startReceiver((res, { text, path }) => void res.end(path + text.slice(0, 200)))
})
afterAll(async () => {
  await receiver.stop()
  await store.stop()
  await rm(folder, { recursive: true, force: true })
})

const soon = (what: string, isSo: () => Promise<boolean>) => until(what, isSo, () => '', 60_000)

async function scene(service: Service) {
  const { pool } = service.app
  const project = await service.api.project()
  const rows = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows
  const ask = async (query: string, variables: Record<string, unknown> = {}, key = project.key) => {
    const { data, errors } = await service.api.graphql(query, { key, variables })
    if (errors) throw Object.assign(new Error(errors[0].message), { code: errors[0].extensions.code })
    return data
  }
  const word = `Ünal-${randomBytes(6).toString('hex')}`
  // Another spelling of the word is made of it for searches.
  const texts = [word, searchKey(word) ?? word, encodeURIComponent(word)]
  const recorded = await service.api.call('POST', '/v1/iso/record-tip', {
    key: project.key,
    headers: { 'Idempotency-Key': 'one' },
    body: {
      ...tipOf({ reference: `for ${word}` }),
      callback_url: `${receiver.url}/${encodeURIComponent(word)}`,
    },
  })
  const id = recorded.json.receipt_id as string
  const other = (await service.api.record(project.key)).json.receipt_id as string
  for (const one of [id, other]) await service.api.anchored(one)
  const { refundReceipt } = await ask(
    'mutation ($id: ID!) { refundReceipt(input: { originalReceiptId: $id, amount: "1" }) { refund { id } } }',
    { id },
  )
  await service.api.anchored(refundReceipt.refund.id)
  await ask('mutation ($id: ID!) { generateMessage(input: { receiptId: $id, type: CAMT_056 }) { artifact { id } } }', {
    id,
  })
  await ask('mutation { startExport(input: { kind: RECEIPTS, format: CSV }) { export { id } } }')
  await soon('the export', async () => (await rows('select from exports where finished_at is not null')).length > 0)
  await pool.query(
    `insert into assistant_exchanges (id, project_id, principal, session, question, reply, used_tools)
     values (gen_random_uuid(), $1, 'key:1', 's', $2, 'It is anchored.', '[]')`,
    [project.id, `Where is ${word}?`],
  )
  // A statement of today, and the numbered one of yesterday.
  await ask('mutation { generateStatement(input: {}) { statement { id } } }')
  // The worker closes days too. It may have begun the series of today, and must not see half of this.
  await pool.query(`
    begin;
    lock table projects, statement_accounts in share row exclusive mode;
    update receipts set booked_at = booked_at - interval '1 day', created_at = created_at - interval '1 day';
    delete from statement_accounts;
    update projects set created_at = created_at - interval '3 days', closes_at = now(), series_from = null,
      closed_to = null, closed_day = null;
    commit`)
  await closeEnded(service.app)
  await soon('the statement', async () => {
    const open = await rows(`select from statements where kind = 'series' and status <> 'anchored'`)
    const all = await rows(`select from statements where kind = 'series'`)
    return all.length > 0 && open.length === 0
  })
  await soon(
    'the callbacks',
    async () => (await rows(`select from webhook_deliveries where state = 'waiting'`)).length === 0,
  )
  // Reports of receipts, and what else follows from these, is written after they were anchored.
  await soon(
    'the jobs',
    async () => (await rows('select from graphile_worker._private_jobs where run_at <= now()')).length === 0,
  )
  return { project, id, other, refund: refundReceipt.refund.id as string, word, texts, rows, ask }
}

// Tables that no periodic task changes here. Counters are compared by their sum, because a task merges their rows.
const evidence = [
  ...['projects', 'project_configs', 'api_keys', 'receipts', 'fiat_equivalents', 'compliance_checks', 'payments'],
  ...['statement_accounts', 'statements', 'statement_entries', 'artifacts', 'blobs', 'anchors', 'anchor_transactions'],
  ...['idempotent_requests', 'events', 'webhook_deliveries', 'webhook_attempts', 'audit_events', 'audit_heads'],
]

async function numbers(rows: (text: string) => Promise<{ n: unknown }[]>): Promise<Record<string, number>> {
  const sum = 'select sum(count) as n from (select count from receipt_counts union all select 0) as counts'
  const found = await Promise.all(evidence.map(table => rows(`select count(*) as n from ${table}`)))
  const [counted] = await rows(sum)
  return Object.fromEntries([
    ...found.map(([row], index) => [evidence[index], Number(row?.n)] as const),
    ['counted receipts', Number(counted?.n)],
  ])
}

proof.each(some(['the database', 'an object store'], 2))('erases a receipt whose files are in %s', async place => {
  const settings = place === 'the database' ? {} : store.settings
  const service = await startService({ ...settings, ALLOW_PRIVATE_TARGETS: 'true', AI_TRANSCRIPT_DAYS: '1' })
  try {
    const { project, id, other, refund, word, texts, rows, ask } = await scene(service)
    const { pool } = service.app
    const stored = async () => {
      const found = await Promise.all((await store.names()).map(async name => readFile(store.fileOf(name))))
      const has = await Promise.all(found.map(bytes => hasText(bytes, texts)))
      return has.filter(Boolean).length
    }
    const bundle = Buffer.from(await (await fetch(`${service.base}/files/${id}/evidence.zip`)).arrayBuffer())
    const hashes = () => rows('select name, sha256 from artifacts order by id')
    const anchors = () => rows('select id, bundle_hash, state from anchors order by id')
    const before = { hashes: await hashes(), anchors: await anchors(), numbers: await numbers(rows) }
    // The search finds it where it is.
    const places = await columnsWith(pool, texts)
    expect(places).toEqual(
      expect.arrayContaining([
        'assistant_exchanges.question',
        'export_parts.bytes',
        'receipts.callback_url',
        'receipts.reference',
        'receipts.reference_key',
        'webhook_attempts.answer_start',
        'webhook_deliveries.url',
      ]),
    )
    expect(place === 'the database' ? places.includes('blobs.bytes') : (await stored()) > 5).toBe(true)

    const mutation = `mutation ($id: ID!) { eraseReceipt(input: { receiptId: $id }) { files statements refunds receipt { reference erasedAt } } }`
    const stranger = await service.api.project('Stranger')
    await expect(ask(mutation, { id }, stranger.key)).rejects.toMatchObject({ code: 'not_found' })
    const { eraseReceipt } = await ask(mutation, { id })
    expect(eraseReceipt).toMatchObject({
      refunds: 1,
      receipt: { reference: `erased:${id}`, erasedAt: expect.any(String) },
    })
    expect([eraseReceipt.files > 8, eraseReceipt.statements > 1]).toEqual([true, true])

    expect(await columnsWith(pool, texts)).toEqual([])
    if (place !== 'the database') await soon('the objects are gone', async () => (await stored()) === 0)
    expect({ hashes: await hashes(), anchors: await anchors() }).toEqual({
      hashes: before.hashes,
      anchors: before.anchors,
    })
    // A project was made meanwhile, with its key and audit rows; and the erasure has one.
    const { projects, api_keys: keys, audit_events: trail, audit_heads: heads, ...others } = before.numbers
    expect(await numbers(rows)).toEqual({
      ...others,
      projects: Number(projects) + 1,
      api_keys: Number(keys) + 1,
      audit_events: Number(trail) + 3,
      audit_heads: Number(heads) + 1,
    })
    for (const table of ['assistant_exchanges', 'exports', 'export_parts'])
      expect([table, await rows(`select from ${table}`)]).toEqual([table, []])

    for (const name of ['evidence.zip', 'pain001.xml', 'pain001.html', 'tip.json']) {
      const { status, json } = await service.api.call('GET', `/files/${id}/${name}`)
      expect([name, status, json?.detail]).toEqual([name, 410, 'content_erased'])
    }
    expect((await service.api.call('GET', `/files/${other}/evidence.zip`)).status).toBe(200)
    await expect(
      ask('mutation ($id: ID!) { generateMessage(input: { receiptId: $id, type: CAMT_056 }) { artifact { id } } }', {
        id,
      }),
    ).rejects.toMatchObject({ code: 'content_erased' })
    const repeated = await service.api.call('GET', `/v1/iso/receipts/${refund}`)
    expect([repeated.status, JSON.stringify(repeated.json).includes(word)]).toEqual([200, false])

    // The hash is still proved, and so is a bundle that somebody kept.
    const hash = (await rows('select bundle_hash as hash from receipts where id = $1', [id]))[0].hash
    const byHash = await service.api.call('POST', '/v1/iso/verify', { body: { bundle_hash: hash } })
    expect(byHash.json).toMatchObject({ matches_onchain: true, errors: [] })
    const subject = { bundle, expectedHash: hash, txid: null, keys: await signingKeys(service.app) }
    expect(await runChecks(subject, portsOf(service.app))).toMatchObject({ matchesOnchain: true, errors: [] })
    await pool.query(`update anchor_transactions set proved_at = now() - interval '2 days'`)
    await reproveNext(service.app)
    expect(
      await rows(
        `select proof_failure from anchor_transactions where proof_failure is not null or proved_at < now() - interval '1 day'`,
      ),
    ).toEqual([])
    expect(await verifyChain(sqlOf(pool), project.id)).toMatchObject({ fault: null })

    // A backup from before brings the text back; the list of erasures takes it away.
    const env = { DATABASE_URL: service.databaseUrl }
    const listed = await runCommand(['erasures'], env)
    expect(listed.out.split('\n').toSorted()).toEqual(['', id, refund].toSorted())
    await pool.query('update receipts set reference = $2, erased_at = null where id = $1', [id, word])
    const file = join(folder, 'erasures')
    await writeFile(file, `${listed.out}\n${project.id}\n`)
    const again = await runCommand(['erasures', '--again', file], env)
    expect([again.code, again.err, again.out]).toEqual([
      1,
      expect.stringContaining(`${project.id}: is not in this database`),
      expect.stringContaining('Erased again: 2.'),
    ])
    expect(await columnsWith(pool, texts)).toEqual([])
  } finally {
    await service.stop()
  }
})

onlyInFull('files that are being moved into the object store are erased there too', async () => {
  const service = await startService()
  try {
    const { key } = await service.api.project()
    const id = (await service.api.record(key)).json.receipt_id as string
    await service.api.anchored(id)
    const { rows } = await service.app.pool.query('select sha256 from artifacts where receipt_id = $1', [id])
    const stored = async () => {
      const names: string[] = await store.names().catch(() => [])
      return rows.filter(({ sha256 }) => names.includes(sha256)).length
    }
    // The store has the files, and the command does not know it yet.
    store.setFault('silent')
    const moving = startCommand(['move-files'], { DATABASE_URL: service.databaseUrl, ...store.settings })
    await soon('the files are stored', async () => (await stored()) === rows.length)
    const mutation = 'mutation ($id: ID!) { eraseReceipt(input: { receiptId: $id }) { files } }'
    expect((await service.api.graphql(mutation, { key, variables: { id } })).errors).toBeUndefined()
    store.setFault('none')
    expect(await moving.ended).toMatchObject({ code: 0, err: expect.not.stringContaining('DAMAGED') })
    expect(await stored()).toBe(0)
  } finally {
    store.setFault('none')
    await service.stop()
  }
})
