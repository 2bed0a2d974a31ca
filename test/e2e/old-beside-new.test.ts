// An update without a stop (docs/upgrade.md): old processes serve while the new version migrates, old and new ones
// serve side by side, and what the old ones used is taken away when none runs. The new version is a copy of this one
// with further migrations. OLD_PROGRAM names the checkout of an earlier release, with its packages, to be the old one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { type Anvil, account, startAnvil } from '../kit/anvil.ts'
import { type Balancer, startBalancer } from '../kit/balancer.ts'
import { apiSettings, type Child, startChild } from '../kit/child.ts'
import { startCommand } from '../kit/command.ts'
import { onDatabase } from '../kit/global-setup.ts'
import { type OtherVersion, otherVersion } from '../kit/other-version.ts'
import { apiOf, tipOf } from '../kit/service.ts'
import { onlyInFull } from '../kit/size.ts'

const { OLD_PROGRAM } = process.env
const oldMain = OLD_PROGRAM && join(OLD_PROGRAM, 'src/main.ts')
const oldBin = OLD_PROGRAM && join(OLD_PROGRAM, 'bin/quittance.js')

const expanding = {
  '29990101000000_notes': `
    CREATE TABLE "notes" ("id" BIGSERIAL PRIMARY KEY, "receipt_id" UUID NOT NULL, "text" TEXT NOT NULL);
    ALTER TABLE "notes" ADD CONSTRAINT "notes_receipt" FOREIGN KEY ("receipt_id") REFERENCES "receipts"("id") DEFERRABLE INITIALLY DEFERRED NOT VALID;
    ALTER TABLE "receipts" ADD COLUMN "note" TEXT;
    CREATE FUNCTION receipt_note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      new.note := 'of ' || new.reference;
      INSERT INTO "notes" ("receipt_id", "text") VALUES (new.id, new.note);
      RETURN new;
    END $$;
    CREATE TRIGGER receipt_note BEFORE INSERT ON "receipts" FOR EACH ROW EXECUTE FUNCTION receipt_note();`,
  '29990101000001_notes_indexes': `CREATE INDEX CONCURRENTLY IF NOT EXISTS "receipts_note_idx" ON "receipts"("note");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "events_late_idx" ON "events"("created_at");
`,
}
const contracting = { '29990101000002_less': '-- Oldest program: 0.2.0\nDROP TABLE "model_usage";' }

const [owner, service] = [`owner_beside_${process.pid}`, `service_beside_${process.pid}`]
let folder: string
let chain: Anvil
let balancer: Balancer
let settings: Record<string, string>
let database: pg.Client
let next: OtherVersion
let nextButOne: OtherVersion
const running = new Set<Child>()

const as = (role: string, url: string) => Object.assign(new URL(url), { username: role, password: 'secret' }).toString()

async function begin(roles: 'api' | 'worker', program?: string): Promise<Child> {
  const child = await startChild({ ...settings, ROLES: roles, SHUTDOWN_SECONDS: '6' }, program)
  running.add(child)
  if (roles === 'api') await balancer.add(child.url())
  return child
}

async function end(child: Child): Promise<void> {
  await child.end('SIGTERM')
  running.delete(child)
  expect(child.process.exitCode, child.said()).toBe(0)
  if (child.url() !== '') balancer.remove(child.url())
}

const migrate = (program?: string) =>
  startCommand(
    ['migrate'],
    { MIGRATION_DATABASE_URL: as(owner, settings.DATABASE_URL ?? ''), DATABASE_URL: settings.DATABASE_URL ?? '' },
    undefined,
    program,
  ).ended

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-beside-'))
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  for (const role of [owner, service]) await admin.query(`create role ${role} login password 'secret'`)
  await admin.query(`create database ${owner} owner ${owner}`)
  await admin.end()
  const url = onDatabase(inject('postgresUrl'), owner)
  database = new pg.Client({ connectionString: url })
  await database.connect()
  chain = await startAnvil(31_341)
  balancer = await startBalancer()
  settings = {
    ...apiSettings(as(service, url), folder, chain),
    ANCHOR_PRIVATE_KEY: account(4).privateKey,
    ANCHOR_CONFIRMATIONS: '1',
  }
  next = await otherVersion('0.2.0', expanding)
  nextButOne = await otherVersion('0.3.0', { ...expanding, ...contracting })
})
afterAll(async () => {
  await balancer?.stop()
  for (const child of running) await child.end('SIGTERM')
  await chain?.stop()
  await database?.end()
  for (const version of [next, nextButOne]) await rm(version?.folder ?? folder, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
})

onlyInFull(
  'no request fails while one version replaces another, and no version starts on tables that lack what it uses',
  { timeout: 400_000 },
  async () => {
    expect(await migrate(oldBin)).toMatchObject({ code: 0 })
    const old = {
      worker: await begin('worker', oldMain),
      apis: [await begin('api', oldMain), await begin('api', oldMain)],
    }
    const { call, project, record } = apiOf(balancer.url)
    const { key } = await project()
    const recorded: string[] = []
    const failures: string[] = []
    let isLoaded = true
    async function client(n: number): Promise<void> {
      for (let turn = n; isLoaded; turn++) {
        try {
          const query = '{ receipts(first: 20) { nodes { id status reference } } }'
          const { status, text, json } =
            turn % 3 === 0
              ? await record(key, tipOf())
              : turn % 3 === 1
                ? await call('GET', `/v1/iso/receipts/${recorded.at(-1) ?? ''}`, { key })
                : await call('POST', '/graphql', { key, body: { query } })
          if (status !== 200 || text.includes('"errors"')) failures.push(`${status} ${text.slice(0, 300)}`)
          else if (turn % 3 === 0) recorded.push(json.receipt_id)
        } catch (error) {
          failures.push(String(error))
        }
      }
    }
    recorded.push((await record(key)).json.receipt_id)
    const load = Array.from({ length: 6 }, (_, n) => client(n))
    /** Lets both versions work for a while: this many receipts are recorded meanwhile. */
    const goOn = async (count: number) => {
      const from = recorded.length
      await expect.poll(() => recorded.length - from, { timeout: 120_000 }).toBeGreaterThan(count)
    }
    await goOn(30)

    // First the tables, while the old version serves.
    const expanded = await migrate(next.bin)
    expect(expanded, expanded.err).toMatchObject({ code: 0 })
    for (const name of Object.keys(expanding)) expect(expanded.out).toContain(`${name} is applied`)
    await goOn(50)
    // An old process can be started again: this is the way back, too.
    await end(await begin('api', oldMain))
    expect(await migrate(oldBin)).toMatchObject({
      code: 0,
      out: expect.stringContaining('and newer: 29990101000000_notes'),
    })

    // Then new processes, beside old ones.
    const worker = await begin('worker', next.main)
    await end(old.worker)
    for (const one of old.apis) {
      await begin('api', next.main)
      await goOn(30)
      const refused = await migrate(nextButOne.bin)
      expect(refused.code, refused.out).toBe(1)
      expect(refused.err).toContain(
        'takes away what versions before 0.2.0 use, and processes of 0.1.0 run on this database',
      )
      await end(one)
    }
    expect(await migrate(nextButOne.bin)).toMatchObject({ code: 0 })
    await goOn(30)
    await expect(begin('api', oldMain)).rejects.toThrow('since 29990101000002_less it needs version 0.2.0 or later')
    // A program of the version before is refused by its own migrate, too.
    expect((await migrate(oldBin)).err).toContain('newer than this program')
    isLoaded = false
    await Promise.all(load)

    expect(failures).toEqual([])
    const { rows } = await database.query(
      `select count(*)::int as kept, count(note)::int as noted, (select count(*)::int from notes) as notes from receipts where id = any($1::uuid[])`,
      [recorded],
    )
    expect(rows[0].kept).toBe(recorded.length)
    expect(rows[0].noted).toBe(rows[0].notes)
    expect(rows[0].noted).toBeGreaterThan(100)
    const left = async () =>
      (await database.query(`select count(*)::int as n from receipts where status <> 'anchored'`)).rows[0].n
    await expect.poll(left, { timeout: 120_000 }).toBe(0)
    expect(worker.process.exitCode, worker.said()).toBeNull()
  },
)
