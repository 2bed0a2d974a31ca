// The equipment of tests with standbys: copies of a running PostgreSQL that stream from it, and take its place.
import { expect, test } from 'vitest'
import { startServers } from '../kit/standby.ts'

const ids = 'select id from notes order by id'

test('a standby streams, pauses, dies and returns, and takes the place of a killed primary', async () => {
  const servers = await startServers()
  const { primary } = servers
  try {
    await primary.sql('create table notes as select 1 as id')
    const [one, two] = await Promise.all([servers.addStandby('one'), servers.addStandby('two')])
    await one.sql('select pg_wal_replay_pause()')
    await two.kill()
    await primary.sql('insert into notes values (2)')
    expect(await one.sql(ids)).toEqual([{ id: 1 }])
    await one.sql('select pg_wal_replay_resume()')
    await two.start()
    for (const standby of [one, two]) {
      await standby.caughtUp(primary)
      expect(await standby.sql(ids)).toEqual([{ id: 1 }, { id: 2 }])
    }
    await primary.kill()
    await one.promote()
    await two.follow(one)
    await one.sql('insert into notes values (3)')
    await two.caughtUp(one)
    await servers.remove(primary)
    const three = await servers.addStandby('three', one)
    for (const standby of [two, three])
      expect(await standby.sql(ids), standby.name).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  } finally {
    await servers.stop()
  }
})
