// The organisation's configuration: every accepted field changes some message, or decides whether it is built.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Facts } from '../../src/modules/iso20022/facts.ts'
import { messages } from '../../src/modules/iso20022/messages/registry.ts'
import { organisationConfig, plainOrganisation, reportsOf } from '../../src/modules/settings/organisation.ts'
import { configured, plainFacts, plainReceipt } from '../kit/receipts.ts'

type Input = z.input<typeof organisationConfig>

const lei = '529900T8BM49AURSDO55'
const usdc = { label: 'USDC' }
const paying = { wallets: [{ address: plainReceipt.senderWallet }] }
const paid = { wallets: [{ address: plainReceipt.receiverWallet }] }
const named = { name: 'Shop AG' }

/** For each field a value that must be visible, and the text that it must produce in which message. */
const shown: [field: string, config: Input, type: string, part: string][] = [
  ['org.name', { org: { name: 'Acme & Co' } }, 'pain.001', '<InitgPty>\n        <Nm>Acme &amp; Co</Nm>'],
  [
    'org.lei',
    { org: { lei } },
    'camt.054',
    `<MsgRcpt>\n        <Id>\n          <OrgId>\n            <LEI>${lei}</LEI>`,
  ],
  ['org.wallets.address', { org: { ...named, ...paid } }, 'pain.001', '<Cdtr>\n          <Nm>Shop AG</Nm>'],
  [
    'org.wallets.chain',
    { org: { ...named, wallets: [{ address: plainReceipt.receiverWallet, chain: 'Base' }] } },
    'camt.054',
    '<Issr>STATED-BY-PROJECT</Issr>',
  ],
  ['org.jurisdiction', { org: { name: 'Acme', jurisdiction: 'LI' } }, 'pain.002', '<CtryOfRes>LI</CtryOfRes>'],
  [
    'ledger.asset.symbol',
    { ledger: { asset: { symbol: 'USDC', decimals: 6 } } },
    'camt.054',
    '<Desc>USDC, 6 decimals</Desc>',
  ],
  ['ledger.asset.decimals', { ledger: { asset: { symbol: 'USDC', decimals: 6 } } }, 'camt.054', '6 decimals'],
  [
    'ledger.asset.contractAddress',
    { ledger: { asset: { symbol: 'USDC', contractAddress: '0xc0de' } } },
    'camt.054',
    'USDC, contract 0xc0de',
  ],
  [
    'ledger.network',
    { ledger: { network: 'base', asset: { symbol: 'USDC' } } },
    'camt.054',
    '<Desc>USDC on base</Desc>',
  ],
  ['mapping.chargeBearer', { mapping: { chargeBearer: 'DEBT' } }, 'pain.001', '<ChrgBr>DEBT</ChrgBr>'],
  ['mapping.purpose', { mapping: { purpose: 'GDDS' } }, 'pacs.008', '<Purp>\n        <Cd>GDDS</Cd>'],
  [
    'mapping.categoryPurpose',
    { mapping: { categoryPurpose: 'SUPP' } },
    'pain.001',
    '<CtgyPurp>\n          <Cd>SUPP</Cd>',
  ],
  ['mapping.structuredRemittance', { mapping: { structuredRemittance: true } }, 'pain.001', '<RfrdDocInf>'],
  [
    'mapping.debtorDefaults.name',
    { mapping: { debtorDefaults: { ...paying, name: 'Payer Ltd' } } },
    'pain.001',
    '<Nm>Payer Ltd</Nm>',
  ],
  [
    'mapping.debtorDefaults.country',
    { mapping: { debtorDefaults: { ...paying, country: 'GB' } } },
    'pain.001',
    '>GB</CtryOfRes>',
  ],
  ['mapping.debtorDefaults.lei', { mapping: { debtorDefaults: { ...paying, lei } } }, 'pain.001', lei],
  [
    'mapping.creditorDefaults.name',
    { mapping: { creditorDefaults: { ...paid, name: 'Payee' } } },
    'pain.001',
    '<Nm>Payee</Nm>',
  ],
  [
    'mapping.creditorDefaults.country',
    { mapping: { creditorDefaults: { ...paid, country: 'CH' } } },
    'camt.054',
    '>CH</CtryOfRes>',
  ],
  ['mapping.creditorDefaults.lei', { mapping: { creditorDefaults: { ...paid, lei } } }, 'camt.054', lei],
  [
    'mapping.debtorDefaults.wallets.address',
    { mapping: { debtorDefaults: { ...named, ...paying } } },
    'pain.001',
    'Shop AG',
  ],
  [
    'mapping.debtorDefaults.wallets.chain',
    {
      mapping: {
        debtorDefaults: { ...named, wallets: [{ address: plainReceipt.senderWallet, chain: 'eip155:8453' }] },
      },
    },
    'pain.001',
    'Shop AG',
  ],
  [
    'mapping.creditorDefaults.wallets.address',
    { mapping: { creditorDefaults: { ...named, ...paid } } },
    'pain.001',
    'Shop AG',
  ],
  [
    'mapping.creditorDefaults.wallets.chain',
    {
      mapping: {
        creditorDefaults: { ...named, wallets: [{ address: plainReceipt.receiverWallet, chain: 'eip155:8453' }] },
      },
    },
    'pain.001',
    'Shop AG',
  ],
  ['mapping.assets.label', { mapping: { assets: [{ ...usdc, currency: 'USD' }] } }, 'pain.001', 'Ccy="USD"'],
  ['mapping.assets.currency', { mapping: { assets: [{ ...usdc, currency: 'EUR' }] } }, 'camt.054', '<Ccy>EUR</Ccy>'],
  ['mapping.assets.chain', { mapping: { assets: [{ ...usdc, chain: 'base', currency: 'USD' }] } }, 'pain.001', '"USD"'],
  ['mapping.assets.dti', { mapping: { assets: [{ ...usdc, dti: '4H95J0R2X' }] } }, 'camt.054', '<Id>4H95J0R2X</Id>'],
  ['idStrategy.endToEndId', { idStrategy: { endToEndId: 'receipt_id' } }, 'pain.001', '<EndToEndId>EE-7c9e'],
  ['idStrategy.uetr', { idStrategy: { uetr: 'settlement' } }, 'pain.001', '<UETR>'],
]

/**
 * Fields that decide whether something is built, anchored, valued, checked or published; other tests in this file and
 * elsewhere cover them.
 */
const deciding = [
  'org.defaultMessageFamilies',
  'status.emitPain002',
  'status.emitPacs002',
  'anchoring.chains',
  'evidence.store.mode',
  'status.enableCancellation',
  'status.enableReturns',
  'fxPolicy.mode',
  'fxPolicy.baseCurrency',
  'fxPolicy.provider',
  'compliance.travelRuleThreshold',
  'compliance.travelRuleProvider',
  'compliance.travelRuleEnforce',
  'compliance.sanctionsProvider',
  'compliance.sanctionsEnforce',
  'settlement.policy',
  'settlement.graceMinutes',
  'settlement.assets.label',
  'settlement.assets.caip19',
  'settlement.assets.decimals',
]

/** Lists the path of every field that the schema accepts. */
function leaves(type: unknown, path: string): string[] {
  if (type instanceof z.ZodPipe) return leaves(type.in, path)
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable) return leaves(type.unwrap(), path)
  if (type instanceof z.ZodArray && type.element instanceof z.ZodObject) return leaves(type.element, path)
  if (!(type instanceof z.ZodObject)) return [path]
  return Object.entries(type.shape).flatMap(([key, member]) => leaves(member, path === '' ? key : `${path}.${key}`))
}

test('every accepted field is in one of the two tables of this file', () => {
  expect(leaves(organisationConfig, '').toSorted()).toEqual([...shown.map(([field]) => field), ...deciding].toSorted())
})

const build = (type: string, config: Input, facts: Facts = plainFacts) =>
  messages.find(message => message.type === type)?.build({ ...facts, organisation: configured(config) })

describe.each(shown)('%s', (_, config, type, part) => {
  test('is visible in the messages', () => {
    const xml = build(type, config)
    expect(xml).toContain(part)
    expect(xml).not.toBe(build(type, {}))
  })
})

test('a chain is meant by any of its names, in assets and in the ledger', () => {
  const config = (chain: string): Input => ({
    ledger: { network: chain, asset: { symbol: 'USDC', decimals: 6 } },
    mapping: { assets: [{ ...usdc, chain, currency: 'USD' }] },
  })
  for (const type of ['pain.001', 'camt.054']) {
    const xml = build(type, config('base'))?.replaceAll('on base', '')
    expect(xml).toContain('USD"')
    for (const chain of ['Base', 'eip155:8453']) {
      expect(build(type, config(chain))?.replaceAll(`on ${chain}`, '')).toBe(xml)
    }
  }
})

test('an asset on another chain, or with another label, keeps XXX', () => {
  const assets = [{ ...usdc, chain: 'polygon', currency: 'USD' }]
  expect(build('pain.001', { mapping: { assets } })).toBe(build('pain.001', {}))
  expect(build('pain.001', { mapping: { assets: [{ label: 'usdc', currency: 'USD' }] } })).toBe(build('pain.001', {}))
})

test('the settlement UETR is the same for both sides, differs by transaction, and is never used for a refund', () => {
  const config: Input = { idStrategy: { uetr: 'settlement' } }
  const uetr = (receipt: Partial<Facts['receipt']>) =>
    /<UETR>(.*)<\/UETR>/.exec(
      build('pacs.008', config, { ...plainFacts, receipt: { ...plainReceipt, ...receipt } }) ?? '',
    )?.[1]
  const other = '00000000-0000-4000-8000-000000000000'
  expect(uetr({ id: other })).toBe(uetr({}))
  expect(uetr({ id: other })).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(uetr({ tipTxHash: '0x01' })).not.toBe(uetr({}))
  const { tipTxHash, amount, createdAt } = plainReceipt
  const refundOf = { id: other, reference: 'x', tipTxHash, amount, createdAt }
  expect(uetr({ refundOf })).toBe(plainReceipt.id)
})

describe('the messages that are built', () => {
  const made = (config: Input) => reportsOf(organisationConfig.parse(config))

  test('are pain.002 and camt.054 by default', () => {
    expect(reportsOf(plainOrganisation)).toEqual(['pain.002', 'camt.054'])
    expect(made({ org: { defaultMessageFamilies: ['remt.001', 'pacs.008'] } })).toEqual(['pacs.008', 'remt.001'])
    expect(made({ org: { defaultMessageFamilies: [] } })).toEqual([])
  })

  test('are finally decided by the switches of pain.002 and pacs.002', () => {
    expect(made({ status: { emitPain002: false, emitPacs002: true } })).toEqual(['camt.054', 'pacs.002'])
    expect(made({ org: { defaultMessageFamilies: [] }, status: { emitPain002: true } })).toEqual(['pain.002'])
  })
})

describe('validation of the configuration', () => {
  test.each<[string, unknown]>([
    ['an LEI whose check digits are wrong', { org: { lei: '529900T8BM49AURSDO56' } }],
    ['a country that is none', { org: { name: 'x', jurisdiction: 'XX' } }],
    ['a country beside neither name nor LEI, which no message could show', { org: { jurisdiction: 'DE' } }],
    ['a network without its asset', { ledger: { network: 'base' } }],
    ['a currency that is none', { mapping: { assets: [{ label: 'USDC', currency: 'USDC' }] } }],
    ['a DTI with a vowel', { mapping: { assets: [{ label: 'USDC', dti: 'AH95J0R2X' }] } }],
    ['a purpose that is not in the code set', { mapping: { purpose: 'ZZZZ' } }],
    ['a category purpose that is not in the code set', { mapping: { categoryPurpose: 'GDDS' } }],
    ['a message that is not made after anchoring', { org: { defaultMessageFamilies: ['pain.001'] } }],
    ['a country code that is only reserved', { org: { name: 'x', jurisdiction: 'EU' } }],
    ['a currency that is no more', { mapping: { assets: [{ label: 'USDC', currency: 'HRK' }] } }],
    ['an asset of which nothing is said', { mapping: { assets: [{ label: 'USDC' }] } }],
    ['an asset named twice', { mapping: { assets: [1, 2].map(() => ({ label: 'USDC', currency: 'USD' })) } }],
    ['a message named twice', { org: { defaultMessageFamilies: ['pain.002', 'pain.002'] } }],
    ['a name too long for its slot in UTF-16', { org: { name: '😀'.repeat(71) } }],
    ['valuing without a currency', { fxPolicy: { mode: 'at_record' } }],
    ['a base currency that nothing is valued in', { fxPolicy: { baseCurrency: 'EUR' } }],
    ['a base currency that is none', { fxPolicy: { mode: 'at_record', baseCurrency: 'BTC' } }],
    ['a threshold of a travel rule that nobody is asked about', { compliance: { travelRuleThreshold: '1000' } }],
    ['an enforced check that nobody makes', { compliance: { sanctionsEnforce: true } }],
    ['a provider given as a file', { compliance: { sanctionsProvider: 'list:/etc/passwd' } }],
    ['a provider given as a URL', { compliance: { sanctionsProvider: 'http+json:http://10.0.0.1/' } }],
    ['a store of bundles that there is not', { evidence: { store: { mode: 's3' } } }],
    ['a field that has no effect', { evidence: { store: { bucket: 'evidence' } } }],
  ])('%s', (_, config) => {
    expect(organisationConfig.safeParse(config).success).toBe(false)
  })

  test('null is the same as absent', () => {
    const nulls = { org: null, ledger: { network: null, asset: null }, mapping: { chargeBearer: null, assets: null } }
    expect(organisationConfig.parse(nulls)).toEqual(plainOrganisation)
  })
})
