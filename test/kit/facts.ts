// Arbitraries of everything that a message is built from: receipts, configurations, occasions.
import fc from 'fast-check'
import type { Facts, Occasion } from '../../src/modules/iso20022/facts.ts'
import { cut } from '../../src/modules/iso20022/xml.ts'
import { type Organisation, organisationInput } from '../../src/modules/settings/organisation.ts'
import { acceptedText, factsOf } from './receipts.ts'

const short = acceptedText.map(text => cut(text, 140).trim() || 'x')
const country = fc.constantFrom('DE', 'US', 'JP')
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']
const lei = fc.array(fc.constantFrom(...letters), { minLength: 18, maxLength: 18 }).map(chars => {
  const digits = [...chars, '0', '0'].map(char => Number.parseInt(char, 36)).join('')
  return chars.join('') + String(98n - (BigInt(digits) % 97n)).padStart(2, '0')
})
const party = fc.option(fc.record({ name: fc.option(short), country: fc.option(country), lei: fc.option(lei) }))
const label = fc.oneof(fc.constantFrom('USDC', 'ETH', 'TOP', 'EUR'), acceptedText)

/** Any configuration that the API accepts. */
export const organisations: fc.Arbitrary<Organisation> = fc
  .record({
    org: fc.option(
      fc
        .record({ name: fc.option(short), jurisdiction: fc.option(country), lei: fc.option(lei) })
        .map(org => (org.name === null && org.lei === null ? { ...org, jurisdiction: null } : org)),
    ),
    mapping: fc.option(
      fc.record({
        chargeBearer: fc.constantFrom('SLEV', 'SHAR', 'DEBT', 'CRED'),
        purpose: fc.option(fc.constantFrom('GDDS', 'SUPP', 'SALA')),
        categoryPurpose: fc.option(fc.constantFrom('SUPP', 'SALA', 'TREA')),
        structuredRemittance: fc.boolean(),
        debtorDefaults: party,
        creditorDefaults: party,
        assets: fc.uniqueArray(fc.record({ label, currency: fc.constantFrom('USD', 'JPY', 'CHF') }), {
          maxLength: 4,
          selector: asset => asset.label,
        }),
      }),
    ),
    idStrategy: fc.option(
      fc.record({
        endToEndId: fc.constantFrom('reference', 'receipt_id'),
        uetr: fc.constantFrom('receipt_id', 'settlement'),
      }),
    ),
  })
  .map(input => organisationInput.parse(input))

// A builder may receive any code that the request validation accepts; the ISO schema allows 1 to 4 characters.
const code = fc.option(fc.stringMatching(/^[A-Z0-9]{1,4}$/))
/** Any time, id and codes. */
export const occasions: fc.Arbitrary<Occasion> = fc.record({
  id: fc.uuid({ version: 4 }),
  at: fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
  reasonCode: code,
  resolutionCode: fc.oneof(code, fc.constantFrom('CNCL', 'RJCR', 'PDCR')),
})

/** Facts of receipts with this text, under any configuration, on any occasion. */
export const anyFactsOf = (text: fc.Arbitrary<string>): fc.Arbitrary<Facts> =>
  fc
    .tuple(factsOf(text), organisations, fc.option(occasions))
    .map(([facts, organisation, occasion]) => ({ ...facts, organisation, occasion: occasion ?? facts.occasion }))
