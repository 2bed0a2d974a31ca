// A verification may hold a download and wait for a chain, and anyone may ask for one: only so many run at once.
import { perApp } from '../../kit/per-app.ts'
import { createTurns } from '../../kit/turns.ts'

/** How many of one request with several may wait or run, so that one that asks for less is soon among them. */
export const atOnce = 4

export const placesOf = perApp(() =>
  createTurns({ atOnce: 16, eachAtOnce: atOnce, anonymousAtOnce: 8, waiting: 256, eachWaiting: 16 }),
)
