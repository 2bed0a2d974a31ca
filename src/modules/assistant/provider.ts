// The GraphQL enum of the providers of language models.
import { builder } from '../../kit/builder.ts'
import { described, textInRest } from '../../kit/enum-names.ts'
import type { ModelProvider } from '../../ports/model.ts'

const texts: Record<ModelProvider, string> = {
  'openai-compatible': 'Any server with the interface of OpenAI.',
  openai: 'OpenAI.',
  anthropic: 'Anthropic.',
  google: 'Google.',
}

export const ModelProviderEnum = builder.enumType('ModelProvider', {
  description: 'A provider of language models.',
  extensions: textInRest,
  values: described<string>(texts),
})
