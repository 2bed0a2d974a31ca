// The GraphQL enums of messages and files. A message that is no longer made stays in them, because its files stay.

import { artifactType } from '../../core/artifact-type.ts'
import { messageTexts } from '../../core/message-texts.ts'
import { builder } from '../../kit/builder.ts'
import { described, textInRest } from '../../kit/enum-names.ts'
import { enumOf } from '../../kit/input.ts'
import { requestedTypes } from '../iso20022/messages/registry.ts'

export const MessageTypeEnum = builder.enumType('MessageType', {
  description: 'A type of ISO 20022-style messages.',
  extensions: textInRest,
  values: described<string>(messageTexts),
})

export const ArtifactTypeEnum = enumOf(artifactType)

export const GeneratedTypeEnum = builder.enumType('GeneratedMessageType', {
  description: 'A type of workflow message that can be generated for any receipt.',
  extensions: textInRest,
  values: described<string>(Object.fromEntries(requestedTypes.map(type => [type, messageTexts[type]]))),
})
