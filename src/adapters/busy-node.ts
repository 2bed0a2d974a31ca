// Waits while a node says that it is too busy. Providers say it in three ways: by the HTTP status 429, by a code of
// JSON-RPC, or in words alone. The code -32005 is used for a query that is too large, too, which waiting does not help.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { NodeBusy, nodeMessageOf } from './node-request.ts'

const withCode = z.object({ error: z.object({ code: z.number() }) })
const limitCodes = [-32005, 429]
const tooLarge = /range|blocks|results?\b|\blogs?\b|response size/i
const tooMany =
  /\brate\b|too many requests|per (second|minute|day)|\/s(ec(ond)?)?\b|request limit|compute units|throttl/i

function isBusy(error: unknown): boolean {
  if (error instanceof NodeBusy) return true
  const message = nodeMessageOf(error) ?? ''
  const { data } = withCode.safeParse(error)
  if (tooLarge.test(message)) return false
  return tooMany.test(message) || (data !== undefined && limitCodes.includes(data.error.code))
}

const shortestMs = 500
const longestMs = 8_000

/** Returns a function that repeats a request while the node is busy. All requests together wait at most `mostMs`. */
export function patience(mostMs: number) {
  let leftMs = mostMs
  return async <T>(request: () => Promise<T>): Promise<T> => {
    for (let pauseMs = shortestMs; ; pauseMs = Math.min(pauseMs * 2, longestMs)) {
      try {
        return await request()
      } catch (error) {
        const waitMs = error instanceof NodeBusy ? Math.max(error.retryAfterMs, pauseMs) : pauseMs
        if (leftMs < waitMs || !isBusy(error)) throw error
        leftMs -= waitMs
        await sleep(waitMs)
      }
    }
  }
}
