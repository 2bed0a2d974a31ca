// The doctor on a PostgreSQL with a standby: what stops a start, and what hurts later. The start is refused with the
// same words.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../kit/command.ts'
import { startService } from '../kit/service.ts'
import { isFull } from '../kit/size.ts'
import { startServers } from '../kit/standby.ts'

type Servers = Awaited<ReturnType<typeof startServers>>
type Server = Servers['primary']

const doctor = async (DATABASE_URL: string) => (await runCommand(['doctor'], { DATABASE_URL })).out

describe.runIf(isFull)('the doctor', () => {
  let servers: Servers
  let primary: Server
  let standby: Server
  let role: string
  beforeAll(async () => {
    servers = await startServers()
    primary = servers.primary
    standby = await servers.addStandby('standby')
    await primary.sql(`create role limited login password 'limited'`)
    await primary.sql('grant create on database quittance to limited')
    await primary.sql('grant usage, create on schema public to limited')
    role = Object.assign(new URL(primary.url), { username: 'limited', password: 'limited' }).toString()
  })
  afterAll(() => servers?.stop())

  const reload = 'select pg_reload_conf()'
  it('tells a role without pg_read_all_stats what is hidden from it', async () => {
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join()
    const url = `postgres://limited:limited@${hosts}/quittance?target_session_attrs=read-write`
    await primary.sql(`alter system set synchronous_standby_names = 'standby'`)
    await primary.sql(reload)
    const hidden = await doctor(url)
    expect(hidden).toMatch(/^warn +database +Whether commits wait .* = standby\) is hidden from this role/m)
    expect(hidden).toMatch(new RegExp(`^ok +database +127.0.0.1:${standby.port} is a standby with a WAL receiver`, 'm'))
    await primary.sql('grant pg_read_all_stats to limited')
    const shown = await doctor(url)
    expect(shown).toMatch(/^ok +database +Commits wait for a standby/m)
    expect(shown).toMatch(new RegExp(`^ok +database +127.0.0.1:${standby.port} is a standby\\.$`, 'm'))
    await primary.sql('revoke pg_read_all_stats from limited')
    await primary.sql('alter system reset synchronous_standby_names')
    await primary.sql(reload)
  })

  // The checkpoint would take the slot of a standby that lags, too.
  const standbyIsBehindNothing = `do $$ begin while exists (select from pg_replication_slots where slot_name <> 'gone'
    and restart_lsn < pg_current_wal_flush_lsn()) loop perform pg_sleep(0.05); end loop; end $$`
  it.each<[string, string[], string[], RegExp]>([
    ['a standby that is not waited for', [], [], /^warn +database +Standbys: 1, none synchronous/m],
    [
      'a standby that is waited for',
      [`alter system set synchronous_standby_names = 'standby'`, reload],
      [],
      /^ok +database +Commits wait for a standby/m,
    ],
    [
      'commits that wait for nobody',
      [`alter system set synchronous_standby_names = 'nobody'`, reload],
      ['alter system reset synchronous_standby_names', reload],
      /^FAIL +database +No commit ends: .*nobody/m,
    ],
    [
      'commits that a crash loses',
      ['alter system set synchronous_commit = off', reload],
      ['alter system reset synchronous_commit', reload],
      /^warn +database +synchronous_commit = off: /m,
    ],
    ['a disk that is not waited for', [], [], /^warn +database +fsync = off: /m],
    [
      'a slot that lost its WAL',
      [
        `alter system set max_slot_wal_keep_size = '1MB'`,
        reload,
        `select pg_create_physical_replication_slot('gone', true)`,
        ...Array.from({ length: 3 }, () => `select pg_logical_emit_message(false, '', ''), pg_switch_wal()`),
        standbyIsBehindNothing,
        'checkpoint',
      ],
      [`select pg_drop_replication_slot('gone')`, 'alter system reset max_slot_wal_keep_size', reload],
      /^warn +database +The replication slot gone is lost/m,
    ],
  ])('reports %s', async (_, changes, restores, line) => {
    for (const change of changes) await primary.sql(change)
    expect(await doctor(primary.url)).toMatch(line)
    for (const restore of restores) await primary.sql(restore)
  })

  it.each<[string, string, RegExp]>([
    [
      'too few connections for one process',
      'alter role limited connection limit 20',
      /^FAIL .*room for 20 .*: 0 fit, 0 run/m,
    ],
    ['no room for a second process', 'alter role limited connection limit 40', /^ok .*room for 40 .*: 1 fit, 0 run/m],
    [
      'the limits of the role that the service overrides',
      `alter role limited set statement_timeout = '5s'`,
      /^ok .*overrides these settings.*statement_timeout = 5s/m,
    ],
  ])('reports %s', async (_, change, line) => {
    await primary.sql(change)
    expect(await doctor(role)).toMatch(line)
  })

  it.each<[string, () => Promise<string>, RegExp]>([
    ['a standby', async () => standby.url, /is a standby, which takes no writes/],
    [
      'a read-only role',
      async () => {
        await primary.sql('alter role limited connection limit -1')
        await primary.sql('alter role limited set default_transaction_read_only = on')
        return role
      },
      /takes no writes: default_transaction_read_only/,
    ],
  ])('and the start refuse %s', async (_, urlOf, words) => {
    const url = await urlOf()
    expect(await doctor(url)).toMatch(new RegExp(`^FAIL +database .*${words.source}`, 'm'))
    await expect(startService({ DATABASE_URL: url, ROLES: 'api' })).rejects.toThrow(words)
  })

  it('tells what each server of the URL does, also with two primaries', async () => {
    const { username, password, pathname } = new URL(primary.url)
    const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join()
    const url = `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`
    const [first, second] = [`127.0.0.1:${standby.port}`, `127.0.0.1:${primary.port}`]
    const healthy = await doctor(url)
    expect(healthy).toMatch(new RegExp(`^ok +database +${first} is a standby\\.$`, 'm'))
    expect(healthy).toMatch(new RegExp(`^ok +database +${second} takes writes\\.$`, 'm'))
    await standby.promote()
    expect(await doctor(url)).toMatch(new RegExp(`^FAIL +database +${first} and ${second} take writes`, 'm'))
    await primary.kill()
    expect(await doctor(url)).toMatch(new RegExp(`^warn +database +${second} cannot be used: .*No failover leads`, 'm'))
    await standby.stop()
    expect(await doctor(url)).toMatch(
      /^FAIL +database +PostgreSQL cannot be used: no server of the database takes wri/m,
    )
  })
})
