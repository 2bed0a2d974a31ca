// Marks a project as the organisation's own (house project): only its receipts bear the organisation's names.
import { z } from 'zod'
import { actorOf } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { verb } from '../../kit/verb.ts'
import { configOf } from './config.ts'
import { addVersion, lockedConfig } from './versions.ts'

const markHouseProjectInput = z.strictObject({
  projectId: uuid.describe('The project’s UUID.'),
  isHouse: z.boolean().meta({ graphql: 'Boolean' }).describe('Whether the project is the organisation’s own.'),
})

/** Applies to receipts recorded from now on. Errors: `forbidden`, `not_found`. */
export const markHouseProject = verb({
  name: 'project.mark_house',
  access: 'admin',
  input: markHouseProjectInput,
  async run(tx, { projectId, isHouse }, { principal }) {
    const before = await lockedConfig(tx, projectId)
    if ((before?.isHouse ?? false) === isHouse) return { result: { projectId }, audit: 'unchanged' }
    await addVersion(tx, projectId, { config: configOf(before), isHouse, actor: actorOf(principal) })
    const details = { is_house: isHouse }
    return { result: { projectId }, audit: [{ objectType: 'project', objectId: projectId, projectId, details }] }
  },
})
