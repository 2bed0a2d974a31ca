// A verification may hold a download and wait for a chain, and anyone may ask for one: only so many run at once. Whoever does
// not pay is refused while all places are taken; whoever has paid waits, and gets the next place that is free.
import { AppError } from '../../core/errors.ts'
import { perApp } from '../../kit/per-app.ts'

const tooMany = (retryAfterSeconds: number) =>
  new AppError('too_many_requests', 'Too many verifications at once.', { retryAfterSeconds })

/** `patient` of the places are all that those who wait may have together: the others stay for those who do not pay. */
export function createPlaces(most: number, patient: number, waitingAtMost: number) {
  let running = 0
  let patientRunning = 0
  const waiting: (() => void)[] = []

  const mayBegin = () => running < most && patientRunning < patient

  /** Gives free places to those who have waited longest. */
  function handOn(): void {
    for (; mayBegin() && waiting.length > 0; running++, patientRunning++) waiting.shift()?.()
  }

  return {
    /** Throws `too_many_requests` when no place is free. */
    async now<T>(work: () => Promise<T>): Promise<T> {
      if (running >= most) throw tooMany(1)
      running++
      try {
        return await work()
      } finally {
        running--
        handOn()
      }
    },

    async inTurn<T>(work: () => Promise<T>): Promise<T> {
      const turn = new Promise<void>(resolve => waiting.push(resolve))
      handOn()
      await turn
      try {
        return await work()
      } finally {
        running--
        patientRunning--
        handOn()
      }
    },

    /** Throws `too_many_requests` while so many wait that one more had better come later. To be asked before it is paid. */
    admit(): void {
      if (waiting.length >= waitingAtMost) throw tooMany(10)
    },
  }
}

/** How many of one request with several may wait or run, so that one that asks for less is soon among them. */
export const atOnce = 8

export const placesOf = perApp(() => createPlaces(16, atOnce, 64))
