// GraphQL: reads and verifies the audit trail.
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { ownedBy, ownProject } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { ActorType } from '../../kit/actor.ts'
import { serial } from '../../kit/answers.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { fromOffset } from '../../kit/connections.ts'
import { entryCursors, serialId } from '../../kit/entry-cursor.ts'
import { restOnly } from '../../kit/enum-names.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { inSql, listByColumns } from '../../kit/sql/index.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { type ChainReport, verifyChain } from './chain.ts'
import { auditListArguments, auditQuery } from './filter.ts'

const AuditEventType = builder.prismaObject('AuditEvent', {
  description: 'One write: its actor, action and object. Stored in the transaction of the write itself.',
  fields: t => ({
    number: t.expose('id', {
      type: 'BigInt',
      description: 'Increases with every event. Numbers are made of the time, so they are not consecutive.',
      extensions: { answer: serial },
    }),
    action: t.exposeString('action', { description: '`<object>.<operation>`, for instance `receipt.record`.' }),
    objectType: t.exposeString('objectType', { description: 'Type of the object that was written.' }),
    objectId: t.exposeString('objectId', { description: 'Id of the object that was written.' }),
    projectId: t.exposeID('projectId', { nullable: true, description: 'The project; null for the service itself.' }),
    actorName: t.exposeString('actor', {
      description:
        '`key:<id>`, `session:<id>`, `admin:<id>`, `wallet:<address>`, `payer:<address>`, `worker` or `public`.',
      extensions: restOnly,
    }),
    actor: t.field({
      type: ActorType,
      description: 'The actor of the write.',
      resolve: ({ actor }) => ({ name: actor }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the write happened.' }),
    details: t.expose('details', { type: 'JSONObject', description: 'Further data, by action. Never a secret.' }),
    seq: t.expose('seq', { type: 'BigInt', description: 'Position in the project’s chain, from 1.' }),
    hash: t.field({
      type: 'Hash32',
      description: 'SHA-256 over the previous hash and this row, 0x-prefixed.',
      extensions: inSql(({ column }) => `'0x' || encode(${column('hash')}, 'hex')`),
      resolve: ({ hash }) => `0x${Buffer.from(hash).toString('hex')}`,
    }),
  }),
})

entryCursors('AuditEvent', serialId, async ({ db, principal }, id) => {
  const event = await db.auditEvent.findFirst({ where: { id, ...ownedBy(principal) }, select: { id: true } })
  return event !== null
})

const AuditEventConnection = connectionType(AuditEventType, 'AuditEvent', 'An event')
const search = { usualOrder: 'createdAt' }

builder.queryField('auditTrail', t =>
  t.prismaConnection(
    {
      type: AuditEventType,
      cursor: 'id',
      maxSize: 200,
      defaultSize: 50,
      totalCount: (_, args, { db, principal }) =>
        db.auditEvent.count({ where: { ...auditQuery(parse(auditListArguments, args)).where, ...ownedBy(principal) } }),
      description:
        'Audit events, newest first, at most 200 a page: those of the caller’s project, or all for a service administrator.',
      args: argumentsOf(auditListArguments),
      access: 'read',
      input: auditListArguments,
      errors: [],
      extensions: {
        listSize: connectionSize(50, 200),
        search,
      },
      resolve: (query, _, args, { db, principal }) => {
        const { where, orderBy } = auditQuery(parse(auditListArguments, args))
        return db.auditEvent.findMany({
          ...fromOffset(query, args),
          where: { ...where, ...ownedBy(principal) },
          orderBy,
        })
      },
    },
    AuditEventConnection,
  ),
)

builder.prismaObjectField('Project', 'auditTrail', t =>
  t.prismaConnection(
    {
      type: AuditEventType,
      cursor: 'id',
      maxSize: 200,
      defaultSize: 50,
      totalCount: ({ id }, args, { db }) =>
        db.auditEvent.count({ where: { ...auditQuery(parse(auditListArguments, args)).where, projectId: id } }),
      authScopes: project => ({ project: project.id }),
      description: 'The audit events of the project, newest first.',
      args: argumentsOf(auditListArguments),
      // Audit rows have no foreign key, so each project costs a query of its own.
      extensions: {
        listSize: connectionSize(50, 200),
        cost: 2,
        search,
        ...listByColumns,
      },
      resolve: (query, { id }, args, { db }) => {
        const { where, orderBy } = auditQuery(parse(auditListArguments, args))
        return db.auditEvent.findMany({ ...query, where: { ...where, projectId: id }, orderBy })
      },
    },
    AuditEventConnection,
  ),
)

const ChainType = builder.objectRef<ChainReport>('AuditChain').implement({
  description: 'Result of verifying a chain of audit rows.',
  fields: t => ({
    scope: t.exposeString('chain', { description: 'The project’s UUID, or `service`.' }),
    rows: t.exposeInt('rows', { description: 'Number of intact rows, from the first on.' }),
    fault: t.exposeString('fault', {
      nullable: true,
      description: 'The first fault; null when the chain is intact.',
    }),
  }),
})

const chainArguments = z.strictObject({
  projectId: uuid.nullish().describe('The project, for an administrator; the service’s own chain unless given.'),
})

builder.queryField('auditChain', t =>
  t.field({
    type: ChainType,
    description:
      'Recomputes the hash chain of the caller’s project’s audit rows, which reveals a missing or altered row. The cost grows with the number of rows.',
    args: argumentsOf(chainArguments),
    access: 'manage',
    input: chainArguments,
    errors: ['too_many_requests'],
    extensions: { cost: 20 },
    resolve: (_, args, { pool, principal, allowance }) => {
      const requested = parse(chainArguments, args).projectId ?? null
      return verifyChain(sqlOf(pool), principal.kind === 'admin' ? requested : ownProject(principal), rows => {
        if (allowance.signal?.aborted) throw new AppError('caller_gone')
        allowance.spend(rows / 100)
      })
    },
  }),
)
