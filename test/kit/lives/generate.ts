// Generated payment lives: who pays whom, in which spelling, what is recorded twice, returned, and when.
import fc from 'fast-check'
import { anyAmount, hostileTexts } from '../receipts.ts'
import { type FamilyName, families, familyNames, type Spelled, zeroAddress } from './spellings.ts'

/** The wallets of a project in each family: its own, customers that it lists, and strangers, whom it does not list. */
export type World = Record<FamilyName, { own: Spelled[]; customers: Spelled[]; strangers: Spelled[] }>

/** How a payment is written down: which spellings, and which transfer of the transaction it is. */
export type Writing = { chain: number; transaction: number; sender: number; receiver: number }

export type Refund = {
  /** The part of what is left, in quarters; `null` asks for the whole. */
  quarters: 1 | 2 | 3 | 4 | null
  settled: 'never' | 'at once' | 'later'
  transaction: Spelled
  /** Somebody records the return as a payment too. */
  isRecordedToo: boolean
}

export type Life = {
  project: number
  family: FamilyName
  currency: string
  amount: string
  sender: Spelled
  receiver: Spelled
  transaction: Spelled
  leg: number | null
  writing: Writing
  /** The same payment recorded again: in other spellings, and with another amount where `differs`. */
  again: { writing: Writing; differs: boolean }[]
  /** Another transfer of the same transaction, to another wallet. */
  other: { amount: string; receiver: Spelled } | null
  text: string
  refunds: Refund[]
  /** The day on which it is booked, from 0. */
  day: number
  /** Its day was closed before it became known. */
  isLate: boolean
}

const currencies = ['USDC', 'JPYC', 'TOP'] as const

const draw = <T>(arbitrary: fc.Arbitrary<T>, count: number, seed: number): T[] =>
  fc.sample(arbitrary, { numRuns: count, seed })

/** Returns the wallets of a project. All of one project's wallets differ. */
export const worldOf = (seed: number): World =>
  Object.fromEntries(
    familyNames.map((name, index) => {
      const wallets = draw(families[name].wallet, 6, seed + index)
      return [name, { own: wallets.slice(0, 2), customers: wallets.slice(2, 3), strangers: wallets.slice(3) }]
    }),
  ) as World

const number = fc.nat(1_000)
const writings: fc.Arbitrary<Writing> = fc.record({
  chain: number,
  transaction: number,
  sender: number,
  receiver: number,
})
const amounts = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('12.5', '1', '100000', '0.75', '0.000001', '19.99') },
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.nat(10_000_000), fc.nat(999_999))
      .map(([whole, part]) => `${whole + 1}.${String(part).padStart(6, '0')}`),
  },
  // An account with one of these exceeds what standard elements carry, and states so from then on.
  { weight: 1, arbitrary: anyAmount },
)

const one = <T>(list: readonly T[]) => fc.constantFrom(...list)

function parties(family: FamilyName, world: World): fc.Arbitrary<[Spelled, Spelled]> {
  const { own, customers, strangers } = world[family]
  const others = [...customers, ...strangers]
  const isEvm = family === 'base' || family === 'ethereum'
  return fc.oneof(
    { weight: 10, arbitrary: fc.tuple(one(others), one(own)) },
    { weight: 3, arbitrary: fc.tuple(one(own), one(others)) },
    { weight: 1, arbitrary: one([...own, ...others]).map((wallet): [Spelled, Spelled] => [wallet, wallet]) },
    { weight: 1, arbitrary: fc.tuple(one(own), one(own)) },
    // From the zero address, or to it.
    ...(isEvm ? [{ weight: 1, arbitrary: one(own).map((wallet): [Spelled, Spelled] => [zeroAddress, wallet]) }] : []),
    ...(isEvm ? [{ weight: 1, arbitrary: one(own).map((wallet): [Spelled, Spelled] => [wallet, zeroAddress]) }] : []),
  )
}

const refundsIn = (family: FamilyName): fc.Arbitrary<Refund[]> => {
  const refund = fc.record({
    quarters: fc.constantFrom<(1 | 2 | 3 | 4 | null)[]>(1, 2, 3, 4, null),
    settled: fc.constantFrom<Refund['settled'][]>('never', 'at once', 'at once', 'later'),
    transaction: families[family].transaction,
    isRecordedToo: fc.nat(3).map(value => value === 0),
  })
  return fc.oneof({ weight: 4, arbitrary: fc.constant<Refund[]>([]) }, fc.array(refund, { minLength: 1, maxLength: 3 }))
}

const printable = hostileTexts.filter(text => !/[\p{Cc}\p{Surrogate}]/u.test(text) && text.trim() !== '')

const lifeOf = (worlds: readonly World[], days: number): fc.Arbitrary<Life> =>
  fc.tuple(fc.nat(worlds.length - 1), fc.constantFrom(...familyNames)).chain(([project, family]) => {
    const world = worlds[project] ?? worldOf(0)
    return fc
      .record({
        currency: fc.constantFrom(...currencies),
        amount: amounts,
        pair: parties(family, world),
        transaction: families[family].transaction,
        leg: fc.option(fc.nat(2 ** 31 - 1), { freq: 3 }),
        writing: writings,
        again: fc.array(fc.record({ writing: writings, differs: fc.boolean() }), { maxLength: 2 }),
        other: fc.option(fc.record({ amount: amounts, receiver: one(world[family].own) }), { freq: 3 }),
        text: one(printable),
        refunds: refundsIn(family),
        day: fc.nat(days - 1),
        isLate: fc.nat(7).map(value => value === 0),
      })
      .map(({ pair: [sender, receiver], other, leg, ...life }) => ({
        ...life,
        project,
        family,
        sender,
        receiver,
        // Two transfers of a transaction are told apart by their legs.
        leg: other === null ? leg : (leg ?? 0),
        other,
      }))
  })

/** Returns `count` lives of these projects, which are the same for the same seed. */
export const livesOf = (worlds: readonly World[], days: number, count: number, seed: number): Life[] =>
  draw(lifeOf(worlds, days), count, seed)
