// A semaphore for work that would starve all other work if it ran unlimited. Callers are served in turn, so that a
// caller with much work waits only for itself.
import { AppError } from '../core/errors.ts'
import type { Allowance } from './allowance.ts'
import { countRefusal } from './refusals.ts'

export type SemaphoreLimits = {
  /** Semaphore slots: for all callers together, and for each caller. */
  atOnce: number
  eachAtOnce: number
  /** Slots that callers without an API key may use; of the queue they may use the same share. */
  anonymousAtOnce: number
  /** Queue length: for all callers together, and for each caller. */
  waiting: number
  eachWaiting: number
}

type Caller = Pick<Allowance, 'subject' | 'isAnonymous' | 'isPaid' | 'signal'>
type Waiting = { isAnonymous: boolean; begin(): void }

export type Semaphore = {
  /**
   * Runs the work when this caller gets a slot. Throws `too_many_requests` when the queue is full, unless the work is
   * paid, and `caller_gone` when the caller disconnects while it waits.
   */
  run<T>(caller: Caller, work: () => Promise<T>): Promise<T>
  /** Throws `too_many_requests` when work of this caller would be refused now. */
  admit(caller: Caller): void
}

export function createSemaphore(limits: SemaphoreLimits): Semaphore {
  const running = new Map<string, number>()
  let total = 0
  let anonymous = 0
  // In the order in which callers are served: a caller whose work begins goes to the end.
  const queues = new Map<string, Waiting[]>()
  let waiting = 0
  let anonymousWaiting = 0
  const mostAnonymousWaiting = (limits.waiting * limits.anonymousAtOnce) / limits.atOnce

  const mayBegin = (subject: string, isAnonymous: boolean): boolean =>
    total < limits.atOnce &&
    (running.get(subject) ?? 0) < limits.eachAtOnce &&
    (!isAnonymous || anonymous < limits.anonymousAtOnce)

  const beginsAtOnce = (subject: string, isAnonymous: boolean): boolean =>
    !queues.has(subject) && mayBegin(subject, isAnonymous)

  function begin(subject: string, isAnonymous: boolean): void {
    total += 1
    if (isAnonymous) anonymous += 1
    running.set(subject, (running.get(subject) ?? 0) + 1)
  }

  function end(subject: string, isAnonymous: boolean): void {
    total -= 1
    if (isAnonymous) anonymous -= 1
    const left = (running.get(subject) ?? 1) - 1
    if (left > 0) running.set(subject, left)
    else running.delete(subject)
    beginNext()
  }

  function beginNext(): void {
    if (total >= limits.atOnce) return
    for (const [subject, queue] of queues) {
      const [first] = queue
      if (first === undefined || !mayBegin(subject, first.isAnonymous)) continue
      leave(subject, first)
      const rest = queues.get(subject)
      if (rest) {
        queues.delete(subject)
        queues.set(subject, rest)
      }
      begin(subject, first.isAnonymous)
      first.begin()
      beginNext()
      return
    }
  }

  function leave(subject: string, entry: Waiting): void {
    const queue = queues.get(subject) ?? []
    queue.splice(queue.indexOf(entry), 1)
    if (queue.length === 0) queues.delete(subject)
    waiting -= 1
    if (entry.isAnonymous) anonymousWaiting -= 1
  }

  function admit({ subject, isAnonymous }: Caller): void {
    if (beginsAtOnce(subject, isAnonymous)) return
    const hasRoom = waiting < limits.waiting && (!isAnonymous || anonymousWaiting < mostAnonymousWaiting)
    if (hasRoom && (queues.get(subject)?.length ?? 0) < limits.eachWaiting) return
    countRefusal('work')
    throw new AppError('too_many_requests', 'Too much work of this kind is waiting.', { retryAfterSeconds: 5 })
  }

  function turnOf({ subject, isAnonymous, signal }: Caller): Promise<void> {
    if (beginsAtOnce(subject, isAnonymous)) {
      begin(subject, isAnonymous)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        leave(subject, entry)
        reject(new AppError('caller_gone'))
      }
      const entry: Waiting = {
        isAnonymous,
        begin() {
          signal?.removeEventListener('abort', giveUp)
          resolve()
        },
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      const queue = queues.get(subject)
      if (queue) queue.push(entry)
      else queues.set(subject, [entry])
      waiting += 1
      if (isAnonymous) anonymousWaiting += 1
    })
  }

  return {
    admit,
    async run(caller, work) {
      const { subject, isAnonymous, signal } = caller
      if (signal?.aborted) throw new AppError('caller_gone')
      if (!caller.isPaid) admit(caller)
      await turnOf(caller)
      try {
        return await work()
      } finally {
        end(subject, isAnonymous)
      }
    },
  }
}
