// The GraphQL type of a project, shared by the modules that return projects.
import { builder } from '../../kit/builder.ts'
import { Node } from '../../kit/node.ts'
import { inSql } from '../../kit/sql/index.ts'

export const ProjectType = builder.prismaObject('Project', {
  interfaces: [Node],
  description: 'The tenant boundary for keys and receipts.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    name: t.exposeString('name', { description: 'Name of the project.' }),
    ownerWallet: t.expose('ownerWallet', {
      type: 'Address',
      nullable: true,
      description: 'Wallet that registered the project, lower-case.',
    }),
    isHouse: t.boolean({
      description: 'Whether a service administrator marked it as the organisation’s own.',
      select: { config: { select: { isHouse: true } } },
      extensions: inSql(({ through }) => `coalesce(${through('config', 'isHouse')}, false)`),
      resolve: ({ config }) => config?.isHouse ?? false,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
})
