// The Pothos builder: scalars, access scopes, limits. Importing it opens nothing.
import SchemaBuilder from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import RelayPlugin from '@pothos/plugin-relay'
import ScopeAuthPlugin from '@pothos/plugin-scope-auth'
import { AppError } from '../core/errors.ts'
import { type Access, demand, may, owns } from '../core/principal.ts'
import type PrismaTypes from '../generated/pothos.ts'
import { getDatamodel } from '../generated/pothos.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import type { Context } from './context.ts'
import './root-fields.ts'
import { base64, dateTime, decimal, jsonObject } from './scalars.ts'

export const builder = new SchemaBuilder<{
  Context: Context
  PrismaTypes: PrismaTypes
  DefaultFieldNullability: false
  AuthScopes: { access: Access; project: string | null }
  Scalars: {
    ID: { Input: string; Output: string | bigint }
    DateTime: { Input: string; Output: Date }
    Decimal: { Input: string; Output: string | Prisma.Decimal }
    Base64: { Input: never; Output: Uint8Array }
    JSONObject: { Input: object; Output: unknown }
  }
}>({
  plugins: ['rootFields', ScopeAuthPlugin, PrismaPlugin, RelayPlugin],
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
    nodesOnConnection: true,
    nodeQueryOptions: false,
    nodesQueryOptions: false,
  },
  scopeAuth: {
    authorizeOnSubscribe: true,
    authScopes: ({ principal }) => ({
      access: access => may(principal, access),
      project: projectId => owns(principal, projectId),
    }),
    unauthorizedError: (_parent, { principal }) => {
      demand(principal, 'read')
      return new AppError('forbidden', 'This belongs to another project, or needs another role.')
    },
  },
})

builder.addScalarType('DateTime', dateTime)
builder.addScalarType('Decimal', decimal)
builder.addScalarType('Base64', base64)
builder.addScalarType('JSONObject', jsonObject)
builder.queryType({ description: 'Reads.' })
builder.mutationType({ description: 'Writes. Each is one transaction with its audit row, events and jobs.' })
builder.subscriptionType({ description: 'Live changes, as server-sent events.' })
