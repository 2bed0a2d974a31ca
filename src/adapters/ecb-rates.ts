// Reads the European Central Bank's daily reference rates: one file with the value of a euro in about thirty
// currencies.
import { SaxesParser } from 'saxes'
import { z } from 'zod'
import { isAboveZero, plainDecimal, quotient, rateDigits } from '../core/decimal.ts'
import { AppError } from '../core/errors.ts'
import type { FxRates } from '../ports/fx-rates.ts'
import type { OwnFetch } from '../ports/public-fetch.ts'

/** `rates`: the value of one euro, by currency code. */
type Day = { date: string; rates: ReadonlyMap<string, string> }

// The file has about 2,000 bytes.
const limits = { maxBytes: 64 * 1024, timeoutMs: 5_000 }
const mostDepth = 4
const hourMs = 3_600_000
// The file changes once on each working day.
const keptMs = hourMs
// Without a network connection, only one request a minute waits for the ECB.
const failureKeptMs = 60_000
// In calendar days: from the Thursday before Easter to the Tuesday after it, the ECB's longest closure.
const mostDaysOld = 5
const dayMs = 24 * hourMs

export function createEcbRates(url: string, fetchOwn: OwnFetch, now = Date.now): FxRates {
  let held: Day | null = null
  let askAgainAt = 0
  let asking: Promise<void> | null = null
  let fault: unknown = null

  async function ask(): Promise<void> {
    try {
      held = readDay(await fetchOwn<never>(url, { ...limits, accept: 'application/xml, text/xml' }))
      askAgainAt = now() + keptMs
    } catch (error) {
      fault = error
      askAgainAt = now() + failureKeptMs
    }
  }

  async function latest(): Promise<Day> {
    if (now() >= askAgainAt) {
      asking ??= ask().finally(() => {
        asking = null
      })
      await asking
    }
    if (held === null)
      throw new AppError('fx_unavailable', 'The reference rates of the ECB could not be read.', { cause: fault })
    const daysOld = Math.floor((now() - Date.parse(held.date)) / dayMs)
    if (daysOld < 0 || daysOld > mostDaysOld)
      throw new AppError('fx_unavailable', `The newest ECB rates are dated ${held.date}, which is not recent.`)
    return held
  }

  return {
    name: 'ecb',
    async rate(base, quote) {
      if (![base, quote].every(code => /^[A-Z]{3}$/.test(code))) return null
      const { date, rates } = await latest()
      const [ofBase, ofQuote] = [base, quote].map(code => (code === 'EUR' ? '1' : rates.get(code)))
      if (ofBase === undefined || ofQuote === undefined) return null
      const rate = base === 'EUR' ? ofQuote : quotient(ofQuote, ofBase, rateDigits)
      return { rate, source: `ecb reference rates of ${date}`, asOf: publishedOn(date) }
    },
  }
}

/** Returns the time at which the ECB publishes: 16:00 in Frankfurt, in winter (CET) and summer time. */
function publishedOn(date: string): Date {
  const noon = new Date(`${date}T12:00:00Z`)
  const clock = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hour: '2-digit', hourCycle: 'h23' })
  return new Date(noon.getTime() + (16 - Number(clock.format(noon))) * hourMs)
}

const namespace = 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref'

/** Throws unless the file is well-formed, has no document type and contains the rates of exactly one day. */
function readDay(bytes: Buffer): Day {
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true })
  const dates: string[] = []
  const rates = new Map<string, string>()
  const open: string[] = []
  const refuse = (why: string) => {
    throw new Error(why)
  }
  parser.on('error', error => refuse(error.message))
  // A document type could declare entities that expand to huge text or read files of this machine.
  parser.on('doctype', () => refuse('a document type'))
  parser.on('closetag', () => open.pop())
  parser.on('opentag', ({ local, uri, attributes }) => {
    open.push(local)
    if (open.length > mostDepth) refuse('nested too deep')
    if (uri !== namespace) return
    const { time, currency, rate } = attributes
    if (open.join() === 'Envelope,Cube,Cube') dates.push(time?.value ?? '')
    if (open.join() !== 'Envelope,Cube,Cube,Cube') return
    const plain = plainDecimal(rate?.value ?? '')
    const code = currency?.value ?? ''
    if (plain === null || !isAboveZero(plain) || !/^[A-Z]{3}$/.test(code) || code === 'EUR' || rates.has(code))
      return refuse('no rate')
    rates.set(code, plain)
  })
  parser.write(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).close()
  const [date = ''] = dates
  if (dates.length !== 1 || !z.iso.date().safeParse(date).success || rates.size === 0)
    throw new Error('no rates of one day')
  return { date, rates }
}
