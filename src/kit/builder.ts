// The Pothos builder: scalars, access scopes, limits. Importing it opens nothing.
import SchemaBuilder from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import RelayPlugin from '@pothos/plugin-relay'
import ScopeAuthPlugin from '@pothos/plugin-scope-auth'
import { AppError } from '../core/errors.ts'
import { type Access, demand, owns } from '../core/principal.ts'
import type PrismaTypes from '../generated/pothos.ts'
import { getDatamodel } from '../generated/pothos.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import type { Context } from './context.ts'
import './connections.ts'
import './enum-names.ts'
import './root-fields.ts'
import './sql/index.ts'
import * as scalars from './scalars.ts'

export const builder = new SchemaBuilder<{
  Context: Context
  PrismaTypes: PrismaTypes
  DefaultFieldNullability: false
  AuthScopes: { access: Access; project: string | null }
  Scalars: {
    ID: { Input: string; Output: string | bigint }
    DateTime: { Input: string; Output: Date }
    Date: { Input: string; Output: string }
    Decimal: { Input: string; Output: string | Prisma.Decimal }
    BigInt: { Input: never; Output: bigint }
    Hash32: { Input: string; Output: string }
    Address: { Input: string; Output: string }
    URL: { Input: string; Output: string }
    ChainId: { Input: never; Output: number }
    Base64: { Input: never; Output: Uint8Array }
    JSONObject: { Input: object; Output: unknown }
  }
}>({
  plugins: ['rootFields', 'enumNames', ScopeAuthPlugin, 'connections', PrismaPlugin, RelayPlugin],
  defaultFieldNullability: false,

  prisma: {
    client: context => context.db,
    dmmf: getDatamodel(),
    exposeDescriptions: false,
    filterConnectionTotalCount: true,
  },
  relay: {
    clientMutationId: 'omit',
    cursorType: 'String',
    nodesOnConnection: { description: 'The entries of the page.' },
    firstArgOptions: { description: 'How many entries the page has, from the start of the list or after `after`.' },
    afterArgOptions: { description: 'The cursor after which the page begins.' },
    lastArgOptions: { description: 'How many entries the page has, up to the end of the list or before `before`.' },
    beforeArgOptions: { description: 'The cursor before which the page ends.' },
    edgesFieldOptions: { description: 'The entries of the page, each with its cursor.' },
    pageInfoFieldOptions: { description: 'Whether there are more pages, and the cursors to request them.' },
    cursorFieldOptions: { description: 'The place of the entry in the list, for `after` and `before`.' },
    nodeFieldOptions: { description: 'The entry.' },
    hasNextPageFieldOptions: { description: 'Whether entries follow this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether entries precede this page.' },
    startCursorFieldOptions: { description: 'Cursor of the first entry of the page; null when the page is empty.' },
    endCursorFieldOptions: { description: 'Cursor of the last entry of the page; null when the page is empty.' },
    pageInfoTypeOptions: { description: 'The place of a page in its list.' },
    defaultConnectionTypeOptions: { description: 'A page of a list.' },
    defaultEdgeTypeOptions: { description: 'An entry of a list, with its cursor.' },
    nodeQueryOptions: false,
    nodesQueryOptions: false,
  },
  scopeAuth: {
    authorizeOnSubscribe: true,
    authScopes: ({ principal }) => ({
      // Throws, because its message says which access is missing.
      access: access => {
        demand(principal, access)
        return true
      },
      project: projectId => owns(principal, projectId),
    }),
    unauthorizedError: (_parent, { principal }) => {
      demand(principal, 'read')
      return new AppError('forbidden', 'This belongs to another project, or needs another role.')
    },
  },
})

builder.addScalarType('DateTime', scalars.dateTime)
builder.addScalarType('Date', scalars.date)
builder.addScalarType('Decimal', scalars.decimal)
builder.addScalarType('BigInt', scalars.bigInt)
builder.addScalarType('Hash32', scalars.hash32)
builder.addScalarType('Address', scalars.address)
builder.addScalarType('URL', scalars.url)
builder.addScalarType('ChainId', scalars.chainId)
builder.addScalarType('Base64', scalars.base64)
builder.addScalarType('JSONObject', scalars.jsonObject)
builder.queryType({ description: 'Reads.' })
builder.mutationType({ description: 'Writes. Each is one transaction with its audit row, events and jobs.' })
builder.subscriptionType({ description: 'Live changes, as server-sent events.' })
