// The GraphQL mutations of webhook endpoints and their secrets.
import { builder } from '../../kit/builder.ts'
import { inputType } from '../../kit/input.ts'
import { declarationOf, runVerb } from '../../kit/verb.ts'
import { disableEndpoint, enableEndpoint } from './enable-disable.ts'
import {
  createEndpoint,
  createEndpointInput,
  deleteEndpoint,
  updateEndpoint,
  updateEndpointInput,
} from './endpoints.ts'
import { rotateCallbackSecret, rotateCallbackSecretInput, rotateSecret, rotateSecretInput } from './rotate.ts'
import { ByIdInput, EndpointType, presentSecret } from './type.ts'

const CreateInput = inputType('CreateWebhookEndpointInput', 'A webhook endpoint to create.', createEndpointInput)
const UpdateInput = inputType('UpdateWebhookEndpointInput', 'Changes to an endpoint.', updateEndpointInput)
const RotateInput = inputType('RotateWebhookSecretInput', 'An endpoint that gets a new secret.', rotateSecretInput)

builder.mutationField('createWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Creates an endpoint to which events of the caller’s project are POSTed; a project has at most 16. The receiver verifies signatures with the endpoint’s `secret`.',
    args: { input: t.arg({ type: CreateInput, required: true }) },
    ...declarationOf(createEndpoint),
    errors: ['not_found', 'project_key_required', 'too_many_webhook_endpoints', 'validation_failed'],
    resolve: (_, { input }, context) => runVerb(context, createEndpoint, input),
  }),
)

builder.mutationField('updateWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Changes an endpoint. Members that are absent or null stay as they are. Waiting deliveries are sent to the new address.',
    args: { input: t.arg({ type: UpdateInput, required: true }) },
    ...declarationOf(updateEndpoint),
    errors: ['not_found', 'validation_failed'],
    resolve: (_, { input }, context) => runVerb(context, updateEndpoint, input),
  }),
)

builder.mutationField('enableWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description: 'Enables an endpoint: events from now on are sent to it; `replayWebhookEvents` sends earlier events.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    ...declarationOf(enableEndpoint),
    errors: ['not_found'],
    resolve: (_, { input }, context) => runVerb(context, enableEndpoint, input),
  }),
)

builder.mutationField('disableWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description: 'Disables an endpoint and cancels its waiting deliveries.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    ...declarationOf(disableEndpoint),
    errors: ['not_found'],
    extensions: { cost: 20 },
    resolve: (_, { input }, context) => runVerb(context, disableEndpoint, input),
  }),
)

builder.mutationField('deleteWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description: 'Deletes an endpoint and cancels its waiting deliveries.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    ...declarationOf(deleteEndpoint),
    errors: ['not_found'],
    extensions: { cost: 20 },
    resolve: (_, { input }, context) => runVerb(context, deleteEndpoint, input),
  }),
)

builder.mutationField('rotateWebhookSecret', t =>
  t.field({
    type: EndpointType,
    description:
      'Creates a new secret for an endpoint. The present secret also signs for `overlapHours`. `forbidden` for a session.',
    args: { input: t.arg({ type: RotateInput, required: true }) },
    ...declarationOf(rotateSecret),
    errors: ['not_found', 'validation_failed'],
    resolve: (_, { input }, context) => runVerb(context, rotateSecret, input),
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
      'Creates a new secret of the caller’s project for deliveries to the `callback_url` of receipts. The present secret also signs for `overlapHours`. `forbidden` for a session.',
    args: { input: t.arg({ type: RotateCallbackInput, required: true }) },
    ...declarationOf(rotateCallbackSecret),
    errors: ['not_found', 'project_key_required', 'validation_failed'],
    resolve: (_, { input }, context) => runVerb(context, rotateCallbackSecret, input),
  }),
)
