// Callers create sessions with their own rights or fewer. A session obtains nothing that would outlive it, such as a
// key.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { enumNameOf } from '../../src/core/enum-name.ts'
import { roles } from '../../src/core/principal.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { askForSession, registered, sessionOf, signedBy, signIn } from '../kit/sessions.ts'
import { newWallet } from '../kit/sign-in.ts'

let service: Service
let project: { id: string; key: string }
beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
  project = await service.api.project()
})
afterAll(() => service.stop())

const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code
const keyIdOf = async (key: string) => {
  const { data } = await service.api.graphql('{ apiKeys { nodes { id } } }', { key })
  return data.apiKeys.nodes[0].id as string
}
const trail = async (id: string) => {
  const { rows } = await service.app.pool.query(
    'select action, actor, project_id as project, details from audit_events where object_id = $1 order by id',
    [id],
  )
  return rows
}

describe('a session that an API key creates', () => {
  it('has the key’s project and role for 15 minutes, and its creation is in the audit trail', async () => {
    const { id, token, session } = await sessionOf(service, project.key)
    const keyId = await keyIdOf(project.key)
    expect(session).toMatchObject({
      role: 'PROJECT_ADMIN',
      project: { id: project.id },
      createdBy: { __typename: 'ApiKeyActor', name: `key:${keyId}` },
    })
    expect(Date.parse(session.expiresAt ?? '') - Date.parse(session.createdAt ?? '')).toBe(15 * 60_000)
    const left = `{ me { project { sessions { nodes { id expiresIn } } } } }`
    const { sessions } = (await service.api.graphql(left, { key: project.key })).data.me.project
    const { expiresIn } = sessions.nodes.find((one: { id: string }) => one.id === id)
    expect([expiresIn <= 900, expiresIn > 840]).toEqual([true, true])
    const { createSession } = (
      await service.api.graphql('mutation { createSession(input: {}) { session { expiresIn } } }', { key: project.key })
    ).data
    expect([899, 900]).toContain(createSession.session.expiresIn)
    const { data } = await service.api.graphql('{ me { role project { id } isAdmin } }', { key: token })
    expect(data.me).toEqual({ role: 'PROJECT_ADMIN', project: { id: project.id }, isAdmin: false })
    const created = { action: 'session.create', actor: `key:${keyId}`, project: project.id }
    expect(await trail(id)).toEqual([{ ...created, details: { role: 'project_admin' } }])
  })

  it('has a lower role if one is given, and never a higher one', async () => {
    for (const [index, role] of roles.entries()) {
      const key = await service.api.key(project.key, role)
      for (const [other, asked] of roles.entries()) {
        const { data, errors } = await askForSession(service, key, asked)
        if (other >= index) expect(data.createSession.session.role).toBe(enumNameOf(asked))
        else expect([role, asked, errors[0].extensions.code]).toEqual([role, asked, 'forbidden'])
      }
    }
  })

  it('is the actor of what it writes', async () => {
    const { id, token } = await sessionOf(service, project.key, 'project')
    const receipt = (await service.api.record(token)).json.receipt_id
    expect(await trail(receipt)).toMatchObject([{ action: 'receipt.record', actor: `session:${id}` }])
  })

  it('does not outlive its key', async () => {
    const expiresAt = new Date(Date.now() + 5 * 60_000).toISOString()
    const create = `mutation { createApiKey(input: { label: "short", expiresAt: "${expiresAt}" }) { key } }`
    const { key } = (await service.api.graphql(create, { key: project.key })).data.createApiKey
    expect((await sessionOf(service, key)).session.expiresAt).toBe(expiresAt)
  })

  it('is not for service administrators, who have no project, nor for callers without a key', async () => {
    expect(codeOf(await askForSession(service, adminKey))).toBe('project_key_required')
    expect(codeOf(await service.api.graphql('mutation { createSession(input: {}) { token } }'))).toBe('unauthenticated')
  })

  it('is listed, newest first, to callers with manage access', async () => {
    const { key } = await service.api.project('Listed')
    const made = [await sessionOf(service, key), await sessionOf(service, key, 'viewer'), await sessionOf(service, key)]
    const query = '{ me { project { sessions(first: 2) { totalCount nodes { id } } } } }'
    const { sessions } = (await service.api.graphql(query, { key })).data.me.project
    expect(sessions).toEqual({ totalCount: 3, nodes: [{ id: made[2]?.id }, { id: made[1]?.id }] })
    expect(codeOf(await service.api.graphql(query, { key: made[1]?.token ?? '' }))).toBe('forbidden')
  })

  it('is listed also where a document asks for the list at two places, between which time passes', async () => {
    const { key } = await service.api.project('Twice')
    const { id } = await sessionOf(service, key)
    // SQL does not read `config`, so resolvers answer the whole project.
    const query = `{ me { project {
      config { __typename } sessions { pageInfo { hasNextPage } } sessions { nodes { id createdAt } }
    } } }`
    const RealDate = Date
    let ticks = 0
    vi.stubGlobal(
      'Date',
      class extends RealDate {
        constructor(...given: [] | [number]) {
          super(...((given.length === 0 ? [RealDate.now() + ++ticks] : given) as [number]))
        }
      },
    )
    const { data, errors } = await service.api.graphql(query, { key }).finally(() => vi.unstubAllGlobals())
    expect(ticks).toBeGreaterThan(0)
    expect(errors).toBeUndefined()
    expect(data.me.project.sessions.nodes).toEqual([{ id, createdAt: expect.any(String) }])
  })

  it('is refused when the project has 10,000 live sessions, while the owner’s wallet may still sign in', async () => {
    const wallet = newWallet()
    const { id, key } = await registered(service, wallet)
    await service.app.pool.query(
      `insert into sessions (id, project_id, role, wallet, token_hash, expires_at)
       select gen_random_uuid(), $1::uuid, 'viewer', 'x', sha256(convert_to($1::text || n, 'utf8')), now() + interval '1 minute'
       from generate_series(1, 9999) n`,
      [id],
    )
    expect(codeOf(await askForSession(service, key))).toBeUndefined()
    expect(codeOf(await askForSession(service, key))).toBe('too_many_sessions')
    expect(codeOf(await signIn(service, await signedBy(service, wallet)))).toBeUndefined()
    await service.app.pool.query(`update sessions set expires_at = now() where project_id = $1 and wallet = 'x'`, [id])
    expect(codeOf(await askForSession(service, key))).toBeUndefined()
  })

  it('has a token that is not stored for a repeated request', async () => {
    const body = { query: 'mutation { createSession(input: {}) { token session { id } } }' }
    const headers = { 'Idempotency-Key': 'one-session' }
    const ask = async () => (await service.api.call('POST', '/graphql', { key: project.key, body, headers })).json.data
    const [first, second] = [(await ask()).createSession, (await ask()).createSession]
    expect(second).toEqual({ ...first, token: null })
  })
})

describe('a session that a wallet signs in for', () => {
  it('is of the project that the wallet owns, and its actor is the wallet', async () => {
    const wallet = newWallet()
    const { id } = await registered(service, wallet)
    const { session, token } = (await signIn(service, await signedBy(service, wallet))).data.signIn
    const actor = `wallet:${wallet.address.toLowerCase()}`
    expect(session).toMatchObject({
      role: 'PROJECT_ADMIN',
      project: { id },
      createdBy: { __typename: 'WalletActor', name: actor },
    })
    const { data } = await service.api.graphql('{ me { role project { id } } }', { key: token })
    expect(data.me).toEqual({ role: 'PROJECT_ADMIN', project: { id } })
    expect(await trail(session.id)).toMatchObject([{ action: 'session.sign_in', actor, project: id }])
  })

  it('has a lower role if one is given', async () => {
    const wallet = newWallet()
    await registered(service, wallet)
    const input = { ...(await signedBy(service, wallet)), role: 'VIEWER' }
    expect((await signIn(service, input)).data.signIn.session.role).toBe('VIEWER')
  })

  it('needs the project if the wallet owns several, and no wallet gets a session of another’s project', async () => {
    const [wallet, stranger] = [newWallet(), newWallet()]
    const [first, second] = [await registered(service, wallet), await registered(service, wallet)]
    expect(codeOf(await signIn(service, await signedBy(service, wallet)))).toBe('validation_failed')
    const input = { ...(await signedBy(service, wallet)), projectId: second.id }
    expect((await signIn(service, input)).data.signIn.session.project.id).toBe(second.id)
    const answers = [
      await signIn(service, { ...(await signedBy(service, stranger)), projectId: first.id }),
      await signIn(service, { ...(await signedBy(service, stranger)), projectId: crypto.randomUUID() }),
      await signIn(service, await signedBy(service, stranger)),
    ]
    for (const { errors } of answers) {
      expect(errors[0].message).toBe('There is no such project of this wallet.')
      expect(errors[0].extensions.code).toBe('not_found')
    }
  })

  it('needs a signature of the wallet, over a nonce that was not used', async () => {
    const wallet = newWallet()
    await registered(service, wallet)
    const input = await signedBy(service, wallet)
    const { signature } = await signedBy(service, wallet)
    expect(codeOf(await signIn(service, { ...input, signature }))).toBe('invalid_signature')
    expect(codeOf(await signIn(service, input))).toBeUndefined()
    expect(codeOf(await signIn(service, input))).toBe('invalid_signature')
  })

  it('may be renewed by its own page, which sends the present token', async () => {
    const wallet = newWallet()
    await registered(service, wallet)
    const { token } = (await signIn(service, await signedBy(service, wallet))).data.signIn
    const renewed = await signIn(service, await signedBy(service, wallet), token)
    expect(renewed.data.signIn.token).not.toBe(token)
  })
})

describe('a session of a project_admin', () => {
  it('creates neither sessions nor API keys, also with a signature of the owner’s wallet', async () => {
    const wallet = newWallet()
    const { id, key } = await registered(service, wallet)
    const { token } = await sessionOf(service, key)
    const rows = async () =>
      (await service.app.pool.query('select id from api_keys where project_id = $1', [id])).rows.length
    const input = await signedBy(service, wallet)
    const mutations = [
      'createSession(input: {}) { token }',
      'createApiKey(input: { label: "x" }) { key }',
      `mintApiKey(input: ${inDocument(input)}) { key }`,
      `registerProject(input: ${inDocument({ name: 'x', ...input })}) { key }`,
    ]
    for (const mutation of mutations) {
      const { errors } = await service.api.graphql(`mutation { ${mutation} }`, { key: token })
      expect([mutation, errors?.[0].extensions.code]).toEqual([mutation, 'forbidden'])
      expect(errors[0].message).toContain('would outlive it')
    }
    const routes = ['/v1/auth/api-keys', '/v1/auth/siwe-mint-key', '/v1/projects/register']
    const bodies = [{ label: 'x' }, input, { name: 'x', ...input }]
    for (const [index, route] of routes.entries()) {
      const { status } = await service.api.call('POST', route, { key: token, body: bodies[index] })
      expect([route, status]).toEqual([route, 403])
    }
    expect(await rows()).toBe(1)
    // Without the token the same signature is worth an API key, so it was the session that was refused.
    expect(codeOf(await service.api.graphql(`mutation { ${mutations[2]} }`))).toBeUndefined()
    expect(await rows()).toBe(2)
  })

  it('reads no webhook secret, and rotates none', async () => {
    const { key } = await service.api.project('Secret')
    const { token } = await sessionOf(service, key)
    const create =
      'mutation { createWebhookEndpoint(input: { url: "https://hook.example/" }) { webhookEndpoint { id secret } } }'
    const { data, errors } = await service.api.graphql(create, { key: token })
    const { id, secret } = data.createWebhookEndpoint.webhookEndpoint
    expect([secret, errors[0].extensions.code]).toEqual([null, 'forbidden'])
    const operations = [
      '{ webhookEndpoints { nodes { secret } } }',
      '{ me { project { callbackSecret } } }',
      `mutation { rotateWebhookSecret(input: { id: "${id}" }) { webhookEndpoint { secret } } }`,
      'mutation { rotateCallbackSecret(input: {}) { project { callbackSecret } } }',
    ]
    const secrets = async () => (await service.app.pool.query('select id from webhook_secrets order by id')).rows
    const before = await secrets()
    for (const operation of operations) {
      const answer = await service.api.graphql(operation, { key: token })
      expect([operation, codeOf(answer)]).toEqual([operation, 'forbidden'])
      expect(JSON.stringify(answer)).not.toContain('whsec_')
    }
    expect(await secrets()).toEqual(before)
    expect((await service.api.graphql(operations[0] ?? '', { key })).data.webhookEndpoints.nodes[0].secret).toMatch(
      /^whsec_/,
    )
  })
})

const inDocument = (members: Record<string, string>) =>
  `{ ${Object.entries(members)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ')} }`
