// The numbered series of statements: each account of a project has one statement for each closed day with movement, made
// once, sealed and anchored, and never changed.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import JSZip from 'jszip'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { closeDays } from '../../src/modules/statements/close.ts'
import { writeNumbered } from '../../src/modules/statements/write.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { auditSeries, beginSeries, book, writeAll } from '../kit/series.ts'
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

/** Throws at the given statement of SQL, as a process that is killed there. */
function dyingPool(statements: number): pg.Pool {
  let left = statements
  async function connect() {
    const client = await pool.connect()
    const query = (...given: Parameters<typeof client.query>) => {
      left -= 1
      if (left < 0 && (given[0] as unknown) !== 'rollback') return Promise.reject(new Error('killed'))
      return client.query(...given)
    }
    return Object.create(client, { query: { value: query }, release: { value: () => client.release(left < 0) } })
  }
  return Object.create(pool, { connect: { value: connect } })
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
    const brief = statements.map(({ number, day, opening, closing, count }) => [number, day, Number(opening), Number(closing), count])
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
    const { id } = await project()
    await book(pool, id, { at: at(0) })
    await close(id, at(1, 0))
    const late = await book(pool, id, { at: at(0, 23, 59), amount: '7' })
    await close(id, at(2, 0))
    await writeAll(service.app, id)
    const { statements } = await series(id)
    expect(statements.map(({ number, day, count }) => [number, day, count])).toEqual([
      [1, '2031-01-10', 1],
      [2, '2031-01-11', 1],
    ])
    const xml = await (await fetch(`${service.base}/files/${statements[1]?.id}/camt053.xml`)).text()
    expect(xml).toContain(late)
    expect(xml.replaceAll(/\s+/g, '')).toContain('<BookgDt><Dt>2031-01-11</Dt></BookgDt><ValDt><Dt>2031-01-10</Dt></ValDt>')
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
    expect(statements.map(({ number, opening, closing }) => [number, Number(opening), Number(closing)])).toEqual([[1, 6, 7]])
  })

  it('is the same whether its days are closed one by one or ten at once, by one worker or several', async () => {
    const outcomes: unknown[] = []
    for (const step of [1, 10]) {
      const { id } = await project()
      for (let day = 0; day < 10; day += 1) await book(pool, id, { at: at(day, 6), amount: String(day + 1) })
      for (let day = step; day <= 10; day += step) await Promise.all(Array.from({ length: 4 }, () => close(id, at(day, 0))))
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
      const dying = { ...service.app, pool: dyingPool(statements % 13) }
      await closeDays(dying, id, at(12, 0)).catch(error => {
        expect(String(error)).toContain('killed')
        deaths += 1
      })
    }
    expect(deaths).toBeGreaterThan(10)
    await close(id, at(12, 0))
    await writeAll(service.app, id)
    expect((await series(id)).statements.map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
  })
})

proof(
  'sixty days with late records: no gap, balances chain, nothing twice; nothing changes after three configurations',
  async () => {
    const { id, key } = await project()
    const [random] = fc.sample(fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), { numRuns: 1, seed: 60 })
    const chance = () => random?.next().value ?? 0
    const wallets = ['shop', 'branch', 'customer', 'supplier']
    const any = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T
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
        const late = chance() < 0.2 ? -Math.floor(chance() * 20) - 1 : 0
        await book(pool, id, {
          at: at(day, Math.floor(chance() * 24) + late, Math.floor(chance() * 60)),
          amount: any(['0.000000000000000001', '1', '12.5', '99999999999999999999', '0.1']),
          sender: any(wallets),
          receiver: any(wallets),
          currency: any(['USDC', 'EURC']),
        })
      }
      if (chance() < 0.7) await Promise.all([close(id, at(day, 23, 59)), close(id, at(day, 23, 59))])
      const change = configurations[day / 15 - 1]
      if (change !== undefined) {
        await keep()
        await configure(id, key, change)
      }
    }
    await close(id, at(75))
    await keep()
    expect(known.size).toBeGreaterThan(60)
  },
  300_000,
)
