// GraphQL for sessions. A token is returned only once.
import { ownedBy } from '../../core/principal.ts'
import type { Session } from '../../generated/prisma/client.ts'
import { ActorType } from '../../kit/actor.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { momentOf } from '../../kit/moment.ts'
import { mutation, type Payload, performs } from '../../kit/mutation.ts'
import { Node, nodeType } from '../../kit/node.ts'
import { inSql } from '../../kit/sql/index.ts'
import { RoleEnum } from '../keys/type.ts'
import { createSession } from './create.ts'
import { revokeSession } from './revoke.ts'
import { signIn } from './sign-in.ts'
import { liveSession } from './store.ts'

const SessionType = builder.prismaObject('Session', {
  interfaces: [Node],
  description:
    'A short-lived token for a browser, without the token itself. It ends after 15 minutes, when it is revoked, or with the API key that made it.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    role: t.expose('role', { type: RoleEnum, description: 'Role of the session.' }),
    project: t.relation('project', { description: 'The project it belongs to.' }),
    createdBy: t.field({
      type: ActorType,
      description: 'The API key that made it, or the wallet that signed in.',
      resolve: ({ apiKeyId, wallet }) => ({ name: apiKeyId === null ? `wallet:${wallet}` : `key:${apiKeyId}` }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it expires.' }),
    expiresIn: t.int({
      description: 'In how many seconds it expires, for clients whose clock may be wrong. 0 once it has expired.',
      extensions: inSql(({ column }) => `greatest(0, floor(extract(epoch from ${column('expiresAt')} - now())))::int`),
      resolve: ({ expiresAt }, _, context) =>
        Math.max(0, Math.floor((expiresAt.getTime() - momentOf(context).getTime()) / 1_000)),
    }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'When it was revoked.' }),
  }),
})

nodeType('Session', {
  table: 'sessions',
  access: 'manage',
  read: (context, query) => {
    const where = { ...query.where, ...liveSession(momentOf(context)), ...ownedBy(context.principal) }
    return context.db.session.findMany({ ...query, where })
  },
})

builder.prismaObjectField('Project', 'sessions', t =>
  t.relatedConnection(
    'sessions',
    {
      cursor: 'id',
      maxSize: 100,
      defaultSize: 20,
      totalCount: true,
      authScopes: project => ({ $all: { access: 'manage', project: project.id } }),
      query: (_, context) => ({
        where: liveSession(momentOf(context)),
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      }),
      extensions: { listSize: connectionSize(20, 100), cost: 1 },
      description: 'The live sessions of the project, newest first.',
    },
    connectionType(SessionType, 'Session', 'A session'),
  ),
)

const created: Payload<{ session: Session; token: string }> = t => ({
  session: t.expose('session', { type: SessionType, description: 'The session.' }),
  token: t.exposeString('token', {
    description: 'The token, for the header `Authorization: Bearer`. Shown only here.',
  }),
})

mutation('createSession', {
  ...performs(createSession),
  description:
    'Creates a session of the caller’s project for a browser, with the role of the API key or a lower one. It expires after 15 minutes, or with the API key if that is earlier. A project has at most 10,000 live sessions.',
  takes: 'A session to create.',
  enums: { role: RoleEnum },
  errors: [
    ['forbidden', 'a session calls, or the role is higher than that of the API key'],
    'project_key_required',
    'too_many_sessions',
  ],
  extensions: { cost: 10 },
  payload: created,
})

mutation('signIn', {
  ...performs(signIn),
  description:
    'Creates a session for the wallet that owns the project. The message is as in `registerProject`. The session expires after 15 minutes.',
  takes: 'A wallet that signs in to its project.',
  enums: { role: RoleEnum },
  errors: [
    'invalid_signature',
    ['not_found', 'the wallet owns no project, or not this project'],
    'too_many_sessions',
    'chain_unavailable',
    'too_many_requests',
    ['validation_failed', 'the wallet owns several projects and the input names none'],
  ],
  extensions: { cost: 10, signatures: 1 },
  payload: created,
})

mutation('revokeSession', {
  ...performs(revokeSession),
  description:
    'Revokes a session; it stops working within a second, and its streams end. A session may revoke itself, an API key the sessions that it made, and a caller with manage access every session of the project.',
  takes: 'A session to revoke.',
  errors: ['forbidden', ['not_found', 'also when the session has expired'], 'validation_failed'],
  payload: t => ({
    session: t.field({ type: SessionType, description: 'The revoked session.', resolve: session => session }),
  }),
})
