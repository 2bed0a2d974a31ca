// Spellings of hashes, wallets and labels, and transactions that are not there.
import { getAddress } from 'ethers'
import { addressKey, transactionKey } from '../../../src/core/identity.ts'
import { type PaymentWorld, payer, shop } from '../payment-world.ts'
import { confirmed, type Made, mismatch, type PaymentCase, result } from './case.ts'

const units = 12_500_000n
const paid = async ({ send, contracts, transferOf }: PaymentWorld) => send(contracts.token, transferOf(units))

const spelled = (name: string, change: (tx: string) => Partial<Made>): PaymentCase =>
  confirmed(name, async world => {
    const tx = await paid(world)
    return { tx, ...change(tx) }
  })
const wallet = (text: string) => ({ senderKey: addressKey(text) })

const spellings: PaymentCase[] = [
  spelled('a hash in capitals', tx => ({ txKey: transactionKey(tx.toUpperCase()) })),
  spelled('a hash in capitals behind 0x', tx => ({ txKey: transactionKey(`0x${tx.slice(2).toUpperCase()}`) })),
  spelled('a hash without 0x', tx => ({ txKey: transactionKey(tx.slice(2)) })),
  spelled('a hash between spaces', tx => ({ txKey: transactionKey(` ${tx}\u200b `) })),
  spelled('a hash with its leg in capitals', tx => ({ txKey: transactionKey(`${tx.toUpperCase()}#0`) })),
  spelled('a leg with zeros before it', tx => ({ txKey: transactionKey(`${tx}#000`) })),
  spelled('a wallet with a checksum', () => wallet(getAddress(payer))),
  spelled('a wallet in capitals', () => wallet(payer.toUpperCase())),
  spelled('a wallet without 0x', () => wallet(payer.slice(2))),
  spelled('a wallet with its chain (CAIP-10)', () => wallet(`eip155:1:${payer}`)),
  spelled('a wallet with its chain (ERC-3770)', () => wallet(`eth:${payer}`)),
]

const unknown = (what: string, text: string): PaymentCase =>
  result('not_found', what, async () => ({ tx: transactionKey(text), txKey: transactionKey(text) }))

const absent: PaymentCase[] = [
  unknown('a hash that is of no transaction', `0x${'ab'.repeat(32)}`),
  unknown('a hash of 31 bytes', `0x${'ab'.repeat(31)}`),
  unknown('a hash of 33 bytes', `0x${'ab'.repeat(33)}`),
  unknown(
    'a hash of another chain',
    '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
  ),
  unknown('a name', 'order 17'),
  unknown('a name of 2,000 characters', 'x'.repeat(2_000)),
  unknown('nothing but a leg', '#3'),
  ...['4294967296', '9999999999', '99999999999', '-1', '0x1', '1e3'].map(leg =>
    unknown(`the leg ${leg}`, `0x${'ab'.repeat(32)}#${leg}`),
  ),
  // Its nonce is not the next one.
  result('not_found', 'a transaction that waits for a block', async ({ anvil, contracts, transferOf }) => ({
    tx: await anvil.rpc('eth_sendTransaction', {
      ...{ from: shop, to: contracts.token, data: transferOf(0n), gas: '0x186a0', nonce: '0xffff' },
    }),
  })),
]

const labelled = (
  status: 'confirmed' | 'unknown_asset',
  name: string,
  currency: string,
  more: (world: PaymentWorld) => Partial<Made> = () => ({}),
): PaymentCase => result(status, name, async world => ({ tx: await paid(world), currency, ...more(world) }))

/** The project's own configuration of a label. */
const meaning = (label: string) => (world: PaymentWorld) => ({ assets: [world.asset(label, world.contracts.fake, 6)] })
const falseToken = async (world: PaymentWorld) => world.send(world.contracts.fake, world.transferOf(units))

const labels: PaymentCase[] = [
  labelled('confirmed', 'a known label in small letters', 'usdc'),
  labelled('confirmed', 'a known label in other letters', 'UsDc'),
  labelled('unknown_asset', 'a label of nothing', 'SHELLS'),
  labelled('unknown_asset', 'a configured label in other letters', 't6'),
  labelled('unknown_asset', 'a label of another chain', 'T6', world => ({
    assets: [{ label: 'T6', caip19: `eip155:1/erc20:${world.contracts.token}`, decimals: 6 }],
  })),
  labelled('unknown_asset', 'a label whose configured asset is no token', 'T6', world => ({
    assets: [{ label: 'T6', caip19: `eip155:${world.chainId}/erc721:${world.contracts.token}`, decimals: 6 }],
  })),
  result('confirmed', 'a configured asset in capitals', async world => ({
    tx: await paid(world),
    currency: 'OURS',
    assets: [
      {
        label: 'OURS',
        caip19: `eip155:${world.chainId}/erc20:0x${world.contracts.token.slice(2).toUpperCase()}`,
        decimals: 6,
      },
    ],
  })),
  result('unknown_asset', 'an unknown label of a transaction that failed', async world => ({
    tx: await world.send(world.contracts.token, world.transferOf(2n ** 250n)),
    currency: 'SHELLS',
  })),
  ...['USDC', 'usdc', 'ＵＳＤＣ', 'USDC\u200b', 'U\u00adSDC'].map(label =>
    mismatch(
      `a false token under the known label ${JSON.stringify(label)}`,
      [['currency', 'USDC', null]],
      async world => ({ tx: await falseToken(world), currency: label, ...meaning(label)(world) }),
    ),
  ),
  // Nobody's label yet: the asset is named by its contract (test/unit/payment-attacks.test.ts).
  confirmed('a token of the project under a label that only looks known', async world => ({
    tx: await falseToken(world),
    ...{ currency: 'USDС', ...meaning('USDС')(world) },
  })),
]

export const nameCases = [...spellings, ...absent, ...labels]
