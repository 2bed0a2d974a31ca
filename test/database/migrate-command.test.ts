// `quittance migrate` as an operator uses it: with a role of its own, twice, at once, against the wrong things, and
// beside long transactions.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrations } from '../../src/adapters/migrations.ts'
import { freePort } from '../../src/embedded/process.ts'
import { runCommand, startCommand } from '../kit/command.ts'
import { onDatabase } from '../kit/global-setup.ts'

const [owner, service] = [`owner_${process.pid}`, `service_${process.pid}`]
const made: string[] = []

async function ask(databaseUrl: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const as = (role: string, databaseUrl: string) =>
  Object.assign(new URL(databaseUrl), { username: role, password: 'secret' }).toString()

async function emptyDatabase(options = ''): Promise<string> {
  const name = `migrate_${randomBytes(6).toString('hex')}`
  await ask(inject('postgresUrl'), `create database ${name} owner ${owner} ${options}`)
  const url = onDatabase(inject('postgresUrl'), name)
  made.push(url)
  return url
}

const settings = (url: string) => ({ MIGRATION_DATABASE_URL: as(owner, url), DATABASE_URL: as(service, url) })

beforeAll(async () => {
  for (const role of [owner, service])
    await ask(inject('postgresUrl'), `create role ${role} login password 'secret' nosuperuser`)
})
afterAll(async () => {
  for (const url of made) await ask(inject('postgresUrl'), `drop database ${new URL(url).pathname.slice(1)}`)
  for (const role of [owner, service]) await ask(inject('postgresUrl'), `drop role ${role}`)
})

describe('an empty database', () => {
  it('is only looked at with --dry-run, then migrated, and then left as it is', async () => {
    const url = await emptyDatabase()
    const names = (await migrations()).map(({ name }) => name)
    const foretold = await runCommand(['migrate', '--dry-run'], settings(url))
    expect(foretold).toMatchObject({
      code: 0,
      out: `${names.join('\n')}\n${names.length} would be applied.\n`,
      err: '',
    })
    expect(await ask(url, `select to_regclass('receipts') as found`)).toEqual([{ found: null }])
    const done = await runCommand(['migrate'], settings(url))
    expect(done, done.err).toMatchObject({ code: 0 })
    for (const name of names) expect(done.out).toContain(`${name} is applied (`)
    expect(done.out).toContain(
      `The role ${service} has been given its rights.\nThe database is as this version needs it.`,
    )
    expect(
      await ask(
        url,
        `select distinct tableowner from pg_tables where schemaname in ('public', 'graphile_worker', 'reporting')`,
      ),
    ).toEqual([{ tableowner: owner }])
    expect(await runCommand(['migrate'], settings(url))).toMatchObject({
      code: 0,
      out: `The role ${service} has its rights.\nThe database is as this version needs it.\n`,
    })
    expect((await runCommand(['migrate', '--dry-run'], settings(url))).out).toBe(
      'The database is as this version needs it.\n',
    )
  })

  it('is migrated once by two that begin together', async () => {
    const url = await emptyDatabase()
    const [one, other] = await Promise.all([1, 2].map(() => runCommand(['migrate'], settings(url))))
    expect([one?.code, other?.code], `${one?.err}${other?.err}`).toEqual([0, 0])
    const applied = [one, other].map(ended => ended?.out.match(/is applied/g)?.length ?? 0)
    expect(applied.toSorted()).toEqual([0, (await migrations()).length])
  })

  it('is migrated by the role of DATABASE_URL alone, which needs no grants', async () => {
    const url = await emptyDatabase()
    const { code, out } = await runCommand(['migrate'], { DATABASE_URL: as(owner, url) })
    expect([code, out]).toEqual([0, expect.not.stringContaining('The role')])
  })
})

describe('is refused with one sentence', () => {
  const cases: [string, () => Promise<Record<string, string>>, RegExp, number?][] = [
    ['no setting', async () => ({}), /^MIGRATION_DATABASE_URL and DATABASE_URL are not set\./, 2],
    [
      'no URL',
      async () => ({ DATABASE_URL: 'db' }),
      /^These settings cannot be used:\n {2}DATABASE_URL must be a URL/,
      2,
    ],
    [
      'no server',
      async () => ({ DATABASE_URL: `postgres://me:secret@127.0.0.1:${await freePort()}/mine` }),
      /ECONNREFUSED.*Check the host and the port/,
    ],
    [
      'no database',
      async () => settings(onDatabase(inject('postgresUrl'), 'nowhere')),
      /"nowhere" does not exist\. Make the database first/,
    ],
    [
      'a wrong password',
      async () => ({ DATABASE_URL: as(owner, await emptyDatabase()).replace('secret', 'other') }),
      /password authentication failed.*Check the user and the password/,
    ],
    [
      'no service role',
      async () => ({ ...settings(await emptyDatabase()), DATABASE_URL: as('nobody', made.at(-1) ?? '') }),
      /There is no role nobody.*create role "nobody" login/,
    ],
    [
      'a role without rights',
      async () => ({ DATABASE_URL: as(service, await emptyDatabase()) }),
      /The role service_\d+ lacks rights .* Let its owner run: grant create on database \w+ to service_\d+; grant usage, create on schema public/,
    ],
    [
      'another encoding',
      async () => settings(await emptyDatabase(`encoding 'SQL_ASCII' template template0 locale 'C'`)),
      /has the encoding SQL_ASCII/,
    ],
    [
      'a role that does not own the tables',
      async () => {
        const url = await emptyDatabase()
        await runCommand(['migrate'], settings(url))
        await ask(url, `delete from _prisma_migrations where migration_name like '%_exports'`)
        return { DATABASE_URL: as(service, url) }
      },
      /Let its owner run: .*grant owner_\d+ to service_\d+/,
    ],
    [
      'a changed file',
      async () => {
        const url = await emptyDatabase()
        await runCommand(['migrate'], settings(url))
        await ask(url, `update _prisma_migrations set checksum = repeat('0', 64) where migration_name like '%_exports'`)
        return settings(url)
      },
      /The file of the migration \d+_exports was changed/,
    ],
  ]
  it.each(cases)('%s', async (_, settingsOf, sentence, exitCode = 1) => {
    const env = await settingsOf()
    for (const args of [['migrate', '--dry-run'], ['migrate']]) {
      const { code, out, err } = await runCommand(args, env)
      expect([code, out], err).toEqual([exitCode, ''])
      expect(err).toMatch(sentence)
      expect(err).not.toContain('secret')
      expect(err).not.toContain('    at ')
    }
  })
})

it('a command that is interrupted leaves nothing half done, and the next one does the rest', async () => {
  const url = await emptyDatabase()
  const killed = startCommand(['migrate'], settings(url))
  await killed.says('_baseline is applied')
  await killed.end('SIGKILL')
  const { code, err } = await runCommand(['migrate'], settings(url))
  expect(code, err).toBe(0)
  expect(await ask(url, 'select migration_name as name from _prisma_migrations order by 1')).toEqual(
    (await migrations()).map(({ name }) => ({ name })),
  )
})

it('a command that is asked to stop while it waits for a table ends at once, and changes nothing', async () => {
  const url = await emptyDatabase()
  await runCommand(['migrate'], settings(url))
  await ask(url, `delete from _prisma_migrations where migration_name like '%_base_currency'`)
  const holder = new pg.Client({ connectionString: url, application_name: 'a report' })
  await holder.connect()
  await holder.query('begin; lock table organisation_configs')
  const waiting = startCommand(['migrate'], settings(url))
  await waiting.says('A table is in use: trying again in 3 s. A role with pg_read_all_stats would see')
  const { code, err } = await waiting.end('SIGINT')
  expect([code, err]).toEqual([130, expect.stringContaining('Stopped.')])
  await holder.end()
  expect((await runCommand(['migrate'], settings(url))).out).toContain('_base_currency is applied')
})
