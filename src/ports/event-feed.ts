// Wakes those who wait for a change, whichever process made it.

/** What can be waited for: an id of a project, a receipt, a payment or an API key; or any new webhook delivery. */
export type Topic = string
export const newDeliveries: Topic = 'webhooks'

export type EventFeed = {
  /** `wake` is called after each committed change of the topic, and whenever one may have been missed. */
  watch(topic: Topic, wake: () => void): { stop(): void }
}
