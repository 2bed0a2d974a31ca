// GraphQL for projects, and for the caller's identity.
import { z } from 'zod'
import { demand, may, ownedBy, type Principal } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { described, textInRest } from '../../kit/enum-names.ts'
import { argumentsOf, objectType } from '../../kit/input.ts'
import { mutation, type Payload, performs } from '../../kit/mutation.ts'
import { nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { configOf, type ProjectConfig, projectConfig } from './config.ts'
import { configureProject, demandOwn } from './configure.ts'
import { markHouseProject } from './mark-house.ts'
import { roleTexts } from './roles.ts'
import { ProjectType } from './type.ts'

const visibleProjects = (principal: Principal) => {
  const { projectId: id } = ownedBy(principal)
  return id === undefined ? {} : { id }
}

nodeType('Project', {
  table: 'projects',
  access: 'read',
  read: ({ db, principal }, asked) =>
    db.project.findMany({ ...asked, where: { AND: [asked.where, visibleProjects(principal)] } }),
})

builder.queryField('projects', t =>
  t.prismaField({
    type: [ProjectType],
    description: 'The caller’s project; every project for a service administrator.',
    access: 'read',
    errors: [],
    resolve: (query, _, __, { db, principal }) => {
      return db.project.findMany({
        ...query,
        where: visibleProjects(principal),
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: 1000,
      })
    },
  }),
)

const ViewerRoleEnum = builder.enumType('ViewerRole', {
  description: 'The role of a caller.',
  extensions: textInRest,
  values: described({ ...roleTexts, admin: 'An administrator of the service.' }),
})

const ViewerType = builder.objectRef<Exclude<Principal, { kind: 'public' | 'payer' }>>('Viewer').implement({
  description: 'The caller.',
  fields: t => ({
    role: t.field({
      type: ViewerRoleEnum,
      description: 'Role of the caller.',
      resolve: principal => (principal.kind === 'admin' ? 'admin' : principal.role),
    }),
    projectId: t.id({
      nullable: true,
      description: 'The caller’s project; null for a service administrator.',
      resolve: principal => (principal.kind === 'admin' ? null : principal.projectId),
    }),
    isAdmin: t.boolean({
      description: 'Whether the caller is a service administrator.',
      resolve: ({ kind }) => kind === 'admin',
    }),
  }),
})

builder.queryField('me', t =>
  t.field({
    type: ViewerType,
    description: 'The caller.',
    access: 'read',
    errors: [],
    resolve: (_, __, { principal }) => {
      demand(principal, 'read')
      if (principal.kind === 'public' || principal.kind === 'payer') throw new Error('it has read access without a key')
      return principal
    },
  }),
)

const ConfigType = objectType('ProjectConfig', 'Configuration of a project.', projectConfig)

/** Hides node URLs, which often contain a secret, from principals that may not change them. */
function shown(principal: Principal, config: ProjectConfig): ProjectConfig {
  if (may(principal, 'manage')) return config
  const chains = config.anchoring.chains.map(chain => ({ ...chain, rpcUrl: null }))
  return { ...config, anchoring: { ...config.anchoring, chains } }
}

const configArguments = z.strictObject({ projectId: uuid.describe('The project’s UUID.') })

builder.queryField('projectConfig', t =>
  t.field({
    type: ConfigType,
    nullable: true,
    description: 'Configuration of the caller’s project; null when there is no such project.',
    args: argumentsOf(configArguments),
    access: 'read',
    input: configArguments,
    errors: ['not_found'],
    resolve: async (_, args, { db, principal }) => {
      const { projectId } = parse(configArguments, args)
      demandOwn(principal, projectId)
      const project = await db.project.findUnique({ where: { id: projectId }, select: { config: true } })
      return project && shown(principal, configOf(project.config))
    },
  }),
)

const changedProject: Payload<{ projectId: string }> = t => ({
  project: t.prismaField({
    type: ProjectType,
    description: 'The project.',
    resolve: (query, { projectId }, _, { db }) => db.project.findUniqueOrThrow({ ...query, where: { id: projectId } }),
  }),
})

mutation('configureProject', {
  ...performs(configureProject),
  description:
    'Configures the caller’s project: who anchors and where, what messages state about the parties, and whether receipts get a fiat equivalent. Every chain and contract is checked first.',
  takes: 'New configuration of a project.',
  errors: ['not_found', 'validation_failed', 'chain_unavailable'],
  payload: t => ({
    ...changedProject(t),
    config: t.expose('config', { type: ConfigType, description: 'The configuration from now on.' }),
  }),
})

mutation('markHouseProject', {
  ...performs(markHouseProject),
  description:
    'Marks or unmarks a project as the organisation’s own. Receipts of the organisation’s own projects bear the names of the organisation’s configuration where the project states none. For service administrators.',
  takes: 'A project to mark or unmark.',
  errors: ['not_found'],
  payload: changedProject,
})
