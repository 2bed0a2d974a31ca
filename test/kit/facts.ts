// Arbitraries of everything that a message is built from: receipts, configurations, occasions.
import fc from 'fast-check'
import type { Facts, Occasion } from '../../src/modules/iso20022/facts.ts'
import { cut } from '../../src/modules/iso20022/xml.ts'
import { party as partyInput } from '../../src/modules/projects/party.ts'
import type { Configuration } from '../../src/modules/settings/organisation.ts'
import { acceptedText, configured, factsOf } from './receipts.ts'

const short = acceptedText.map(text => cut(text, 140).trim() || 'x')
const country = fc.constantFrom('DE', 'US', 'JP')
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']
const lei = fc.array(fc.constantFrom(...letters), { minLength: 18, maxLength: 18 }).map(chars => {
  const digits = [...chars, '0', '0'].map(char => Number.parseInt(char, 36)).join('')
  return chars.join('') + String(98n - (BigInt(digits) % 97n)).padStart(2, '0')
})
const party = fc.option(fc.record({ name: fc.option(short), country: fc.option(country), lei: fc.option(lei) }))
const label = fc.oneof(fc.constantFrom('USDC', 'ETH', 'TOP', 'EUR'), acceptedText)

type Input = Parameters<typeof configured>[0]

/** Any configuration that the API accepts, whose parties have no wallets. */
const inputs: fc.Arbitrary<Input> = fc.record({
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

/** Any configuration that the API accepts. */
export const organisations: fc.Arbitrary<Configuration> = inputs.map(configured)

type PartyInput = NonNullable<Input['mapping']>['debtorDefaults']

/** Returns the party with this wallet, unless the API would refuse or change that. */
function holding(party: PartyInput, address: string, chain: string | null): PartyInput {
  const held = { ...party, wallets: [{ address, chain }] }
  const [kept] = partyInput.safeParse(held).data?.wallets ?? []
  return kept?.address === address && kept.chain === chain ? held : party
}

/** Returns the configuration with the payer as one party and, on the chain alone, the payee as another. */
function naming(input: Input, { receipt }: Facts): Input {
  const { senderWallet, receiverWallet, chain } = receipt
  const { mapping } = input
  if (mapping == null) return input
  const debtorDefaults = holding(mapping.debtorDefaults, senderWallet, null)
  const creditorDefaults = holding(mapping.creditorDefaults, receiverWallet, chain)
  return { ...input, mapping: { ...mapping, debtorDefaults, creditorDefaults } }
}

// A builder may receive any code that the request validation accepts; the ISO schema allows 1 to 4 characters.
const code = fc.option(fc.stringMatching(/^[A-Z0-9]{1,4}$/))
/** Any time, id and codes. */
export const occasions: fc.Arbitrary<Occasion> = fc.record({
  id: fc.uuid({ version: 4 }),
  at: fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
  reasonCode: code,
  resolutionCode: fc.oneof(code, fc.constantFrom('CNCL', 'RJCR', 'PDCR')),
  statedAs: code,
  answers: fc.option(
    fc.record({
      caseId: fc.stringMatching(/^[A-Za-z0-9-]{1,35}$/),
      createdAt: fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    }),
  ),
})

/** Facts of receipts with this text, under any configuration, on any occasion. */
export const anyFactsOf = (text: fc.Arbitrary<string>): fc.Arbitrary<Facts> =>
  fc.tuple(factsOf(text), inputs, fc.option(occasions), fc.boolean()).map(([facts, input, occasion, isNamed]) => ({
    ...facts,
    organisation: configured(isNamed ? naming(input, facts) : input),
    occasion: occasion ?? facts.occasion,
  }))
