// Enables and disables a webhook endpoint, and sends a test event to an endpoint.
import { verb } from '../../kit/verb.ts'
import { changed, endpointById, lockedEndpoint } from './endpoints.ts'
import { cancelWaiting } from './queue.ts'

/** Enables an endpoint for events from now on. Idempotent. Errors: `not_found`. */
export const enableEndpoint = verb({
  name: 'webhook_endpoint.enable',
  access: 'manage',
  input: endpointById,
  async run(tx, { id }, { principal }) {
    const endpoint = await lockedEndpoint(tx, id, principal)
    if (endpoint.disabledAt === null) return { result: endpoint, audit: 'unchanged' }
    const data = { disabledAt: null, disabledReason: null, failingSince: null }
    return changed(tx, 'enabled', await tx.db.webhookEndpoint.update({ where: { id }, data }))
  },
})

/** Disables an endpoint and cancels its waiting deliveries. Idempotent. Errors: `not_found`. */
export const disableEndpoint = verb({
  name: 'webhook_endpoint.disable',
  access: 'manage',
  input: endpointById,
  async run(tx, { id }, { principal }) {
    const endpoint = await lockedEndpoint(tx, id, principal)
    if (endpoint.disabledAt !== null) return { result: endpoint, audit: 'unchanged' }
    await cancelWaiting(tx.sql, { endpointId: id })
    const data = { disabledAt: new Date(), disabledReason: 'asked' }
    return changed(tx, 'disabled', await tx.db.webhookEndpoint.update({ where: { id }, data }), { reason: 'asked' })
  },
})

/** Sends an event of type `webhook.test` to this endpoint only, also while it is disabled. Errors: `not_found`. */
export const testEndpoint = verb({
  name: 'webhook_endpoint.test',
  access: 'manage',
  input: endpointById,
  async run(tx, { id }, { principal }) {
    const { projectId } = await lockedEndpoint(tx, id, principal)
    tx.event({ type: 'webhook.test', projectId, endpointId: id })
    return { result: { endpointId: id }, audit: [{ objectType: 'webhook_endpoint', objectId: id, projectId }] }
  },
})
