// Who gets a place, who waits and who is refused: whoever has paid is never refused, and never shuts the others out.
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createPlaces } from '../../src/modules/verification/places.ts'

type Places = ReturnType<typeof createPlaces>

/** Work that lasts until it is let go, and the order in which it began. */
function worker(places: Places) {
  const begun: string[] = []
  const gates = new Map<string, PromiseWithResolvers<string>>()
  const work = (name: string) => () => {
    begun.push(name)
    const gate = Promise.withResolvers<string>()
    gates.set(name, gate)
    return gate.promise
  }
  return {
    begun,
    now: (name: string) => places.now(work(name)),
    inTurn: (name: string) => places.inTurn(work(name)),
    async end(name: string, fault?: Error) {
      if (fault) gates.get(name)?.reject(fault)
      else gates.get(name)?.resolve(name)
      await setImmediate()
    },
  }
}

const refusal = { code: 'too_many_requests' }

describe('places', () => {
  it('refuse who does not pay while all are taken, and let whoever paid wait for the next', async () => {
    const { now, inTurn, end, begun } = worker(createPlaces(2, 1, 10))
    const [a, b] = [now('a'), now('b')]
    const paid = inTurn('paid')
    await expect(now('c')).rejects.toMatchObject(refusal)
    await setImmediate()
    expect(begun).toEqual(['a', 'b'])
    await end('a')
    expect(begun).toEqual(['a', 'b', 'paid'])
    await expect(now('d')).rejects.toMatchObject(refusal)
    await end('b')
    await end('paid')
    expect(await Promise.all([a, b, paid])).toEqual(['a', 'b', 'paid'])
  })

  it('keep those that are not for who waits free for the others, and serve who waits in order', async () => {
    const { now, inTurn, end, begun } = worker(createPlaces(3, 2, 10))
    const paid = ['1', '2', '3', '4'].map(inTurn)
    await setImmediate()
    expect(begun).toEqual(['1', '2'])
    const free = now('free')
    await end('free')
    expect(begun).toEqual(['1', '2', 'free'])
    await end('2')
    await end('1')
    expect(begun).toEqual(['1', '2', 'free', '3', '4'])
    await end('3')
    await end('4')
    expect(await Promise.all([free, ...paid])).toEqual(['free', '1', '2', '3', '4'])
  })

  it('are given back by work that fails', async () => {
    const { now, inTurn, end } = worker(createPlaces(1, 1, 10))
    for (const ask of [now, inTurn, now]) {
      const failing = expect(ask('x')).rejects.toThrow('broken')
      await setImmediate()
      await end('x', new Error('broken'))
      await failing
    }
  })

  it('admit no more when many wait already', async () => {
    const places = createPlaces(1, 1, 2)
    const { inTurn, end } = worker(places)
    const all = ['1', '2'].map(inTurn)
    places.admit()
    all.push(inTurn('3'))
    expect(() => places.admit()).toThrow(expect.objectContaining(refusal))
    await setImmediate()
    for (const name of ['1', '2', '3']) await end(name)
    expect(await Promise.all(all)).toEqual(['1', '2', '3'])
    places.admit()
  })
})
