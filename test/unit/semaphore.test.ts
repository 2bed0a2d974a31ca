// The fair work queue: callers take turns, no caller occupies every slot, and paid work is never refused.
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unlimited } from '../../src/kit/allowance.ts'
import { createSemaphore, type SemaphoreLimits } from '../../src/kit/semaphore.ts'

const limits: SemaphoreLimits = { atOnce: 4, eachAtOnce: 2, anonymousAtOnce: 3, waiting: 20, eachWaiting: 3 }

type Caller = Parameters<ReturnType<typeof createSemaphore>['run']>[0]
const project = (name: string): Caller => ({ ...unlimited(`project:${name}`), isPaid: false })
const address = (name: string): Caller => ({ ...unlimited(`address:${name}`), isPaid: false, isAnonymous: true })
const payer = (name: string): Caller => unlimited(`payer:${name}`)

/** Runs work that lasts until the test ends it, and records the order in which it began. */
function worker(changed: Partial<SemaphoreLimits> = {}) {
  const semaphore = createSemaphore({ ...limits, ...changed })
  const begun: string[] = []
  const gates = new Map<string, PromiseWithResolvers<string>>()
  return {
    semaphore,
    begun,
    run: (caller: Caller, name: string) =>
      semaphore.run(caller, () => {
        begun.push(name)
        const gate = Promise.withResolvers<string>()
        gates.set(name, gate)
        return gate.promise
      }),
    async end(name: string, fault?: Error) {
      if (fault) gates.get(name)?.reject(fault)
      else gates.get(name)?.resolve(name)
      await setImmediate()
    },
  }
}

const refusal = { code: 'too_many_requests' }

describe('the fair work queue', () => {
  it('limits one caller to its share, and lets others begin before its waiting work', async () => {
    const { run, begun } = worker()
    for (const name of ['a1', 'a2', 'a3', 'a4']) void run(project('a'), name)
    void run(project('b'), 'b1')
    await setImmediate()
    expect(begun).toEqual(['a1', 'a2', 'b1'])
  })

  it('goes round-robin: a caller with one waiting task does not wait for all tasks of another caller', async () => {
    const { run, begun, end } = worker({ atOnce: 1, eachAtOnce: 1 })
    for (const name of ['a1', 'a2', 'a3']) void run(project('a'), name)
    void run(project('b'), 'b1')
    await setImmediate()
    for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('reserves slots for callers with a key, however many addresses anonymous callers use', async () => {
    const { run, begun } = worker()
    for (const name of ['1', '2', '3', '4', '5']) void run(address(name), name)
    void run(project('a'), 'a')
    await setImmediate()
    expect(begun).toEqual(['1', '2', '3', 'a'])
  })

  it('reserves room in the queue for callers with a key, however many addresses anonymous callers use', async () => {
    const { run, begun, end } = worker({ waiting: 4, eachAtOnce: 4 })
    for (const name of ['1', '2', '3', '4', '5', '6']) void run(address(name), name)
    await expect(run(address('7'), '7')).rejects.toMatchObject(refusal)
    for (const name of ['a', 'b']) void run(project(name), name)
    await setImmediate()
    expect(begun).toEqual(['1', '2', '3', 'a'])
    await end('a')
    expect(begun.at(-1)).toBe('b')
  })

  it('lets a caller begin while a slot is free for it, however many others wait', async () => {
    const { run, semaphore, begun } = worker({ waiting: 3 })
    for (const name of ['1', '2', '3', '4', '5']) void run(project('a'), name)
    void run(address('1'), 'x')
    semaphore.admit(project('b'))
    void run(project('b'), 'b')
    await setImmediate()
    expect(begun).toEqual(['1', '2', 'x', 'b'])
  })

  it('refuses a caller with too much waiting work, and no other caller', async () => {
    const { run, semaphore } = worker()
    for (const name of ['1', '2', '3', '4', '5']) void run(project('a'), name)
    await expect(run(project('a'), '6')).rejects.toMatchObject(refusal)
    expect(() => semaphore.admit(project('a'))).toThrow(expect.objectContaining(refusal))
    semaphore.admit(project('b'))
  })

  it('never refuses paid work, which waits', async () => {
    const { run, begun, end } = worker({ eachWaiting: 0, waiting: 0 })
    const all = ['1', '2', '3'].map(name => run(payer('x'), name))
    await setImmediate()
    expect(begun).toEqual(['1', '2'])
    for (const name of ['1', '2', '3']) await end(name)
    expect(await Promise.all(all)).toEqual(['1', '2', '3'])
  })

  it('frees the slot of work that fails', async () => {
    const { run, end, begun } = worker({ atOnce: 1 })
    const failing = expect(run(project('a'), 'x')).rejects.toThrow('broken')
    void run(project('b'), 'y')
    await setImmediate()
    await end('x', new Error('broken'))
    await failing
    expect(begun).toEqual(['x', 'y'])
  })

  it('runs nothing for a caller that has disconnected, whether it was waiting or not', async () => {
    const { run, end, begun } = worker({ atOnce: 1 })
    const leaving = new AbortController()
    void run(project('a'), 'first')
    const given = expect(run({ ...project('b'), signal: leaving.signal }, 'gone')).rejects.toMatchObject({
      code: 'caller_gone',
    })
    void run(project('c'), 'last')
    await setImmediate()
    leaving.abort()
    await given
    await end('first')
    expect(begun).toEqual(['first', 'last'])
    await expect(run({ ...project('b'), signal: leaving.signal }, 'late')).rejects.toMatchObject({
      code: 'caller_gone',
    })
  })

  it('finishes all work within every limit, in whatever order callers arrive, leave, fail and end', async () => {
    const coming = fc.record({
      caller: fc.constantFrom(project('a'), project('b'), address('1'), address('2'), payer('p')),
      leaves: fc.boolean(),
      fails: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(coming, { maxLength: 40 }), fc.infiniteStream(fc.nat()), async (all, choices) => {
        const semaphore = createSemaphore(limits)
        const running: { caller: Caller; end(): void }[] = []
        const outcomes = all.map(({ caller, leaves, fails }) => {
          const leaving = new AbortController()
          const work = () =>
            new Promise<void>((resolve, reject) => {
              running.push({ caller, end: fails ? () => reject(new Error('broken')) : resolve })
            })
          const outcome = semaphore.run({ ...caller, signal: leaving.signal }, work).then(
            () => 'done',
            error => error.code ?? 'failed',
          )
          if (leaves) leaving.abort()
          return outcome
        })
        for (await setImmediate(); running.length > 0; await setImmediate()) {
          expect(running.length).toBeLessThanOrEqual(limits.atOnce)
          expect(running.filter(({ caller }) => caller.isAnonymous).length).toBeLessThanOrEqual(limits.anonymousAtOnce)
          for (const one of Map.groupBy(running, ({ caller }) => caller.subject).values()) {
            expect(one.length).toBeLessThanOrEqual(limits.eachAtOnce)
          }
          const [ending] = running.splice((choices.next().value ?? 0) % running.length, 1)
          ending?.end()
        }
        expect(['done', 'failed', 'caller_gone', 'too_many_requests']).toEqual(
          expect.arrayContaining(await Promise.all(outcomes)),
        )
      }),
      { numRuns: 200 },
    )
  })
})
