// Limits how many event streams each caller has open or reserved in this process.
import { AppError } from '../core/errors.ts'
import { countRefusal } from '../kit/refusals.ts'
import type { Policy, Quotas } from './policy.ts'

export type StreamSlots = {
  /** Occupies a slot. The returned function frees it and may be called repeatedly. Throws `too_many_requests`. */
  take(policy: Policy & `streams-of-${string}`, subject: string): () => void
}

export function createStreamSlots(quotas: Quotas): StreamSlots {
  const held = new Map<string, number>()
  return {
    take(policy, subject) {
      const caller = `${policy}:${subject}`
      const count = held.get(caller) ?? 0
      if (quotas[policy] > 0 && count >= quotas[policy]) {
        countRefusal(policy)
        const message = `This caller has ${count} event streams, which is the limit "${policy}". Close some.`
        const exceeded = { limit: policy, maximum: quotas[policy], actual: count + 1 }
        throw new AppError('too_many_requests', message, { retryAfterSeconds: 10, exceeded })
      }
      held.set(caller, count + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = (held.get(caller) ?? 1) - 1
        if (left > 0) held.set(caller, left)
        else held.delete(caller)
      }
    },
  }
}
