// The European Central Bank's daily reference rates: one file with what a euro is worth in some thirty currencies.
import { SaxesParser } from 'saxes'
import { isAboveZero, plainDecimal, quotient, rateDigits } from '../core/decimal.ts'
import { AppError } from '../core/errors.ts'
import type { FxRates } from '../ports/fx-rates.ts'
import type { PublicFetch } from '../ports/public-fetch.ts'

/** `rates`: of one euro, by currency. */
type Day = { date: string; rates: ReadonlyMap<string, string> }

// The file has two thousand bytes.
const limits = { maxBytes: 64 * 1024, timeoutMs: 5_000 }
const mostDepth = 4
const hourMs = 3_600_000
// It changes once on a working day.
const keptMs = hourMs
// Where there is no network, one question in a minute waits for it.
const failureKeptMs = 60_000
// By date: from Thursday to the Tuesday after Easter, the longest the bank is closed.
const mostDaysOld = 5
const dayMs = 24 * hourMs

export function createEcbRates(url: string, fetchPublic: PublicFetch, now = Date.now): FxRates {
  let held: Day | null = null
  let askAgainAt = 0
  let asking: Promise<void> | null = null

  async function ask(): Promise<void> {
    const bytes = await fetchPublic(url, { ...limits, accept: 'application/xml, text/xml' })
    const fresh = bytes === null ? null : readDay(bytes)
    askAgainAt = now() + (fresh === null ? failureKeptMs : keptMs)
    held = fresh ?? held
  }

  async function latest(): Promise<Day> {
    if (now() >= askAgainAt) {
      asking ??= ask().finally(() => {
        asking = null
      })
      await asking
    }
    if (held === null) throw new AppError('fx_unavailable', 'The reference rates of the ECB could not be read.')
    const daysOld = Math.floor((now() - Date.parse(held.date)) / dayMs)
    if (daysOld < 0 || daysOld > mostDaysOld)
      throw new AppError('fx_unavailable', `The reference rates of the ECB are of ${held.date}.`)
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

/** 16:00 in Frankfurt, when the bank publishes, in winter (CET) and summer time. */
function publishedOn(date: string): Date {
  const noon = new Date(`${date}T12:00:00Z`)
  const clock = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hour: '2-digit', hourCycle: 'h23' })
  return new Date(noon.getTime() + (16 - Number(clock.format(noon))) * hourMs)
}

const namespace = 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref'

/** Null for anything but such a file of one day, well-formed and without a document type. */
function readDay(bytes: Buffer): Day | null {
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true })
  const dates: string[] = []
  const rates = new Map<string, string>()
  const open: string[] = []
  const refuse = (why: string) => {
    throw new Error(why)
  }
  parser.on('error', error => refuse(error.message))
  // It could name entities that grow, or files of ours.
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
  try {
    parser.write(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).close()
  } catch {
    return null
  }
  const [date = ''] = dates
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(Date.parse(date))
  return dates.length === 1 && isDate && rates.size > 0 ? { date, rates } : null
}
