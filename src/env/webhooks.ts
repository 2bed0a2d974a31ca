// The settings of webhooks, and of the events that they deliver.
import { secret } from './secret.ts'
import { atLeastOne, namedKeys, natural, orNull } from './values.ts'

export const webhookVariables = {
  /**
   * Keys from which webhook secrets are computed, new secrets from the first; null: a key is made under the data
   * folder.
   */
  WEBHOOK_SECRET: secret(orNull(namedKeys)),
  /** The number of days for which finished deliveries are shown. */
  WEBHOOK_DELIVERY_DAYS: atLeastOne.refine(days => days <= 3_650, 'must be at most 3650').default(30),
  /** The number of days for which events are kept; null: all of them. */
  EVENT_DAYS: natural
    .refine(days => days <= 3_650, 'must be at most 3650')
    .default(0)
    .transform(days => days || null),
}
