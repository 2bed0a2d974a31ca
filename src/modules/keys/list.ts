// The API keys that the caller may read: of a project, of the caller, and by their ids.
import { z } from 'zod'
import { onlyOf, ownedBy, type Principal } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { ApiKeyType } from './type.ts'

nodeType('ApiKey', {
  table: 'api_keys',
  access: 'manage',
  read: ({ db, principal }, query) =>
    db.apiKey.findMany({ ...query, where: { ...query.where, ...ownedBy(principal) } }),
})

const ApiKeyConnection = connectionType(ApiKeyType, 'ApiKey', 'An API key')

const page = { cursor: 'id', maxSize: 1000, defaultSize: 20 } as const
const newestFirst = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]
// A project has at most 200 live keys, and few that are revoked.
const listSize = { ...connectionSize(20, 1000), usualMost: 200 }

builder.prismaObjectField('Project', 'apiKeys', t =>
  t.relatedConnection(
    'keys',
    {
      ...page,
      totalCount: true,
      authScopes: project => ({ $all: { access: 'manage', project: project.id } }),
      query: { orderBy: newestFirst },
      extensions: { listSize, cost: 1 },
      description: 'The project’s API keys, newest first, revoked keys included.',
    },
    ApiKeyConnection,
  ),
)

const keyFilter = z
  .strictObject({ projectId: uuid.nullish().describe('Keys of this project.') })
  .meta({ graphql: 'ApiKeyFilter', description: 'Selects API keys that meet all the given conditions.' })
const keyArguments = z.object({ filter: keyFilter.nullish().describe('Which keys; all unless given.') })

builder.queryField('apiKeys', t =>
  t.prismaConnection(
    {
      ...page,
      type: ApiKeyType,
      totalCount: (_, args, { db, principal }) => db.apiKey.count({ where: visibleKeys(principal, args) }),
      description:
        'API keys of the caller’s project, newest first, revoked keys included; those of all projects for a service administrator.',
      args: argumentsOf(keyArguments),
      access: 'manage',
      input: keyArguments,
      errors: [],
      extensions: { listSize },
      resolve: (query, _, args, { db, principal }) =>
        db.apiKey.findMany({ ...query, where: visibleKeys(principal, args), orderBy: newestFirst }),
    },
    ApiKeyConnection,
  ),
)

function visibleKeys(principal: Principal, args: object) {
  return { AND: [ownedBy(principal), onlyOf(parse(keyArguments, args).filter)] }
}
