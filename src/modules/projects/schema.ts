// GraphQL for the configuration of projects.

import { z } from 'zod'
import { may, type Principal } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { restOnly } from '../../kit/enum-names.ts'
import { argumentsOf, objectType } from '../../kit/input.ts'
import { mutation, type Payload, performs } from '../../kit/mutation.ts'
import { parse } from '../../kit/parse.ts'
import { configOf, type ProjectConfig, projectConfig } from './config.ts'
import { configureProject, demandOwn } from './configure.ts'
import { markHouseProject } from './mark-house.ts'
import { ProjectType } from './type.ts'

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
    extensions: restOnly,
    resolve: async (_, args, { db, principal }) => {
      const { projectId } = parse(configArguments, args)
      demandOwn(principal, projectId)
      const project = await db.project.findUnique({ where: { id: projectId }, select: { config: true } })
      return project && shown(principal, configOf(project.config))
    },
  }),
)

builder.prismaObjectField('Project', 'config', t =>
  t.field({
    type: ConfigType,
    select: { config: { select: { config: true } } },
    authScopes: project => ({ project: project.id }),
    description: 'The configuration of the project.',
    resolve: ({ config }, _, { principal }) => shown(principal, configOf(config)),
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
    'Configures the caller’s project: who anchors and where, what messages state about the parties, whether receipts get a fiat equivalent, and the time zone of its statements. Every chain and contract is checked first.',
  takes: 'New configuration of a project.',
  errors: ['not_found', 'validation_failed', 'chain_unavailable'],
  payload: t => ({
    ...changedProject(t),
    config: t.expose('config', { type: ConfigType, description: 'The configuration from now on.' }),
    notice: t.exposeString('notice', {
      nullable: true,
      description: 'Names the parties of the configuration that no message names, because they have no wallet.',
    }),
  }),
})

mutation('markHouseProject', {
  ...performs(markHouseProject),
  description:
    'Marks or unmarks a project as the organisation’s own. Receipts of the organisation’s own projects bear the names of the organisation’s configuration where the project states none.',
  takes: 'A project to mark or unmark.',
  errors: ['not_found'],
  payload: changedProject,
})
