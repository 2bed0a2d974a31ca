// Parses event types as command arguments; the message for an unknown type names the nearest one that the command can
// handle, or all of them.
import { z } from 'zod'
import { type WebhookType, webhookTypes } from '../core/event-types.ts'
import { nearest } from '../core/nearest.ts'
import { visible } from '../core/visible.ts'

export const eventType = (handled: readonly WebhookType[]) =>
  z.enum(webhookTypes, {
    error: ({ input }) => {
      const name = String(input).slice(0, 60)
      const near = nearest(name, handled)
      return `${visible(name)} is no type of event: ${near === null ? `use ${handled.join(', ')}` : `the nearest is ${near}`}`
    },
  })
