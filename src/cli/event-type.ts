// Parses event types as command arguments; the message for an unknown type names the nearest known one.
import { z } from 'zod'
import { webhookTypes } from '../core/event-types.ts'
import { nearest } from '../core/nearest.ts'
import { visible } from '../core/visible.ts'

export const eventType = z.enum(webhookTypes, {
  error: ({ input }) => {
    const given = String(input).slice(0, 60)
    return `${visible(given)} is no type of event: the nearest is ${nearest(given, webhookTypes)}`
  },
})
