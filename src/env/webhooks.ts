// The settings of webhooks.
import { z } from 'zod'
import type { NamedKey } from '../kit/context.ts'
import { fromOne, namedKeys } from './values.ts'

export const webhookVariables = {
  WEBHOOK_SECRET: namedKeys.optional(),
  WEBHOOK_DELIVERY_DAYS: fromOne.refine(days => days <= 3_650, 'must be at most 3650').default(30),
}
const variables = z.object(webhookVariables)

export type WebhookEnv = {
  webhooks: {
    /**
     * Keys from which webhook secrets are computed, new secrets from the first; null: a key is made under the data
     * folder.
     */
    keys: readonly NamedKey[] | null
    /** The number of days for which finished deliveries are shown. */
    deliveryDays: number
  }
}

export const readWebhooks = (data: z.output<typeof variables>): WebhookEnv => ({
  webhooks: { keys: data.WEBHOOK_SECRET ?? null, deliveryDays: data.WEBHOOK_DELIVERY_DAYS },
})
