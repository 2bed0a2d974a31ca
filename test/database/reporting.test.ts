// The views for other programs show a role the rows of its projects, and no more, whatever it tries.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillWorld, type World } from '../kit/groups/world.ts'
import { freshDatabase } from '../kit/service.ts'

const [mine, other] = ['00000000-0000-4000-8000-00000000aaaa', '00000000-0000-4000-8000-00000000bbbb']
const views = ['projects', 'receipts', 'payments', 'anchors', 'receipt_hours']

let url: string
let owner: pg.Pool
let world: World
// Roles are of the whole server, so each run has its own.
const suffix = Math.random().toString(36).slice(2, 8)
const [one, all, none] = ['one', 'all', 'none'].map(name => `reporting_${name}_${suffix}`) as [string, string, string]

beforeAll(async () => {
  url = await freshDatabase()
  owner = new pg.Pool({ connectionString: url })
  for (const id of [mine, other]) await owner.query('insert into projects (id, name) values ($1, $2)', [id, id])
  world = await fillWorld(owner, [mine, other], 120, 3)
  for (const role of [one, all, none]) await owner.query(`create role ${role} login password 'secret'`)
  await owner.query('select reporting.allow($1, $2)', [one, mine])
  await owner.query('select reporting.allow($1)', [all])
})
afterAll(async () => {
  for (const role of [one, all, none]) await owner.query(`drop owned by ${role}; drop role ${role}`)
  await owner.end()
})

async function as<Result>(role: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const address = new URL(url)
  address.username = role
  address.password = 'secret'
  const client = new pg.Client({ connectionString: String(address) })
  await client.connect()
  return work(client).finally(() => client.end())
}

it('shows the rows of its project alone, and of all projects to a role of all', async () => {
  for (const [role, projects] of [
    [one, [mine]],
    [all, [mine, other]],
  ] as const)
    await as(role, async client => {
      const facts = world.facts.filter(fact => projects.some(id => id === fact.projectId))
      const { rows } = await client.query('select id, kind, status, amount::text from reporting.receipts order by id')
      expect(rows.map(({ id }) => id)).toEqual(facts.map(({ id }) => id))
      expect((await client.query('select id from reporting.projects order by id')).rows.map(({ id }) => id)).toEqual(
        projects,
      )
      const { rows: hours } = await client.query(
        'select sum(count)::int as count, sum(amount)::text as amount from reporting.receipt_hours',
      )
      const { rows: sums } = await client.query(
        'select count(*)::int as count, sum(amount)::text as amount from reporting.receipts',
      )
      expect(hours).toEqual(sums)
      const { rows: payments } = await client.query('select receipt_id from reporting.payments order by 1')
      expect(payments.map(({ receipt_id }) => receipt_id)).toEqual(
        facts.filter(({ payer }) => payer !== null).map(({ id }) => id),
      )
      const { rows: anchors } = await client.query('select distinct project_id from reporting.anchors order by 1')
      expect(anchors.map(({ project_id }) => project_id)).toEqual(projects)
    })
})

it.each([
  'select * from public.receipts',
  'select * from public.api_keys',
  'select * from reporting.access',
  'insert into reporting.access values (current_user, null)',
  `select reporting.allow(current_user::name)`,
  'update reporting.receipts set reference = $$x$$',
  'delete from reporting.projects',
  'create view reporting.mine as select 1',
  `set role ${all}`,
])('refuses %s', async sql => {
  await expect(as(one, client => client.query(sql))).rejects.toThrow(/permission denied|cannot (delete|update|insert)/)
})

it('shows nothing of another project through a function that sees each row first', async () => {
  const seen = await as(one, async client => {
    await client.query(`create function pg_temp.peek(text) returns boolean language plpgsql cost 0.0001 as
      'begin raise notice ''%'', $1; return true; end'`)
    const notices: string[] = []
    client.on('notice', ({ message }) => notices.push(String(message)))
    for (const view of ['receipts', 'payments', 'anchors'])
      await client.query(`select from reporting.${view} v where pg_temp.peek(v.project_id::text)`)
    return new Set(notices)
  })
  expect([...seen]).toEqual([mine])
})

it('refuses a role without access', async () => {
  for (const view of views)
    await expect(as(none, client => client.query(`select * from reporting.${view}`))).rejects.toThrow(
      'permission denied',
    )
})
