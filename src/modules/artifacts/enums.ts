// The GraphQL enums of messages and files. A message that is no longer made stays in them, because its files stay.
import { builder } from '../../kit/builder.ts'
import { textInRest } from '../../kit/enum-names.ts'
import { messageTypes } from '../iso20022/messages/parts.ts'
import { generatedTypes } from './generate.ts'

export const MessageTypeEnum = builder.enumType('MessageType', {
  description: 'A type of ISO 20022-style messages.',
  extensions: textInRest,
  values: messageTypes,
})

export const ArtifactTypeEnum = builder.enumType('ArtifactType', {
  description: 'The type of a generated file: that of its message, or `EVIDENCE` for a bundle.',
  extensions: textInRest,
  values: [...messageTypes, 'evidence'],
})

export const GeneratedTypeEnum = builder.enumType('GeneratedMessageType', {
  description: 'A type of workflow message that can be generated for any receipt.',
  extensions: textInRest,
  values: generatedTypes as readonly string[],
})
