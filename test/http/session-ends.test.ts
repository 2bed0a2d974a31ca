// A session ends when it expires, when it is revoked, and with its API key: at every process, with its streams.
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlOf } from '../../src/kit/transaction.ts'
import { cleanSessions } from '../../src/modules/sessions/store.ts'
import { adminKey, type Service } from '../kit/service.ts'
import { type Made, registered, sessionOf, signedBy, signIn, statusOf } from '../kit/sessions.ts'
import { newWallet } from '../kit/sign-in.ts'
import { startTwoProcesses, type TwoProcesses } from '../kit/two-processes.ts'

let running: TwoProcesses
let one: Service
let two: Service
let project: { id: string; key: string }
let receipt: string
beforeAll(async () => {
  running = await startTwoProcesses()
  ;({ one, two, project, receipt } = running)
})
afterAll(() => running.stop())

const revoke = (key: string, id?: string) =>
  one.api.graphql('mutation ($id: ID) { revokeSession(input: { id: $id }) { session { id revokedAt } } }', {
    key,
    variables: { id },
  })
const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code
const expire = ({ id }: Pick<Made, 'id'>) =>
  one.app.pool.query('update sessions set expires_at = now() where id = $1', [id])

/** Expects that both processes have accepted the token before `end`, and accept it no longer afterwards. */
async function expectEnded({ token }: Made, end: () => Promise<unknown>) {
  for (const service of [one, two]) expect(await statusOf(service, token)).toBe(200)
  await end()
  for (const service of [one, two]) await expect.poll(() => statusOf(service, token)).toBe(401)
}

describe('a session ends at every process', () => {
  it('when it expires', async () => {
    const session = await sessionOf(one, project.key)
    await expectEnded(session, () => expire(session))
  })

  it('when it signs out, which needs no id', async () => {
    const session = await sessionOf(one, project.key, 'viewer')
    await expectEnded(session, async () => {
      const { data } = await revoke(session.token)
      expect(data.revokeSession.session).toEqual({ id: session.id, revokedAt: expect.any(String) })
    })
    const { rows } = await one.app.pool.query(
      `select actor, project_id from audit_events where action = 'session.revoke' and object_id = $1`,
      [session.id],
    )
    expect(rows).toEqual([{ actor: `session:${session.id}`, project_id: project.id }])
  })

  it.each(['revoked', 'expired'])('when the API key that made it is %s', async how => {
    const key = await one.api.key(project.key, 'project')
    const session = await sessionOf(one, key)
    await expectEnded(session, () =>
      one.app.pool.query(
        `update api_keys set ${how === 'revoked' ? 'revoked_at' : 'expires_at'} = now()
         where id = (select api_key_id from sessions where id = $1)`,
        [session.id],
      ),
    )
    const { data } = await one.api.graphql('{ me { project { sessions(first: 100) { nodes { id } } } } }', project)
    expect(data.me.project.sessions.nodes).not.toContainEqual({ id: session.id })
  })

  it('of a wallet, when a project_admin key revokes it', async () => {
    const wallet = newWallet()
    const { key } = await registered(one, wallet)
    const { session, token } = (await signIn(one, await signedBy(one, wallet))).data.signIn
    await expectEnded({ id: session.id, token, session }, () => revoke(key, session.id))
  })
})

describe('a session is revoked', () => {
  it('by the API key that made it, by project_admins and by service administrators', async () => {
    const key = await one.api.key(project.key, 'viewer')
    const admin = (await sessionOf(one, project.key)).token
    for (const by of [key, project.key, admin, adminKey]) {
      const { id } = await sessionOf(one, key)
      expect(codeOf(await revoke(by, id))).toBeUndefined()
    }
  })

  it('by no other caller of the project', async () => {
    const { id, token } = await sessionOf(one, project.key)
    const other = await one.api.key(project.key, 'project')
    for (const by of [other, (await sessionOf(one, other)).token, (await sessionOf(one, project.key, 'viewer')).token])
      expect(codeOf(await revoke(by, id))).toBe('forbidden')
    expect(await statusOf(one, token)).toBe(200)
  })

  it('by no other project, for which it looks absent', async () => {
    const stranger = await one.api.project('Stranger')
    const { id, token } = await sessionOf(one, project.key)
    const absent = await revoke(stranger.key, crypto.randomUUID())
    expect(codeOf(absent)).toBe('not_found')
    const ofSession = (await sessionOf(one, stranger.key)).token
    for (const by of [stranger.key, ofSession]) expect((await revoke(by, id)).errors).toEqual(absent.errors)
    expect(await statusOf(one, token)).toBe(200)
  })

  it('once: again changes nothing, and an expired one looks absent', async () => {
    const { id } = await sessionOf(one, project.key)
    const first = await revoke(project.key, id)
    expect((await revoke(project.key, id)).data).toEqual(first.data)
    await expire({ id })
    expect(codeOf(await revoke(project.key, id))).toBe('not_found')
  })

  it('by its id, which only a session may omit', async () => {
    expect(codeOf(await revoke(project.key))).toBe('validation_failed')
  })
})

it('sessions are deleted once they have expired, and not before', async () => {
  const [gone, stays] = [await sessionOf(one, project.key), await sessionOf(one, project.key)]
  await expire(gone)
  await cleanSessions(sqlOf(one.app.pool))
  const { rows } = await one.app.pool.query('select id from sessions where id = any($1)', [[gone.id, stays.id]])
  expect(rows).toEqual([{ id: stays.id }])
})

const query = () => `subscription { receiptEvents(receiptId: "${receipt}") { cursor status } }`
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const json = { 'Content-Type': 'application/json' }
const events = { Accept: 'text/event-stream' }

const open: Record<string, (service: Service, token: string) => Promise<Response>> = {
  'over REST': ({ base }, token) => fetch(`${base}/v1/iso/events/${receipt}`, { headers: bearer(token) }),
  'of one operation': ({ base }, token) =>
    fetch(`${base}/graphql/stream`, {
      method: 'POST',
      headers: { ...json, ...events, ...bearer(token) },
      body: JSON.stringify({ query: query() }),
    }),
  'of several operations': async ({ base }, token) => {
    const at = `${base}/graphql/stream`
    const reserved = await (await fetch(at, { method: 'PUT', headers: bearer(token) })).text()
    const mine = { ...bearer(token), 'X-GraphQL-Event-Stream-Token': reserved }
    const stream = await fetch(at, { headers: { ...events, ...mine } })
    const body = JSON.stringify({ query: query(), extensions: { operationId: '1' } })
    expect((await fetch(at, { method: 'POST', headers: { ...json, ...mine }, body })).status).toBe(202)
    return stream
  },
}

describe.each(Object.keys(open))('a stream %s', name => {
  it.concurrent.each(['revoked', 'expired'])('is cut at every process when its session is %s', async how => {
    const session = await sessionOf(one, project.key, 'viewer')
    const streams = await Promise.all([one, two].map(async service => open[name]?.(service, session.token)))
    const ends = streams.map(async response => {
      expect(response?.status).toBe(200)
      // Cut, not completed: the client would otherwise take it for the end of the events.
      await expect(response?.text()).rejects.toThrow('terminated')
    })
    await (how === 'revoked' ? revoke(session.token) : expire(session))
    await Promise.all(ends)
    expect((await open['over REST']?.(two, session.token))?.status).toBe(401)
  })
})

it.each([true, false])('graphql-sse continues with a fresh token (one connection: %s)', async singleConnection => {
  const project = await one.api.project('Live')
  const used: Made[] = []
  const client = createClient({
    url: `${one.base}/graphql/stream`,
    singleConnection: singleConnection as true,
    retryAttempts: 50,
    // A client of one connection writes its stream token into this object.
    headers: async () => {
      const last = used.at(-1)
      if (last && (await statusOf(one, last.token)) === 200) return bearer(last.token)
      used.push(await sessionOf(one, project.key, 'viewer'))
      return bearer(used.at(-1)?.token ?? '')
    },
  })
  const seen: unknown[] = []
  const stop = client.subscribe(
    { query: 'subscription { receiptChanged(after: "0") { receipt { id } } }' },
    { next: ({ data }) => seen.push(data), error: error => seen.push(error), complete: () => undefined },
  )
  const record = async () => ({
    receiptChanged: { receipt: { id: (await one.api.record(project.key)).json.receipt_id } },
  })
  const before = await record()
  await expect.poll(() => seen).toContainEqual(before)
  await expire(used[0] as Made)
  await expect.poll(() => used.length).toBe(2)
  const after = await record()
  await expect.poll(() => seen).toContainEqual(after)
  stop()
  client.dispose()
})
