// The GraphQL mutations of webhook endpoints and their secrets.
import type { WebhookEndpoint } from '../../generated/prisma/client.ts'
import { mutation, type Payload, performs } from '../../kit/mutation.ts'
import { disableEndpoint, enableEndpoint } from './enable-disable.ts'
import { createEndpoint, deleteEndpoint, updateEndpoint } from './endpoints.ts'
import { rotateCallbackSecret, rotateSecret } from './rotate.ts'
import { EndpointType } from './type.ts'

const payload: Payload<WebhookEndpoint> = t => ({
  webhookEndpoint: t.field({ type: EndpointType, description: 'The endpoint.', resolve: endpoint => endpoint }),
})

mutation('createWebhookEndpoint', {
  ...performs(createEndpoint),
  description:
    'Creates an endpoint to which events of the caller’s project are POSTed; a project has at most 16. The receiver verifies signatures with the endpoint’s `secret`.',
  takes: 'A webhook endpoint to create.',
  errors: ['not_found', 'project_key_required', 'too_many_webhook_endpoints', 'validation_failed'],
  payload,
})

mutation('updateWebhookEndpoint', {
  ...performs(updateEndpoint),
  description:
    'Changes an endpoint. Members that are absent stay as they are. Waiting deliveries are sent to the new address.',
  takes: 'Changes to an endpoint.',
  errors: ['not_found', 'validation_failed'],
  payload,
})

mutation('enableWebhookEndpoint', {
  ...performs(enableEndpoint),
  description: 'Enables an endpoint: events from now on are sent to it; `replayWebhookEvents` sends earlier events.',
  takes: 'An endpoint to enable.',
  errors: ['not_found'],
  payload,
})

mutation('disableWebhookEndpoint', {
  ...performs(disableEndpoint),
  description: 'Disables an endpoint and cancels its waiting deliveries.',
  takes: 'An endpoint to disable.',
  errors: ['not_found'],
  extensions: { cost: 20 },
  payload,
})

mutation('deleteWebhookEndpoint', {
  ...performs(deleteEndpoint),
  description: 'Deletes an endpoint and cancels its waiting deliveries.',
  takes: 'An endpoint to delete.',
  errors: ['not_found'],
  extensions: { cost: 20 },
  payload: t => ({ deletedWebhookEndpointId: t.exposeID('id', { description: 'UUID of the endpoint.' }) }),
})

mutation('rotateWebhookSecret', {
  ...performs(rotateSecret),
  description: 'Creates a new secret for an endpoint. The present secret also signs for `overlapHours`.',
  takes: 'An endpoint that gets a new secret.',
  errors: ['not_found', 'validation_failed'],
  payload,
})

mutation('rotateCallbackSecret', {
  ...performs(rotateCallbackSecret),
  description:
    'Creates a new secret of the caller’s project for deliveries to the `callbackUrl` of receipts. The present secret also signs for `overlapHours`.',
  takes: 'A project that gets a new secret for callbacks.',
  errors: ['not_found', 'project_key_required', 'validation_failed'],
  payload: t => ({
    project: t.prismaField({
      type: 'Project',
      description: 'The project, with its new `callbackSecret`.',
      resolve: (query, { id }, _, { db }) => db.project.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
})
