// Enables and disables a webhook endpoint, and sends a test event to an endpoint.
import { actorOf } from '../../core/principal.ts'
import { verb } from '../../kit/verb.ts'
import { endpointById, lockedEndpoint, noted } from './endpoints.ts'
import { cancelWaiting } from './queue.ts'

/** Enables an endpoint for events from now on. Idempotent. Errors: `not_found`. */
export const enableEndpoint = verb({
  name: 'webhook_endpoint.enable',
  access: 'manage',
  input: endpointById,
  async run(tx, { id }, { principal }) {
    const endpoint = await lockedEndpoint(tx, id, principal)
    if (endpoint.disabledAt === null) return endpoint
    noted(tx, 'enabled', endpoint, principal)
    const data = { disabledAt: null, disabledReason: null, failingSince: null }
    return tx.db.webhookEndpoint.update({ where: { id }, data })
  },
})

/** Disables an endpoint and cancels its waiting deliveries. Idempotent. Errors: `not_found`. */
export const disableEndpoint = verb({
  name: 'webhook_endpoint.disable',
  access: 'manage',
  input: endpointById,
  async run(tx, { id }, { principal }) {
    const endpoint = await lockedEndpoint(tx, id, principal)
    if (endpoint.disabledAt !== null) return endpoint
    noted(tx, 'disabled', endpoint, principal, { reason: 'asked' })
    await cancelWaiting(tx.sql, { endpointId: id })
    return tx.db.webhookEndpoint.update({ where: { id }, data: { disabledAt: new Date(), disabledReason: 'asked' } })
  },
})

/** Sends an event of type `webhook.test` to this endpoint only, also while it is disabled. Errors: `not_found`. */
export const testEndpoint = verb({
  name: 'webhook_endpoint.test',
  access: 'manage',
  input: endpointById,
  async run(tx, { id }, { principal }) {
    const { projectId } = await lockedEndpoint(tx, id, principal)
    const object = { objectType: 'webhook_endpoint', objectId: id, projectId, actor: actorOf(principal) }
    tx.audit({ action: 'webhook_endpoint.test', ...object })
    tx.event({ type: 'webhook.test', projectId, endpointId: id })
    return id
  },
})
