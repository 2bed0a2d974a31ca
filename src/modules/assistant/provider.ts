// The GraphQL enum of the providers of language models.
import { builder } from '../../kit/builder.ts'
import { textInRest } from '../../kit/enum-names.ts'
import { modelProviders } from '../../ports/model.ts'

export const ModelProviderEnum = builder.enumType('ModelProvider', {
  description: 'A provider of language models. `OPENAI_COMPATIBLE`: any server with the interface of OpenAI.',
  extensions: textInRest,
  values: modelProviders as readonly string[],
})
