// What GraphQL does with endpoints and their secrets.
import { builder } from '../../kit/builder.ts'
import { inputType } from '../../kit/input.ts'
import { declarationOf, perform } from '../../kit/verb.ts'
import {
  createEndpoint,
  createEndpointInput,
  deleteEndpoint,
  updateEndpoint,
  updateEndpointInput,
} from './endpoints.ts'
import { rotateCallbackSecret, rotateCallbackSecretInput, rotateSecret, rotateSecretInput } from './rotate.ts'
import { disableEndpoint, enableEndpoint } from './switch.ts'
import { ByIdInput, EndpointType, presentSecret } from './type.ts'

const CreateInput = inputType('CreateWebhookEndpointInput', 'An address for events.', createEndpointInput)
const UpdateInput = inputType('UpdateWebhookEndpointInput', 'The changes of an endpoint.', updateEndpointInput)
const RotateInput = inputType('RotateWebhookSecretInput', 'An endpoint that gets a new secret.', rotateSecretInput)

builder.mutationField('createWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Adds an address to which events of the own project are POSTed; a project has at most 16. Its `secret` checks their signatures. Errors: unauthenticated, forbidden, not_found, project_key_required, too_many_webhook_endpoints, validation_failed.',
    args: { input: t.arg({ type: CreateInput, required: true }) },
    extensions: declarationOf(createEndpoint),
    resolve: (_, { input }, context) => perform(context, createEndpoint, input),
  }),
)

builder.mutationField('updateWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Changes an endpoint. Members that are absent or null stay as they are. Deliveries that wait go to the new address. Errors: unauthenticated, forbidden, not_found, validation_failed.',
    args: { input: t.arg({ type: UpdateInput, required: true }) },
    extensions: declarationOf(updateEndpoint),
    resolve: (_, { input }, context) => perform(context, updateEndpoint, input),
  }),
)

builder.mutationField('enableWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Sends events to an endpoint again, from now on; `replayWebhookEvents` sends those from before. Errors: unauthenticated, forbidden, not_found.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    extensions: declarationOf(enableEndpoint),
    resolve: (_, { input }, context) => perform(context, enableEndpoint, input),
  }),
)

builder.mutationField('disableWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Sends nothing to an endpoint any more; what waits is cancelled. Errors: unauthenticated, forbidden, not_found.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    extensions: { ...declarationOf(disableEndpoint), cost: 20 },
    resolve: (_, { input }, context) => perform(context, disableEndpoint, input),
  }),
)

builder.mutationField('deleteWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description: 'Deletes an endpoint; what waits is cancelled. Errors: unauthenticated, forbidden, not_found.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    extensions: { ...declarationOf(deleteEndpoint), cost: 20 },
    resolve: (_, { input }, context) => perform(context, deleteEndpoint, input),
  }),
)

builder.mutationField('rotateWebhookSecret', t =>
  t.field({
    type: EndpointType,
    description:
      'Gives an endpoint a new secret. The present one signs beside it for `overlapHours`. Errors: unauthenticated, forbidden, not_found, validation_failed.',
    args: { input: t.arg({ type: RotateInput, required: true }) },
    extensions: declarationOf(rotateSecret),
    resolve: (_, { input }, context) => perform(context, rotateSecret, input),
  }),
)

const RotateCallbackInput = inputType(
  'RotateCallbackSecretInput',
  'A project that gets a new secret for callbacks.',
  rotateCallbackSecretInput,
)
const CallbackSecretType = builder.objectRef<{ id: string }>('CallbackSecret').implement({
  description: 'What signs the deliveries to the `callback_url` of a project’s receipts.',
  fields: t => ({
    projectId: t.exposeID('id', { description: 'The project.' }),
    secret: t.string({
      nullable: true,
      description: 'The present secret, `whsec_` and base64. Null when the service has lost the key that made it.',
      resolve: ({ id }, _, context) => presentSecret(context, { projectId: id, endpointId: null }),
    }),
  }),
})

builder.mutationField('rotateCallbackSecret', t =>
  t.field({
    type: CallbackSecretType,
    description:
      'Gives the own project a new secret for what is sent to the `callback_url` of receipts. The present one signs beside it for `overlapHours`. Errors: unauthenticated, forbidden, not_found, project_key_required, validation_failed.',
    args: { input: t.arg({ type: RotateCallbackInput, required: true }) },
    extensions: declarationOf(rotateCallbackSecret),
    resolve: (_, { input }, context) => perform(context, rotateCallbackSecret, input),
  }),
)
