// The rules that messages must keep, checked on what was read from their XML and on what the books of the tests say.
// Each fault is a sentence; a service without faults returns none.
import type { Message, Payment, Statement } from './read.ts'
import type { Dictionary } from './spellings.ts'
import { type Truth, units } from './tell.ts'

const plainDecimal = /^(0|[1-9]\d*)(\.\d{1,17})?$/

/** Decimals that every reader takes: no exponent, no sign, no needless zeros, nothing left out. */
export const decimalFaults = ({ decimals }: Message): string[] =>
  decimals.filter(text => !plainDecimal.test(text) || /\.\d*0$/.test(text)).map(text => `${text} is no plain decimal`)

/**
 * A name that a project stated, and the wallets, by meaning, that it listed for it. `project` and `configuration` are
 * the numbers of whoever stated it.
 */
export type Listed = { name: string; project: number; configuration: number; wallets: ReadonlySet<string> }

/**
 * A name stands at a wallet only if its project listed the wallet for it. Any other wallet is named by itself.
 * `initiators`: names of the projects themselves, which stand beside no wallet.
 */
export function nameFaults(
  { names, named }: Message,
  listed: ReadonlyMap<string, Listed>,
  { meaningOf }: Dictionary,
): string[] {
  const faults = named.flatMap(({ name, wallet, role }) => {
    const meant = meaningOf(wallet)
    const known = listed.get(name)
    if (known !== undefined && !known.wallets.has(meant)) return [`${role} ${wallet} is called ${name}`]
    if (known === undefined && meaningOf(name) !== meant) return [`${role} ${wallet} is called ${name}`]
    return []
  })
  // A name that stands anywhere else names nobody knows whom.
  const count = (list: readonly { name: string }[]) => list.filter(({ name }) => listed.has(name)).length
  const loose = count(names.map(name => ({ name }))) - count(named)
  return loose === 0 ? faults : [...faults, `${loose} names stand beside no wallet`]
}

const isOf =
  ({ project, configuration }: Truth, wallet: string) =>
  (one: Listed) =>
    one.project === project && one.configuration === configuration && one.wallets.has(wallet)

/** Each message about a receipt names the wallets that were listed when the receipt was recorded. */
export function omittedNames(
  { named, payments }: Message,
  listed: ReadonlyMap<string, Listed>,
  truths: ReadonlyMap<string, Truth>,
  { meaningOf }: Dictionary,
): string[] {
  const truth = payments.length === 1 ? truths.get(payments[0]?.receipt ?? '') : undefined
  if (truth === undefined) return []
  return named.flatMap(({ name, wallet, role }) => {
    const meant = meaningOf(wallet)
    const known = [...listed.values()].find(isOf(truth, meant))
    return known === undefined || known.name === name ? [] : [`${role} ${wallet} is called ${name}, not ${known.name}`]
  })
}

/** Returns the movement by meaning: chain, transaction and leg. */
function movementOf({ chain, transaction }: Payment, { meaningOf }: Dictionary): string {
  const [, hash = '', leg = ''] = /^(.*?)(#\d+)?$/s.exec(transaction ?? '') ?? []
  return `${meaningOf(chain)} ${meaningOf(hash)}${leg}`
}

/** One message about a receipt: it says what was recorded. */
export function paymentFaults({ payments }: Message, truths: ReadonlyMap<string, Truth>, words: Dictionary): string[] {
  return payments.flatMap(payment => {
    const truth = truths.get(payment.receipt)
    if (truth === undefined) return []
    const isSame = {
      chain: words.meaningOf(payment.chain) === truth.chain,
      payer: words.meaningOf(payment.payer) === truth.sender,
      payee: words.meaningOf(payment.payee) === truth.receiver,
      amount: units(payment.amount) === units(truth.amount),
      transaction: payment.transaction === null || movementOf(payment, words) === `${truth.chain} ${truth.transaction}`,
      refund: payment.refundOf === truth.refundOf,
    }
    return Object.entries(isSame).flatMap(([name, same]) => (same ? [] : [`${payment.receipt} has another ${name}`]))
  })
}

const signed = (side: string, amount: string) => (side === 'DBIT' ? -units(amount) : units(amount))
const scaled = (entries: Statement['entries']) =>
  entries.reduce((sum, { side, amount }) => sum + signed(side, amount), 0n)

type Movement = { side: string; payment: Payment }

/** The movements of a page. A payment in a remainder is on the side of the account's wallet; to itself, on both. */
const movementsIn = ({ wallet, entries }: Statement, { meaningOf }: Dictionary): Movement[] =>
  entries.flatMap(({ side, payments, isRemainder }) => {
    if (!isRemainder) return payments.map(payment => ({ side, payment }))
    const own = meaningOf(wallet)
    const seen = new Set<string>()
    return payments.map(payment => {
      const isCredit = meaningOf(payment.payee) === own && !seen.has(payment.receipt)
      if (isCredit) seen.add(payment.receipt)
      return { side: isCredit ? 'CRDT' : 'DBIT', payment }
    })
  })

const size = (value: bigint) => (value < 0n ? -value : value)
/** Above this, amounts of a page may have fewer digits, because its sums do not fit. */
const large = units('1000000000000')
const isLarge = ({ opening, closing, entries }: Statement) =>
  [opening, closing, ...entries].some(({ amount }) => size(units(amount)) >= large)

/** The pages of one statement, which its account's series knows by a number. */
type Numbered = { number: number; pages: Statement[] }

/** The series of one project: all pages of all its statements, in any order. */
export function seriesFaults(pages: readonly Statement[], words: Dictionary): string[] {
  const accounts = Map.groupBy(pages, ({ account }) => account)
  return [...accounts].flatMap(([account, own]) =>
    [...numberFaults(own), ...chainFaults(numbered(own), words), ...movementFaults(own, words)].map(
      fault => `account ${account}: ${fault}`,
    ),
  )
}

const numbered = (pages: readonly Statement[]): Numbered[] =>
  [...Map.groupBy(pages, ({ numbers: [number] }) => Number(number))]
    .map(([number, own]) => ({ number, pages: own.toSorted((one, two) => Number(one.page) - Number(two.page)) }))
    .toSorted((one, two) => one.number - two.number)

function numberFaults(pages: readonly Statement[]): string[] {
  const odd = pages.filter(({ numbers: [electronic, legal] }) => electronic === null || electronic !== legal)
  const numbers = numbered(pages).map(({ number }) => number)
  const gaps = numbers.filter((number, index) => number !== index + 1)
  return [
    ...odd.map(({ numbers }) => `numbers ${numbers.join(' and ')}`),
    ...gaps.slice(0, 1).map(number => `number ${number} follows a gap`),
  ]
}

function chainFaults(series: readonly Numbered[], words: Dictionary): string[] {
  const faults: string[] = []
  let closing = { inBand: 0n, exact: 0n, isLarge: false }
  let end = 0
  for (const { number, pages } of series) {
    for (const [index, page] of pages.entries()) {
      const { opening, closing: closes, count, entries, isLast, from, to, exact } = page
      const [isFirst, isEnd] = [index === 0, index === pages.length - 1]
      const where = `statement ${number}, page ${page.page}`
      if (page.page !== String(index + 1) || isLast !== isEnd) faults.push(`${where}: its pages are not one statement`)
      if (opening.code !== (isFirst ? 'OPBD' : 'ITBD')) faults.push(`${where}: opens with ${opening.code}`)
      if (closes.code !== (isEnd ? 'CLBD' : 'ITBD')) faults.push(`${where}: closes with ${closes.code}`)
      if (units(exact.opening) !== closing.exact)
        faults.push(`${where}: opens with another balance than the last one closed`)
      const moved = movementsIn(page, words).reduce((sum, { side, payment }) => sum + signed(side, payment.amount), 0n)
      if (units(exact.opening) + moved !== units(exact.closing)) faults.push(`${where}: does not add up exactly`)
      if (!isLarge(page)) {
        if (units(opening.amount) !== closing.inBand && !closing.isLarge)
          faults.push(`${where}: opens with another shown balance than the last one closed`)
        if (units(opening.amount) + scaled(entries) !== units(closes.amount)) faults.push(`${where}: does not add up`)
      }
      if (count !== null && count !== entries.length)
        faults.push(`${where}: counts ${count} of ${entries.length} entries`)
      if (isFirst && Date.parse(from) <= end) faults.push(`${where}: begins before the last one ended`)
      if (page.copy !== null) faults.push(`${where}: the first issue says that it is a copy`)
      for (const { bookedOn, status } of entries) {
        if (status !== 'BOOK') faults.push(`${where}: states an entry that is ${status}`)
        const day = bookedOn?.slice(0, 10) ?? ''
        if (day < from.slice(0, 10) || day > to.slice(0, 10)) faults.push(`${where}: books an entry on ${bookedOn}`)
      }
      closing = { inBand: units(closes.amount), exact: units(exact.closing), isLarge: isLarge(page) }
      end = Date.parse(to)
    }
  }
  return faults
}

function movementFaults(pages: readonly Statement[], words: Dictionary): string[] {
  const movements = pages.flatMap(page => movementsIn(page, words))
  const seen = Map.groupBy(movements, ({ side, payment }) => `${side} ${movementOf(payment, words)}`)
  return [...seen].flatMap(([movement, own]) => (own.length === 1 ? [] : [`${movement} is there ${own.length} times`]))
}

/** A receipt in the books, and when it was booked. */
export type Booked = Truth & { at: number }

/** The movements that the accounts of a project must show, each with its sign and exact amount. */
export type Books = Map<string, { amount: bigint; isOptional: boolean }>

const accountOf = (wallet: string, chain: string, currency: string) => JSON.stringify([wallet, chain, currency])

/** A payment that becomes known late is booked up to this much later than it happened. */
const lateness = 36 * 3_600_000

/**
 * Books receipts. An account opens when it is paid for the first time; refunds open none. A debit of about that time is
 * optional, because late records move it to either side. A return that was recorded as a payment too may open an
 * account or not, depending on which record was booked first: until a payment opens it, its movements are optional.
 */
export function booksOf(receipts: readonly Booked[]): Books {
  const opened = new Map<string, number>()
  const maybe = new Set<string>()
  for (const { receiver, chain, currency, refundOf, at, isReturn } of receipts) {
    const account = accountOf(receiver, chain, currency)
    if (isReturn) maybe.add(account)
    else if (refundOf === null) opened.set(account, Math.min(at, opened.get(account) ?? at))
  }
  const books: Books = new Map()
  const book = (
    side: 'CRDT' | 'DBIT',
    wallet: string,
    { chain, currency, transaction, amount, at, refundOf }: Booked,
  ) => {
    const account = accountOf(wallet, chain, currency)
    const since = opened.get(account) ?? Number.POSITIVE_INFINITY
    const isOpen = since <= at + lateness
    if (!isOpen && !maybe.has(account)) return
    const isOptional = !isOpen || (Math.abs(at - since) <= lateness && (side === 'DBIT' || refundOf !== null))
    const size = units(amount)
    books.set(`${side} ${account} ${chain} ${transaction}`, { amount: side === 'DBIT' ? -size : size, isOptional })
  }
  for (const receipt of receipts) {
    book('CRDT', receipt.receiver, receipt)
    book('DBIT', receipt.sender, receipt)
  }
  return books
}

/** Compares all statements of a project with the books: each movement is stated with its exact amount, and no other. */
export function bookFaults(pages: readonly Statement[], books: Books, words: Dictionary): string[] {
  const stated = new Map<string, bigint>()
  for (const page of pages) {
    for (const { side, payment } of movementsIn(page, words)) {
      const account = accountOf(words.meaningOf(page.wallet), words.meaningOf(payment.chain), payment.asset)
      stated.set(`${side} ${account} ${movementOf(payment, words)}`, signed(side, payment.amount))
    }
  }
  const wrong = [...books].flatMap(([key, { amount, isOptional }]) => {
    const found = stated.get(key)
    if (found === undefined) return isOptional ? [] : [`${key} is not stated`]
    return found === amount ? [] : [`${key} is stated as ${found}, not ${amount}`]
  })
  const extra = [...stated.keys()].filter(key => !books.has(key)).map(key => `${key} is stated and not in the books`)
  return [...wrong, ...extra]
}
