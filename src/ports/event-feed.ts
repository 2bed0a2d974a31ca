// The port that notifies waiting readers of a change, whichever process made the change.

/** A reader can watch the id of a project, receipt, payment or API key; or any new webhook delivery. */
export type Topic = string
export const newDeliveries: Topic = 'webhooks'

export type EventFeed = {
  /** `wake` is called after each committed change of the topic, and whenever one may have been missed. */
  watch(topic: Topic, wake: () => void): { stop(): void }
}
