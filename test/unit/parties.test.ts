// A name belongs to a wallet: which wallets a configuration names, on which chains, and whose statement counts.
import { describe, expect, test } from 'vitest'
import { addressKey, aliasesWith, chainKey, knownChains } from '../../src/core/identity.ts'
import { partyOf } from '../../src/modules/iso20022/holder.ts'
import { camt053 } from '../../src/modules/iso20022/messages/camt053.ts'
import { messageOf } from '../../src/modules/iso20022/messages/registry.ts'
import { pagesOf } from '../../src/modules/iso20022/messages/statement.ts'
import { readOnChainPayments } from '../../src/modules/iso20022/reader.ts'
import { accountId } from '../../src/modules/iso20022/slots.ts'
import { configOf, projectConfig } from '../../src/modules/projects/config.ts'
import { namedWallets, party, walletIssues } from '../../src/modules/projects/party.ts'
import { configurationOf, organisationConfig } from '../../src/modules/settings/organisation.ts'
import { accountOf } from '../kit/messages.ts'
import { configured, plainFacts, plainReceipt, unnumbered } from '../kit/receipts.ts'

const hex = `0x${'ab'.repeat(20)}`
const base58 = 'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy'

/** Returns the name of the wallet where one party lists another wallet. */
const nameOf = (listed: { address: string; chain?: string }, wallet: string, chain = 'base') => {
  const names = namedWallets([party.parse({ name: 'Shop', wallets: [listed] })], knownChains)
  return partyOf({ names }, { walletKey: addressKey(wallet), chainKey: chainKey(chain, knownChains) })?.name ?? null
}

describe('a wallet is named', () => {
  test.each([
    ['as it is listed', { address: hex }, hex, 'anything'],
    ['in other letters', { address: hex.toUpperCase() }, hex, 'base'],
    ['without 0x', { address: hex.slice(2) }, hex, 'base'],
    ['with its chain in the address', { address: hex }, `eip155:8453:${hex}`, 'base'],
    ['on the listed chain by another name', { address: hex, chain: 'Base' }, hex, 'eip155:8453'],
    ['on the chain of a listed CAIP-10 address', { address: `eip155:8453:${hex}` }, hex, 'base'],
    ['on the chain of a listed ERC-3770 address', { address: `base:${hex}` }, hex, 'eip155:8453'],
    ['on the chain that nobody lists of a listed address', { address: `acme:${hex}` }, hex, 'Acme'],
    ['in base58', { address: base58 }, base58, 'solana'],
  ])('%s', (_, listed, wallet, chain) => {
    expect(nameOf(listed, wallet, chain)).toBe('Shop')
  })
})

describe('a wallet is not named', () => {
  test.each([
    ['that is another', { address: hex }, `0x${'ac'.repeat(20)}`, 'base'],
    ['on another chain than the listed', { address: hex, chain: 'base' }, hex, 'polygon'],
    ['on another chain than that of a listed CAIP-10 address', { address: `eip155:8453:${hex}` }, hex, 'polygon'],
    ['on another chain than that of a listed ERC-3770 address', { address: `base:${hex}` }, hex, 'polygon'],
    ['on another chain than one that nobody lists', { address: `acme:${hex}` }, hex, 'polygon'],
    ['in base58 of other letters', { address: base58 }, base58.toLowerCase(), 'solana'],
    ['that is the zero address', { address: hex }, `0x${'0'.repeat(40)}`, 'base'],
  ])('%s', (_, listed, wallet, chain) => {
    expect(nameOf(listed, wallet, chain)).toBeNull()
  })
})

test('a configuration from before wallets, or of a client without them, names nobody', () => {
  const stored = { anchoring: { executionMode: 'platform', chains: [] }, parties: { creditor: { name: 'Shop AG' } } }
  const organisation = organisationConfig.parse({
    mapping: { creditorDefaults: { name: 'Acme' } },
    org: { name: 'Group' },
  })
  const configuration = configurationOf(organisation, { ...configOf({ config: stored }), isHouse: true }, knownChains)
  expect(configuration.names).toEqual([])
  // The initiator is no side of the payment, and needs none.
  expect(configuration.org.name).toBe('Group')
})

test('both sides of every message follow their wallets, so that a payout does not name the customer', () => {
  const organisation = configured({
    mapping: { creditorDefaults: { name: 'Shop AG', wallets: [{ address: plainReceipt.receiverWallet }] } },
  })
  const payout = {
    ...plainReceipt,
    senderWallet: plainReceipt.receiverWallet,
    receiverWallet: plainReceipt.senderWallet,
    senderKey: plainReceipt.receiverKey,
    receiverKey: plainReceipt.senderKey,
  }
  const { receiverWallet: senderWallet, receiverKey: senderKey } = plainReceipt
  const own = { ...plainReceipt, senderWallet, senderKey }
  for (const type of ['pain.001', 'camt.054', 'pacs.008', 'pain.008', 'remt.001', 'camt.056'] as const) {
    const named = (receipt: typeof plainReceipt) => {
      const [payment] = readOnChainPayments(messageOf(type).build({ ...plainFacts, organisation, receipt }))
      return [payment?.payerParty?.name ?? null, payment?.payeeParty?.name ?? null]
    }
    expect([type, named(plainReceipt), named(payout), named(own)]).toEqual([
      type,
      [null, 'Shop AG'],
      ['Shop AG', null],
      ['Shop AG', 'Shop AG'],
    ])
  }
  const xml = messageOf('pain.001').build({ ...plainFacts, organisation, receipt: payout })
  expect(/<Cdtr>\s*<Nm>([^<]*)/.exec(xml)?.[1]).toBe(payout.receiverWallet)
  expect(/<Dbtr>\s*<Nm>([^<]*)/.exec(xml)?.[1]).toBe('Shop AG')
})

test('a house project’s own statement of a wallet comes before the organisation’s', () => {
  const organisation = organisationConfig.parse({
    org: { name: 'Group', wallets: [{ address: hex }, { address: base58 }] },
    mapping: { creditorDefaults: { name: 'Acme', wallets: [{ address: '0x1' }] } },
  })
  const { parties, fxPolicy, settlement } = projectConfig.parse({
    anchoring: { executionMode: 'platform', chains: [] },
    parties: { creditor: { name: 'Shop', wallets: [{ address: hex }] } },
  })
  const nameIn = (isHouse: boolean, wallet: string) =>
    partyOf(configurationOf(organisation, { parties, fxPolicy, settlement, isHouse }, knownChains), {
      walletKey: addressKey(wallet),
      chainKey: 'eip155:8453',
    })?.name ?? null
  expect([hex, base58, '0x1'].map(wallet => nameIn(true, wallet))).toEqual(['Shop', 'Group', null])
  expect([hex, base58, '0x1'].map(wallet => nameIn(false, wallet))).toEqual(['Shop', null, null])
})

test('a wallet that two parties list is an issue of the second; two chains are two wallets', () => {
  const listed = (path: string[], ...wallets: { address: string; chain?: string }[]) => ({
    path,
    wallets: party.parse({ name: 'x', wallets }).wallets,
  })
  const issues = (...parties: ReturnType<typeof listed>[]) => walletIssues(parties, knownChains).map(({ path }) => path)
  expect(issues(listed(['a'], { address: hex }, { address: hex }), listed(['b'], { address: base58 }))).toEqual([])
  expect(
    issues(listed(['a'], { address: hex, chain: 'base' }), listed(['b'], { address: hex, chain: 'flare' })),
  ).toEqual([])
  const three = [
    listed(['a'], { address: hex, chain: 'base' }),
    listed(['b'], { address: hex, chain: 'flare' }),
    listed(['c'], { address: '0x1' }, { address: hex }),
  ]
  expect(issues(...three)).toEqual([['c', 'wallets', 1]])
})

test('the owner and the id of an account go by the configured names of chains', () => {
  const { aliases } = aliasesWith([['house', 'eip155:424242']])
  const creditor = party.parse({ name: 'Shop', wallets: [{ address: hex, chain: 'house' }] })
  const stated = { ...configOf(null), isHouse: true }
  const organisation = configurationOf(
    organisationConfig.parse({}),
    { ...stated, parties: { ...stated.parties, creditor } },
    aliases,
  )
  const account = (chain: string) => ({
    wallet: hex,
    chain,
    walletKey: hex,
    chainKey: chainKey(chain, aliases),
    currency: 'USDC',
  })
  const pageOf = (chain: string) => {
    const statement = {
      ...{ ...unnumbered, id: '0b8f6f5e-1d1c-4c7b-9a55-2f2b8f0f9a01', at: new Date(86_400_000), organisation },
      ...{ from: new Date(0), to: new Date(86_400_000) },
      accounts: [{ ...account(chain), isProven: false, opening: '3', entries: [] }],
    }
    return pagesOf(statement).map(camt053.build).join('')
  }
  const idIn = (xml: string) => /<Id>(A-[0-9a-f]{32})<\/Id>/.exec(xml)?.[1]
  for (const chain of ['house', 'House', 'eip155:424242']) {
    expect(pageOf(chain)).toContain('<Nm>Shop</Nm>')
    expect(idIn(pageOf(chain))).toBe(idIn(pageOf('house')))
  }
  expect(pageOf('base')).not.toContain('<Nm>Shop</Nm>')
})

test('a wallet whose address has another chain before it is an issue of its chain', () => {
  const chains = (address: string, chain: string) =>
    walletIssues(
      [{ path: ['a'], wallets: party.parse({ name: 'x', wallets: [{ address, chain }] }).wallets }],
      knownChains,
    )
  expect(chains(`eip155:1:${hex}`, 'base')).toEqual([
    { path: ['a', 'wallets', 0, 'chain'], message: 'The address names another chain, eip155:1.', type: 'value_error' },
  ])
  expect(chains(`eth:${hex}`, 'base')).toHaveLength(1)
  for (const before of ['base', 'eip155:8453', 'acme']) expect(chains(`${before}:${hex}`, 'Base')).toEqual([])
})

test('a wallet and a chain in other spellings are the same account', () => {
  const id = accountId(accountOf({ wallet: hex, chain: 'base', currency: 'USDC' }))
  expect(id).toMatch(/^A-[0-9a-f]{32}$/)
  expect(
    accountId(
      accountOf({ wallet: hex.toUpperCase().replace('0X', 'eip155:8453:0x'), chain: 'Base', currency: 'USDC' }),
    ),
  ).toBe(id)
  expect(accountId(accountOf({ wallet: hex.slice(2), chain: 'eip155:8453', currency: 'USDC' }))).toBe(id)
  const others = [
    { wallet: hex, chain: 'flare', currency: 'USDC' },
    { wallet: hex, chain: 'base', currency: 'usdc' },
    { wallet: base58, chain: 'base', currency: 'USDC' },
  ]
  expect(others.map(other => accountId(accountOf(other)))).not.toContain(id)
})
