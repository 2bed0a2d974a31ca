// The wallets that are linked to a project: of the caller's project, of a project, and by their ids.
import { ownedBy, ownProject } from '../../core/principal.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { Node, nodeType } from '../../kit/node.ts'

const LinkedWalletType = builder.prismaObject('LinkedWallet', {
  interfaces: [Node],
  description: 'A wallet that is linked to a project.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    address: t.expose('address', { type: 'Address', description: 'The address, lower-case.' }),
    project: t.relation('project', { description: 'The project to which it is linked.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was linked.' }),
  }),
})

nodeType('LinkedWallet', {
  table: 'linked_wallets',
  access: 'read',
  read: ({ db, principal }, query) =>
    db.linkedWallet.findMany({ ...query, where: { ...query.where, ...ownedBy(principal) } }),
})

const LinkedWalletConnection = connectionType(LinkedWalletType, 'LinkedWallet', 'A linked wallet')

const page = { cursor: 'id', maxSize: 1000, defaultSize: 20 } as const
const oldestFirst = [{ createdAt: 'asc' as const }, { address: 'asc' as const }]
// Each needs a signature of its own, so few projects have more.
const listSize = { ...connectionSize(20, 1000), usualMost: 200 }

builder.queryField('linkedWallets', t =>
  t.prismaConnection(
    {
      ...page,
      type: LinkedWalletType,
      totalCount: (_, __, { db, principal }) =>
        db.linkedWallet.count({ where: { projectId: ownProject(principal, 'A linked wallet') } }),
      description: 'Wallets linked to the caller’s project, oldest first.',
      access: 'read',
      errors: ['project_key_required'],
      extensions: { listSize },
      resolve: (query, _, __, { db, principal }) =>
        db.linkedWallet.findMany({
          ...query,
          where: { projectId: ownProject(principal, 'A linked wallet') },
          orderBy: oldestFirst,
        }),
    },
    LinkedWalletConnection,
  ),
)

builder.prismaObjectField('Project', 'linkedWallets', t =>
  t.relatedConnection(
    'wallets',
    {
      ...page,
      totalCount: true,
      authScopes: project => ({ project: project.id }),
      query: { orderBy: oldestFirst },
      extensions: { listSize, cost: 1 },
      description: 'The wallets linked to the project, oldest first.',
    },
    LinkedWalletConnection,
  ),
)
