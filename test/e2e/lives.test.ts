// Generated lives of payments in a whole service over many days, and an auditor who reads nothing but its messages.
// LIVES=10000 sets the number of lives, and SEED makes the same ones again.
import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  bookFaults,
  booksOf,
  decimalFaults,
  type Listed,
  nameFaults,
  omittedNames,
  paymentFaults,
  seriesFaults,
} from '../kit/lives/audit.ts'
import { configurationOf } from '../kit/lives/configurations.ts'
import { type Days, daysOf } from '../kit/lives/days.ts'
import { messagesIn, type Past, pastOf } from '../kit/lives/files.ts'
import { livesOf, worldOf } from '../kit/lives/generate.ts'
import { readMessage, type Statement } from '../kit/lives/read.ts'
import { dictionary } from '../kit/lives/spellings.ts'
import { teller } from '../kit/lives/tell.ts'
import { type Service, startService } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'
import { openIsoValidator, skipWithoutSchemas, type Validator } from '../kit/xsd.ts'

const count = Number(process.env.LIVES ?? 600)
const dayCount = process.env.LIVES === undefined ? 20 : 60
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const projectCount = 4
/** On these days each project gets its next configuration. */
const changes = [1, 2, 3].map(quarter => Math.floor((dayCount * quarter) / 4))

let service: Service
let db: pg.Client
const validators = new Map<string, Validator>()

beforeAll(async () => {
  service = await startService({ ANCHOR_CONFIRMATIONS: '1' })
  db = new pg.Client({ connectionString: service.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await service?.stop()
  for (const validator of validators.values()) validator.close()
})

function validatorOf(version: string): Validator {
  const validator = validators.get(version) ?? openIsoValidator(version)
  validators.set(version, validator)
  return validator
}

/** Waits until all receipts are anchored, all messages and statements are written, and nothing waits. */
const atRest = () =>
  expect
    .poll(
      async () => {
        const { rows } = await db.query<{ waiting: string }>(
          `select 'receipt ' || status as waiting from receipts where status <> 'anchored'
           union all select 'statement ' || status from statements where status <> 'anchored'
           union all select 'job' from graphile_worker._private_jobs limit 5`,
        )
        return rows.map(({ waiting }) => waiting)
      },
      { timeout: 600_000, interval: 200 },
    )
    .toEqual([])

it(`the messages of ${count} lives over ${dayCount} days keep the rules of an auditor (seed ${seed})`, async () => {
  const worlds = Array.from({ length: projectCount }, (_, index) => worldOf(seed + 100 * index))
  const projects = await Promise.all(worlds.map((_, index) => service.api.project(`P${index}`)))
  const words = dictionary()
  const told = teller(service, projects, words)
  const days: Days = daysOf(service, db, projects)
  const listed = new Map<string, Listed>()
  const past: Past = new Map()

  async function configure(version: number): Promise<void> {
    for (const [index, world] of worlds.entries()) {
      const { input, listed: names } = configurationOf(index, version, world, words)
      const query = `mutation ($input: ConfigureProjectInput!) { configureProject(input: $input) { config { timeZone } } }`
      const { errors } = await service.api.graphql(query, {
        key: projects[index]?.key ?? '',
        variables: { input: { projectId: projects[index]?.id, ...input } },
      })
      expect(errors).toBeUndefined()
      for (const name of names) listed.set(name.name, name)
    }
    told.configured(version)
  }

  async function remember(): Promise<void> {
    const changed = [...(await pastOf(service, db))].flatMap(([url, hash]) => {
      const before = past.get(url) ?? hash
      past.set(url, before)
      return before === hash ? [] : [url]
    })
    expect(changed).toEqual([])
  }

  const lives = Map.groupBy(livesOf(worlds, dayCount, count, seed), ({ day }) => day)
  await configure(0)
  for (let today = 0; today < dayCount; today += 1) {
    if (changes.includes(today)) await configure(changes.indexOf(today) + 1)
    await told.tell(lives.get(today) ?? [])
    await atRest()
    await days.book(today, told.isLate)
    await days.close(today + 1)
    await atRest()
    if (changes.includes(today)) await remember()
  }
  await told.tell([])
  await atRest()
  await days.book(dayCount, told.isLate)
  await days.close(dayCount + 3)
  await atRest()
  await remember()
  expect(told.faults).toEqual([])
  expect(past.size).toBeGreaterThan(dayCount)

  const faults: string[] = []
  const series = new Map<string, Statement[]>(projects.map(({ id }) => [id, []]))
  const { rows: owners } = await db.query<{ id: string; project: string }>(
    `select id, project_id as project from statements where kind = 'series'`,
  )
  const projectOf = new Map(owners.map(({ id, project }) => [id, project]))
  let messages = 0
  for await (const { owner, isStatement, version, name, xml } of messagesIn(db)) {
    const broken: string[] = []
    const message = readMessage(xml, document => {
      if (!skipWithoutSchemas) broken.push(...validatorOf(version).faults(document))
    })
    broken.push(
      ...decimalFaults(message),
      ...nameFaults(message, listed, words),
      ...paymentFaults(message, told.truths, words),
    )
    if (!isStatement) broken.push(...omittedNames(message, listed, told.truths, words))
    faults.push(...broken.map(fault => `${owner} ${name}: ${fault}`))
    const project = projectOf.get(owner)
    if (project !== undefined) series.get(project)?.push(...message.statements)
    messages += 1
  }
  const { rows: booked } = await db.query<{ id: string; at: Date }>(
    'select id, booked_at as at from receipts where booked_at is not null',
  )
  const times = new Map(booked.map(({ id, at }) => [id, at.getTime()]))
  const statements = [...series.values()].flat()
  for (const [index, { id }] of projects.entries()) {
    const pages = series.get(id) ?? []
    const own = [...told.truths].flatMap(([receipt, truth]) => {
      const at = times.get(receipt)
      return truth.project === index && truth.isSettled && at !== undefined ? [{ ...truth, at }] : []
    })
    faults.push(
      ...[...seriesFaults(pages, words), ...bookFaults(pages, booksOf(own), words)].map(fault => `P${index}: ${fault}`),
    )
  }
  console.info(
    `${told.truths.size} receipts, ${messages} messages, ${statements.length} pages of statements with ${statements.reduce((sum, { entries }) => sum + entries.length, 0)} entries`,
  )
  expect(faults.slice(0, 50), `${faults.length} faults`).toEqual([])
}, 7_200_000)
