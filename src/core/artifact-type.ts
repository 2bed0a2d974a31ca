// The types of generated files, for filters and types.
import { z } from 'zod'
import { messageTexts } from './message-texts.ts'

const texts: Readonly<Record<string, string>> = {
  ...messageTexts,
  evidence: 'The evidence bundle.',
  settlement: 'The bundle of a later result of the check of the payment on its chain.',
  statements: 'A ZIP with one document for each account of a statement.',
}

export const artifactType = z
  .enum(Object.keys(texts))
  .meta({ graphql: 'ArtifactType', description: 'The type of a generated file.', values: texts, textInRest: true })
