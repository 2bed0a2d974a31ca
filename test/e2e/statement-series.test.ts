// The numbered series of statements: each account of a project has one statement for each closed day with movement,
// made once, sealed and anchored, and never changed.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import JSZip from 'jszip'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Context } from '../../src/kit/context.ts'
import { build } from '../../src/modules/statements/build.ts'
import { closeDays } from '../../src/modules/statements/close.ts'
import { dyingPool } from '../kit/dying-pool.ts'
import { auditSeries, beginSeries, book, writeAll } from '../kit/series.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { it, proof, sized } from '../kit/size.ts'
import { openIsoValidator, skipWithoutSchemas, withXml } from '../kit/xsd.ts'

let service: Service
let pool: pg.Pool
beforeAll(async () => {
  service = await startService()
  pool = service.app.pool
})
afterAll(() => service.stop())

const dayMs = 86_400_000
/** The worker of the service never closes these days, because they have not begun. */
const first = Date.parse('2031-01-10T00:00:00Z')
const at = (day: number, hour = 12, minute = 0) => new Date(first + day * dayMs + (hour * 60 + minute) * 60_000)

async function project(from = at(0, 0)) {
  const made = await service.api.project('Shop')
  await beginSeries(pool, made.id, from)
  return made
}

const configure = async (id: string, key: string, input: string) => {
  const { errors } = await service.api.graphql(
    `mutation { configureProject(input: { projectId: "${id}", anchoring: { executionMode: PLATFORM, chains: [] }, ${input} }) { config { timeZone } } }`,
    { key },
  )
  expect(errors).toBeUndefined()
}

const close = (id: string, now: Date) => closeDays(service.app, id, now)

const series = async (id: string) => {
  const { faults, statements, files } = await auditSeries(service.app, id)
  expect(faults).toEqual([])
  return { statements, files }
}

function faultsOf(xml: string): string[] {
  if (skipWithoutSchemas) return []
  const validator = openIsoValidator('camt.053.001.08')
  try {
    return withXml(xml, document => validator.faults(document))
  } finally {
    validator.close()
  }
}

describe('the series of an account', () => {
  it('has one statement for each day with movement and one at the end of a month, in order, opening as the last closed', async () => {
    const { id } = await project()
    await book(pool, id, { at: at(0), amount: '10' })
    await book(pool, id, { at: at(2, 9), amount: '2.5' })
    await book(pool, id, { at: at(2, 8), sender: 'shop', receiver: 'supplier', amount: '1' })
    await close(id, at(40))
    await writeAll(service.app, id)
    const { statements } = await series(id)
    const brief = statements.map(({ number, day, opening, closing, count }) => [
      number,
      day,
      Number(opening),
      Number(closing),
      count,
    ])
    expect(brief.filter(([, , , closing]) => closing !== 1)).toEqual([
      [1, '2031-01-10', 0, 10, 1],
      [2, '2031-01-12', 10, 11.5, 2],
      [3, '2031-01-31', 11.5, 11.5, 0],
    ])
    expect(brief.filter(([, , , closing]) => closing === 1)).toEqual([
      [1, '2031-01-12', 0, 1, 1],
      [2, '2031-01-31', 1, 1, 0],
    ])
  })

  it('states what becomes known after its day was closed in the next statement, on that day', async () => {
    const { id, key } = await project()
    await book(pool, id, { at: at(0) })
    await book(pool, id, { at: at(0, 23, 59), receiver: 'branch' })
    await close(id, at(1, 0))
    const late = await book(pool, id, { at: at(0, 23, 59), amount: '7' })
    await close(id, at(2, 0))
    await writeAll(service.app, id)
    const { statements } = await series(id)
    const account = statements.find(({ number }) => number === 2)?.account
    const own = statements.filter(statement => statement.account === account)
    expect(own.map(({ number, day, count }) => [number, day, count])).toEqual([
      [1, '2031-01-10', 1],
      [2, '2031-01-11', 1],
    ])
    const xml = await (await fetch(`${service.base}/files/${own[1]?.id}/camt053.xml`)).text()
    const entries = `{ receipt(id: "${late}") { statements { totalCount } statementEntries { side bookedAt statement { number date account { wallet } } } } }`
    expect((await service.api.graphql(entries, { key })).data.receipt).toEqual({
      statements: { totalCount: 0 },
      statementEntries: [
        {
          side: 'CRDT',
          bookedAt: '2031-01-11T00:00:00.000Z',
          statement: { number: 2, date: '2031-01-11', account: { wallet: 'shop' } },
        },
      ],
    })
    const { key: strange } = await service.api.project('Stranger')
    expect((await service.api.graphql(entries, { key: strange })).data.receipt).toEqual({
      statements: null,
      statementEntries: null,
    })
    expect(xml).toContain(late)
    expect(xml.replaceAll(/\s+/g, '')).toContain(
      '<BookgDt><Dt>2031-01-11</Dt></BookgDt><ValDt><Dt>2031-01-10</Dt></ValDt>',
    )
    expect(faultsOf(xml)).toEqual([])
  })

  it('opens with what was booked before the series began', async () => {
    const { id } = await project(at(5, 0))
    await book(pool, id, { at: at(1), sender: 'shop', receiver: 'supplier', amount: '100' })
    await book(pool, id, { at: at(2), amount: '10' })
    await book(pool, id, { at: at(3), sender: 'shop', receiver: 'supplier', amount: '4' })
    await book(pool, id, { at: at(6), amount: '1' })
    await close(id, at(8))
    await writeAll(service.app, id)
    const { statements } = await series(id)
    expect(statements.map(({ number, opening, closing }) => [number, Number(opening), Number(closing)])).toEqual([
      [1, 6, 7],
    ])
  })

  it('is the same whether its days are closed one by one or ten at once, by one worker or several', async () => {
    const outcomes: unknown[] = []
    for (const step of [1, 10]) {
      const { id } = await project()
      for (let day = 0; day < 10; day += 1) await book(pool, id, { at: at(day, 6), amount: String(day + 1) })
      for (let day = step; day <= 10; day += step)
        await Promise.all(Array.from({ length: 4 }, () => close(id, at(day, 0))))
      await Promise.all([writeAll(service.app, id), writeAll(service.app, id)])
      const { statements } = await series(id)
      outcomes.push(statements.map(({ number, day, opening, closing }) => [number, day, opening, closing]))
    }
    expect(outcomes[0]).toEqual(outcomes[1])
    expect(outcomes[0]).toHaveLength(10)
  })

  it('has neither gap nor repetition when the worker dies at any statement of a transaction', async () => {
    const { id } = await project()
    for (let day = 0; day < 12; day += 1) await book(pool, id, { at: at(day, 6) })
    let deaths = 0
    for (let statements = 1; statements < 60; statements += 1) {
      const dying = { ...service.app, pool: dyingPool(pool, statements % 13) }
      await closeDays(dying, id, at(12, 0)).catch(error => {
        expect(String(error)).toContain('killed')
        deaths += 1
      })
    }
    expect(deaths).toBeGreaterThan(10)
    await close(id, at(12, 0))
    await writeAll(service.app, id)
    expect((await series(id)).statements.map(({ number }) => number)).toEqual(
      Array.from({ length: 12 }, (_, n) => n + 1),
    )
  })
})

const lives = Number(process.env.SERIES_LIVES ?? sized(1, 3))

async function live(seed: string): Promise<void> {
  let drawn = 0
  const chance = () => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() / 2 ** 32
  const any = <T>(...list: readonly [T, ...T[]]): T => list[Math.floor(chance() * list.length)] ?? list[0]
  const { id, key } = await project()
  const wallet = () => any('shop', 'branch', 'customer', 'supplier')
  const known = new Map<string, string>()
  const keep = async () => {
    await writeAll(service.app, id)
    const { files } = await series(id)
    for (const [name, hash] of known) expect(files.get(name)).toBe(hash)
    for (const [name, hash] of files) known.set(name, hash)
  }
  const configurations = [
    'timeZone: "Australia/Lord_Howe"',
    'timeZone: "America/New_York", parties: { initiator: { name: "Acme Ltd" } }',
    'timeZone: "Asia/Kathmandu", parties: { initiator: { name: "Other Ltd" } }',
  ]
  for (let day = 0; day < 60; day += 1) {
    const count = Math.floor(chance() * sized(4, 12))
    for (let n = 0; n < count; n += 1) {
      // A late record has a time of booking that is already closed.
      const late = chance() < 0.2 ? Math.floor(chance() * 20) + 1 : 0
      await book(pool, id, {
        at: at(day, Math.floor(chance() * 24) - late, Math.floor(chance() * 60)),
        amount: any('0.000000000000000001', '1', '12.5', '99999999999999999999', '0.1'),
        sender: wallet(),
        receiver: wallet(),
        currency: any('USDC', 'EURC'),
      })
    }
    if (chance() < 0.7) await Promise.all([close(id, at(day, 23, 59)), close(id, at(day, 23, 59))])
    const change = day % 15 === 0 ? configurations[day / 15 - 1] : undefined
    if (change === undefined) continue
    await keep()
    await configure(id, key, change)
  }
  await close(id, at(75))
  await keep()
  expect(known.size).toBeGreaterThan(60)
}

proof(
  'sixty days with late records: no gap, balances chain, nothing twice; nothing changes after three configurations',
  async () => {
    for (let n = 0; n < lives; n += 1) await live(`${process.pid} ${n}`)
  },
  3_600_000,
)

describe('a request for a statement', () => {
  const midnight = new Date(new Date().toISOString().slice(0, 10)).getTime()
  const ago = (days: number, hour = 12) => new Date(midnight - days * dayMs + hour * 3_600_000)
  const dayOf = (days: number) => ago(days).toISOString().slice(0, 10)
  const fields = `id kind number type date window timeZone count url sha256 zipUrl status bundleHash
    account { wallet chain currency } opening closing pages { nodes { url } }`

  let shop: { id: string; key: string }
  beforeAll(async () => {
    shop = await project(ago(4, 0))
    await book(pool, shop.id, { at: ago(3), receiver: 'branch', amount: '3' })
    await book(pool, shop.id, { at: ago(2, 9), amount: '10' })
    await book(pool, shop.id, { at: ago(2, 10), amount: '20', currency: 'EURC' })
  })

  async function ask(input: string) {
    const query = `mutation { generateStatement(input: { ${input} }) { statement { ${fields} } } }`
    const { data, errors } = await service.api.graphql(query, { key: shop.key })
    return { errors, statement: data?.generateStatement?.statement }
  }
  const download = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
  const account = (wallet: string, currency: string) =>
    `account: { wallet: "${wallet}", chain: "base", currency: "${currency}" }`
  const stmts = (xml: string) => [...xml.matchAll(/<Stmt>.*?<\/Stmt>/gs)].map(([stmt]) => stmt)

  it('of a closed day returns copies of the numbered statements, and the accounts that hold a balance', async () => {
    const [{ statement }, again] = [await ask(`date: "${dayOf(2)}"`), await ask(`date: "${dayOf(2)}"`)]
    expect(again.statement).toEqual(statement)
    expect(statement).toMatchObject({ kind: 'COPY', number: null, type: 'CAMT_053', count: 2, status: null })
    const xml = (await download(statement.url)).toString()
    expect(faultsOf(xml)).toEqual([])
    const all = stmts(xml)
    const numbers = all.map(stmt => /<ElctrncSeqNb>(\d+)</.exec(stmt)?.[1] ?? null)
    // Ordered by wallet: the branch only holds a balance.
    expect(numbers).toEqual([null, '1', '1'])
    expect(all.map(stmt => stmt.includes('<CpyDplctInd>COPY</CpyDplctInd>'))).toEqual([false, true, true])
    expect(all[0]).toContain('not in the numbered series')
    const zip = await JSZip.loadAsync(await download(statement.zipUrl))
    const documents = await Promise.all(Object.values(zip.files).map(file => file.async('string')))
    expect(documents.map(document => stmts(document).length)).toEqual([1, 1, 1])
    for (const document of documents) {
      expect(faultsOf(document)).toEqual([])
      const [own = ''] = stmts(document)
      expect(xml).toContain(own.slice(own.indexOf('<Acct>')))
      expect(document).not.toContain('CpyDplctInd')
    }
  })

  it('of one account of a closed day returns its numbered statement, also after the configuration changed', async () => {
    const input = `date: "${dayOf(2)}", ${account('shop', 'EURC')}`
    const { statement } = await ask(input)
    expect(statement).toMatchObject({
      ...{ kind: 'SERIES', number: 1, count: 1, opening: '0', closing: '20', zipUrl: null, window: '00:00-23:59' },
      account: { wallet: 'shop', chain: 'base', currency: 'EURC' },
    })
    const copy = (await ask(`date: "${dayOf(2)}"`)).statement
    const bytes = await Promise.all([download(statement.url), download(copy.url), download(copy.zipUrl)])
    await configure(shop.id, shop.key, 'timeZone: "Asia/Kathmandu", parties: { initiator: { name: "Renamed Ltd" } }')
    const after = [(await ask(input)).statement, (await ask(`date: "${dayOf(2)}"`)).statement]
    await configure(shop.id, shop.key, 'timeZone: "UTC"')
    expect(after.map(({ id, sha256 }) => [id, sha256])).toEqual([statement, copy].map(({ id, sha256 }) => [id, sha256]))
    expect(await Promise.all([download(statement.url), download(copy.url), download(copy.zipUrl)])).toEqual(bytes)
  })

  it('of an account that only holds a balance is a report without a number, made once; of no account it is refused', async () => {
    const input = `date: "${dayOf(2)}", ${account('branch', 'USDC')}`
    const [{ statement }, again] = [await ask(input), await ask(input)]
    expect(statement).toMatchObject({
      kind: 'REPORT',
      number: null,
      count: 0,
      zipUrl: null,
      account: { wallet: 'branch' },
    })
    expect(again.statement).toEqual(statement)
    const xml = (await download(statement.url)).toString()
    expect(xml).toContain('<o:Closing>3</o:Closing>')
    expect(faultsOf(xml)).toEqual([])
    const { errors } = await ask(`date: "${dayOf(2)}", ${account('nobody', 'USDC')}`)
    expect(errors[0].extensions.code).toBe('not_found')
  })

  it('of a day before the series began is a report, made once', async () => {
    const { statement } = await ask(`date: "${dayOf(9)}"`)
    expect(statement).toMatchObject({ kind: 'REPORT', count: 0 })
    expect((await ask(`date: "${dayOf(9)}"`)).statement.id).toBe(statement.id)
  })

  it('of the day in which the series began in another zone is a report of the whole day', async () => {
    const { id, key } = await project(ago(10, 0))
    await book(pool, id, { at: ago(11, 20) })
    await book(pool, id, { at: ago(10, 2) })
    await configure(id, key, 'timeZone: "America/New_York"')
    const query = `mutation { generateStatement(input: { date: "${dayOf(11)}" }) { statement { kind count from } } }`
    const { statement } = (await service.api.graphql(query, { key })).data.generateStatement
    expect(statement).toMatchObject({ kind: 'REPORT', count: 2 })
  })

  it('of a wallet is a report only when no payment of the day can become known any more', async () => {
    const wallet = 'report'
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    const kindOf = async (to: Date) => {
      const day = { date: dayOf(1), window: '00:00-23:59', timeZone: 'UTC', isWholeDay: true, hasEnded: true }
      const context = { ...service.app, allowance: { signal: null } } as unknown as Context
      const prepared = await build(context, { wallet }, { ...day, from: ago(5), to }, 100)
      return 'made' in prepared ? [prepared.made.kind, prepared.made.once !== null] : null
    }
    expect(await kindOf(minutesAgo(1))).toEqual(['provisional', false])
    expect(await kindOf(minutesAgo(20))).toEqual(['report', true])
  })

  it('of a day that still runs, or of part of a day, is provisional and says so', async () => {
    const inputs: [string, string, string][] = [
      ['', 'CAMT_053', 'AddtlStmtInf'],
      [`date: "${dayOf(2)}", window: "09:00-09:59"`, 'CAMT_052', 'AddtlRptInf'],
      [`date: "${dayOf(2)}", window: "09:00-09:59", ${account('shop', 'USDC')}`, 'CAMT_052', 'AddtlRptInf'],
    ]
    for (const [input, type, element] of inputs) {
      const { statement } = await ask(input)
      expect(statement).toMatchObject({ kind: 'PROVISIONAL', type, number: null })
      const xml = (await download(statement.url)).toString()
      expect(xml).toMatch(new RegExp(`<${element}>[^<]*Provisional: not in the numbered series`))
      expect(xml).not.toContain('SeqNb')
      expect((await ask(input)).statement.id).not.toBe(statement.id)
    }
  })

  it('anchors the bundle of a numbered statement, which verifies like a receipt’s', async () => {
    const { statement } = await ask(`date: "${dayOf(2)}", ${account('shop', 'USDC')}`)
    const query = `{ statement(id: "${statement.id}") { status bundleHash bundleUrl anchorTx anchoredAt } }`
    const now = async () => (await service.api.graphql(query, { key: shop.key })).data.statement
    for (const until = Date.now() + 60_000; (await now()).status !== 'ANCHORED' && Date.now() < until; )
      await sleep(200)
    const { bundleUrl, bundleHash, anchorTx } = await now()
    const bundle = await download(bundleUrl)
    expect(`0x${createHash('sha256').update(bundle).digest('hex')}`).toBe(bundleHash)
    const names = Object.keys((await JSZip.loadAsync(bundle)).files)
    expect(names).toEqual(['camt053.xml', 'manifest.json', 'manifest.sig', 'public_key.pem', 'statement.json'])
    for (const body of [{ bundle_url: bundleUrl }, { bundle_hash: bundleHash }]) {
      const { json } = await service.api.call('POST', '/v1/iso/verify', { body })
      expect(json).toMatchObject({ matches_onchain: true, bundle_hash: bundleHash, ledger_txid: anchorTx, errors: [] })
    }
  })

  it('is verified by the transaction alone, which carries the statements of two projects, by each as its own', async () => {
    const shops = [await project(ago(1, 0)), await project(ago(1, 0))]
    for (const { id } of shops) await book(pool, id, { at: ago(1) })
    await Promise.all(shops.map(({ id }) => close(id, new Date())))
    await Promise.all(shops.map(({ id }) => writeAll(service.app, id)))
    const anchored = (id: string) =>
      expect
        .poll(
          async () =>
            (await pool.query('select bundle_hash, ledger_txid from statements where project_id = $1', [id])).rows,
          { timeout: 60_000 },
        )
        .toEqual([{ bundle_hash: expect.any(String), ledger_txid: expect.any(String) }])
    for (const { id } of shops) await anchored(id)
    const { rows } = await pool.query(
      'select project_id as id, bundle_hash, ledger_txid from statements where project_id = any($1)',
      [shops.map(({ id }) => id)],
    )
    expect(new Set(rows.map(({ ledger_txid }) => ledger_txid)).size).toBe(1)
    for (const { id, key } of shops) {
      const own = rows.find(row => row.id === id)
      const { json } = await service.api.call('POST', '/v1/iso/verify', { key, body: { txid: own.ledger_txid } })
      expect(json).toMatchObject({ matches_onchain: true, bundle_hash: own.bundle_hash })
    }
  })

  it('in tenant mode is anchored by the project itself', async () => {
    const { id, key } = await project(ago(4, 0))
    const tenant = `mutation { configureProject(input: { projectId: "${id}", anchoring: { executionMode: TENANT, chains: [] } }) { config { timeZone } } }`
    expect((await service.api.graphql(tenant, { key })).errors).toBeUndefined()
    await book(pool, id, { at: ago(2) })
    const made = `mutation { generateStatement(input: { date: "${dayOf(2)}", ${account('shop', 'USDC')} }) { statement { id bundleHash status } } }`
    const { statement } = (await service.api.graphql(made, { key })).data.generateStatement
    expect(statement.status).toBe('AWAITING_ANCHOR')
    const anchor = `mutation { debugAnchor(input: { bundleHash: "${statement.bundleHash}" }) { anchorTx } }`
    const { anchorTx } = (await service.api.graphql(anchor, { key: adminKey })).data.debugAnchor
    const confirm = `mutation ($tx: Hash32!) { confirmStatementAnchor(input: { statementId: "${statement.id}", anchorTx: $tx }) { statement { status anchorTx } } }`
    const wrong = await service.api.graphql(confirm, { key, variables: { tx: `0x${'00'.repeat(32)}` } })
    expect(wrong.errors[0].extensions.code).toBe('tx_not_mined')
    expect((await service.api.graphql(confirm, { key, variables: { tx: anchorTx } })).errors).toBeUndefined()
    const now = async () =>
      (await service.api.graphql(`{ statement(id: "${statement.id}") { status anchorTx } }`, { key })).data.statement
    for (const until = Date.now() + 60_000; (await now()).status !== 'ANCHORED' && Date.now() < until; )
      await sleep(200)
    expect(await now()).toEqual({ status: 'ANCHORED', anchorTx })
  })

  it('is found by kind, account and day, by callers of its project alone', async () => {
    const stranger = await service.api.project('Stranger')
    const query = `query ($filter: StatementFilter) { me { project {
      statementAccounts { totalCount nodes { id wallet currency lastNumber balance } }
      statements(filter: $filter) { nodes { kind number date account { wallet currency } } }
    } } }`
    const list = async (filter: object, key = shop.key) =>
      (await service.api.graphql(query, { key, variables: { filter } })).data?.me.project
    const all = await list({ kinds: ['SERIES'], date: { since: dayOf(2), until: dayOf(2) } })
    expect(all.statements.nodes).toHaveLength(2)
    expect(all.statementAccounts.totalCount).toBe(3)
    const branch = all.statementAccounts.nodes.find(({ wallet }: { wallet: string }) => wallet === 'branch')
    expect(branch).toMatchObject({ lastNumber: expect.any(Number), balance: '3' })
    const { statements } = await list({ account: branch.id, kinds: ['SERIES'] })
    expect(statements.nodes[0]).toMatchObject({
      number: expect.any(Number),
      account: { wallet: 'branch', currency: 'USDC' },
    })
    expect(await list({ account: branch.id }, stranger.key)).toMatchObject({ statements: { nodes: [] } })
    const node = `{ node(id: "${branch.id}") { id } }`
    expect((await service.api.graphql(node, { key: shop.key })).data.node).toEqual({ id: branch.id })
    expect((await service.api.graphql(node, { key: stranger.key })).data.node).toBeNull()
  })

  it('in an unknown time zone cannot be configured', async () => {
    const body = { anchoring: { execution_mode: 'platform', chains: [] }, time_zone: 'Mars/Olympus' }
    const { status, json } = await service.api.call('PUT', `/v1/projects/${shop.id}/config`, { key: shop.key, body })
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'time_zone']])
    expect(json.detail[0].msg).toContain('IANA')
    const known = await service.api.call('PUT', `/v1/projects/${shop.id}/config`, {
      key: shop.key,
      body: { ...body, time_zone: 'UTC' },
    })
    expect([known.status, known.json.time_zone]).toEqual([200, 'UTC'])
  })
})
