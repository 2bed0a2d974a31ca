// GraphQL for projects, and for the caller's identity.
import { z } from 'zod'
import { demand, may, type Principal } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf, inputType, objectType } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { declarationOf, runVerb } from '../../kit/verb.ts'
import { configOf, type ProjectConfig, projectConfig } from './config.ts'
import { configureProject, configureProjectInput, demandOwn } from './configure.ts'
import { markHouseProject, markHouseProjectInput } from './mark-house.ts'
import { ProjectType } from './type.ts'

builder.queryField('projects', t =>
  t.prismaField({
    type: [ProjectType],
    description: 'The caller’s project; every project for a service administrator.',
    access: 'read',
    errors: [],
    resolve: (query, _, __, { db, principal }) => {
      const own = principal.kind === 'key' ? { id: principal.projectId } : {}
      return db.project.findMany({ ...query, where: own, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: 1000 })
    },
  }),
)

const ViewerType = builder.objectRef<Exclude<Principal, { kind: 'public' | 'payer' }>>('Viewer').implement({
  description: 'The caller.',
  fields: t => ({
    role: t.string({
      description: 'admin, project_admin, project or viewer.',
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

const ConfigureInput = inputType('ConfigureProjectInput', 'New configuration of a project.', configureProjectInput)

builder.mutationField('configureProject', t =>
  t.field({
    type: ConfigType,
    description:
      'Configures the caller’s project: who anchors and where, what messages state about the parties, and whether receipts get a fiat equivalent. Every chain and contract is checked first.',
    args: { input: t.arg({ type: ConfigureInput, required: true }) },
    ...declarationOf(configureProject),
    errors: ['not_found', 'validation_failed', 'chain_unavailable'],
    resolve: (_, { input }, context) => runVerb(context, configureProject, input),
  }),
)

const MarkHouseInput = inputType('MarkHouseProjectInput', 'A project to mark or unmark.', markHouseProjectInput)

builder.mutationField('markHouseProject', t =>
  t.prismaField({
    type: ProjectType,
    description:
      'Marks or unmarks a project as the organisation’s own. Receipts of the organisation’s own projects bear the names of the organisation’s configuration where the project states none. For service administrators.',
    args: { input: t.arg({ type: MarkHouseInput, required: true }) },
    ...declarationOf(markHouseProject),
    errors: ['not_found'],
    resolve: async (query, _, { input }, context) => {
      const id = await runVerb(context, markHouseProject, input)
      return context.db.project.findUniqueOrThrow({ ...query, where: { id } })
    },
  }),
)
