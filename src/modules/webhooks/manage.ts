// The GraphQL mutations of webhook endpoints and their secrets.
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

const CreateInput = inputType('CreateWebhookEndpointInput', 'A webhook endpoint to create.', createEndpointInput)
const UpdateInput = inputType('UpdateWebhookEndpointInput', 'Changes to an endpoint.', updateEndpointInput)
const RotateInput = inputType('RotateWebhookSecretInput', 'An endpoint that gets a new secret.', rotateSecretInput)

builder.mutationField('createWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Creates an endpoint to which events of the caller’s project are POSTed; a project has at most 16. The receiver verifies signatures with the endpoint’s `secret`. Errors: unauthenticated, forbidden, not_found, project_key_required, too_many_webhook_endpoints, validation_failed.',
    args: { input: t.arg({ type: CreateInput, required: true }) },
    extensions: declarationOf(createEndpoint),
    resolve: (_, { input }, context) => perform(context, createEndpoint, input),
  }),
)

builder.mutationField('updateWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Changes an endpoint. Members that are absent or null stay as they are. Waiting deliveries are sent to the new address. Errors: unauthenticated, forbidden, not_found, validation_failed.',
    args: { input: t.arg({ type: UpdateInput, required: true }) },
    extensions: declarationOf(updateEndpoint),
    resolve: (_, { input }, context) => perform(context, updateEndpoint, input),
  }),
)

builder.mutationField('enableWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Enables an endpoint: events from now on are sent to it; `replayWebhookEvents` sends earlier events. Errors: unauthenticated, forbidden, not_found.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    extensions: declarationOf(enableEndpoint),
    resolve: (_, { input }, context) => perform(context, enableEndpoint, input),
  }),
)

builder.mutationField('disableWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Disables an endpoint and cancels its waiting deliveries. Errors: unauthenticated, forbidden, not_found.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    extensions: { ...declarationOf(disableEndpoint), cost: 20 },
    resolve: (_, { input }, context) => perform(context, disableEndpoint, input),
  }),
)

builder.mutationField('deleteWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Deletes an endpoint and cancels its waiting deliveries. Errors: unauthenticated, forbidden, not_found.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    extensions: { ...declarationOf(deleteEndpoint), cost: 20 },
    resolve: (_, { input }, context) => perform(context, deleteEndpoint, input),
  }),
)

builder.mutationField('rotateWebhookSecret', t =>
  t.field({
    type: EndpointType,
    description:
      'Creates a new secret for an endpoint. The present secret also signs for `overlapHours`. Errors: unauthenticated, forbidden, not_found, validation_failed.',
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
  description: 'The secret that signs deliveries to the `callback_url` of a project’s receipts.',
  fields: t => ({
    projectId: t.exposeID('id', { description: 'The project.' }),
    secret: t.string({
      nullable: true,
      description: 'The present secret, `whsec_` and base64. Null when the service no longer has the key that made it.',
      resolve: ({ id }, _, context) => presentSecret(context, { projectId: id, endpointId: null }),
    }),
  }),
})

builder.mutationField('rotateCallbackSecret', t =>
  t.field({
    type: CallbackSecretType,
    description:
      'Creates a new secret of the caller’s project for deliveries to the `callback_url` of receipts. The present secret also signs for `overlapHours`. Errors: unauthenticated, forbidden, not_found, project_key_required, validation_failed.',
    args: { input: t.arg({ type: RotateCallbackInput, required: true }) },
    extensions: declarationOf(rotateCallbackSecret),
    resolve: (_, { input }, context) => perform(context, rotateCallbackSecret, input),
  }),
)
