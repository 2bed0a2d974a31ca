// A new migration that old processes would not survive, or that would stop writers, is named by `npm run check`.
import { describe, expect, it } from 'vitest'
import { faultsOf } from '../../prisma/expanding.ts'

const of = (sql: string, oldestProgram: string | null = null) =>
  faultsOf({ name: '20270101000000_new', sql, checksum: '', oldestProgram })

describe('old programs run beside', () => {
  it.each([
    'alter table receipts add column note text',
    'alter table receipts add column note text not null default $$x$$',
    'alter table receipts add column at timestamptz default current_timestamp',
    'create table notes (id bigserial primary key, at timestamptz not null default now()); create index on notes (at); update notes set id = 1',
    'create table notes (id int); alter table notes add column more text not null, add constraint c check (id > 0)',
    'alter table receipts add constraint c check (amount > 0) not valid; alter table receipts validate constraint c',
    'create index concurrently if not exists i on receipts (reference); drop index concurrently if exists j',
    'create or replace function f() returns int language sql return 1',
    'create trigger t before insert on receipts for each row execute function f()',
    "alter type receipt_status add value 'new'",
    'create view v as select 1 as one; create schema s; insert into price_settings (id) values (1)',
    'alter table receipts alter column reference drop not null',
  ])('%s', async sql => {
    expect(await of(sql)).toEqual([])
  })
})

describe('what older programs may use is taken away', () => {
  it.each([
    ['drop table receipts', 'drops receipts'],
    ['alter table receipts drop column reference', 'drops receipts.reference'],
    ['alter table receipts rename column reference to name', 'renames reference'],
    ['alter table receipts rename to payments', 'renames receipts'],
    ['alter table receipts add column note text not null', 'adds receipts.note, not null and without default'],
    ['alter table receipts alter column reference set not null', 'makes receipts.reference not null'],
    ['drop function f(int); drop trigger t on receipts', 'drops f'],
    ['truncate receipt_counts', 'empties tables'],
    ['drop type kind', 'drops kind'],
  ])('%s', async (sql, what) => {
    const [fault] = await of(sql)
    expect(fault).toContain(`20270101000000_new ${what}, which older programs may use`)
    expect(await of(sql, '0.1.0')).toEqual([])
  })

  it('and a version that is not released cannot be the first without', async () => {
    expect(await of('drop table receipts', '99.0.0')).toEqual([expect.stringContaining('which is not released')])
  })
})

describe('writers wait', () => {
  it.each([
    ['create index i on receipts (reference)', 'builds an index of receipts'],
    ['create unique index if not exists i on receipts (reference)', 'builds an index of receipts'],
    ['create index concurrently i on receipts (reference)', 'builds i without IF NOT EXISTS'],
    ['alter table receipts add constraint c check (amount > 0)', 'checks all rows of receipts for c'],
    ['alter table receipts add constraint c foreign key (id) references projects (id)', 'checks all rows of receipts'],
    ['alter table receipts add column n bigserial', 'computes receipts.n for each row'],
    ['alter table receipts add column n uuid default gen_random_uuid()', 'computes receipts.n for each row'],
    ['alter table receipts add column n text unique', 'builds an index of receipts'],
    ['update receipts set reference = $$x$$', 'changes rows of receipts'],
    ['delete from events', 'changes rows of events'],
    ['lock table receipts', 'locks tables'],
  ])('%s', async (sql, what) => {
    const [fault] = await of(sql)
    expect(fault).toContain(`20270101000000_new ${what}`)
    expect(await of(`-- Locks: it has few rows.\n${sql}`)).toEqual([])
  })

  it('a change of a type writes the table anew, and takes the old type away', async () => {
    expect(await of('alter table receipts alter column amount type text')).toHaveLength(2)
  })
})

it('indexes that are built concurrently have a migration of their own, because it runs in no transaction', async () => {
  const sql = 'create index concurrently if not exists i on receipts (reference); alter table receipts add column n int'
  expect(await of(sql)).toEqual([expect.stringContaining('give them a migration of their own')])
})
