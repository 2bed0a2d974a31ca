// Payments in tokens.
import { id, ZeroAddress } from 'ethers'
import { fromUnits } from '../../../src/core/decimal.ts'
import { nobody, payer, relayer, shop, zero } from '../payment-world.ts'
import { confirmed, mismatch, type PaymentCase, result } from './case.ts'

const units = 12_500_000n
const most = 2n ** 256n - 1n
const gone = 'currency' as const
const topic = id('Transfer(address,address,uint256)')

const decimals: PaymentCase[] = [
  { places: 0, amount: '12' },
  { places: 6, amount: '12.5' },
  { places: 8, amount: '12.50000001' },
  { places: 18, amount: '12.500000000000000001' },
  { places: 24, amount: '0.000000000000000000000001' },
].map(({ places, amount }) =>
  confirmed(`a token of ${places} decimals`, async ({ send, byDecimals, transferOf }) => {
    const [whole = '', rest = ''] = amount.split('.')
    const value = BigInt(whole + rest.padEnd(places, '0'))
    return { tx: await send(byDecimals.get(places) ?? '', transferOf(value)), currency: `T${places}`, amount }
  }),
)

const amounts: PaymentCase[] = [
  ...decimals,
  mismatch('an amount with decimals of a token that has none', [['amount', '12.5', '12']], async world => ({
    tx: await world.send(world.byDecimals.get(0) ?? '', world.transferOf(12n)),
    currency: 'T0',
  })),
  mismatch(
    'an amount with more decimals than the token has',
    [['amount', '12.5000001', '12.5']],
    async ({ send, contracts, transferOf }) => ({
      tx: await send(contracts.token, transferOf(units)),
      amount: '12.5000001',
    }),
  ),
  confirmed('an amount with zeros at its end', async ({ send, contracts, transferOf }) => ({
    tx: await send(contracts.token, transferOf(units)),
    amount: '12.50000000',
  })),
  ...[0, 18, 24].map(places =>
    confirmed(`2^256 - 1 units of a token of ${places} decimals`, async ({ send, byDecimals, data }) => {
      const of = byDecimals.get(places) ?? ''
      const to = `0x${'77'.repeat(20)}`
      return {
        ...{ tx: await send(of, data('Token', 'mint', to, most)), currency: `T${places}` },
        ...{ senderKey: zero, receiverKey: to, amount: fromUnits(most, places) },
      }
    }),
  ),
  mismatch('one unit less', [['amount', '12.5', '12.499999']], async ({ send, contracts, transferOf }) => ({
    tx: await send(contracts.token, transferOf(units - 1n)),
  })),
  mismatch('one unit more', [['amount', '12.5', '12.500001']], async ({ send, contracts, transferOf }) => ({
    tx: await send(contracts.token, transferOf(units + 1n)),
  })),
  mismatch('nothing', [['amount', '12.5', '0']], async ({ send, contracts, transferOf }) => ({
    tx: await send(contracts.token, transferOf(0n)),
  })),
  confirmed('a stated payment of nothing', async ({ send, contracts, transferOf }) => ({
    tx: await send(contracts.token, transferOf(0n)),
    amount: '0',
  })),
  mismatch('two halves', [['amount', '12.5', '6.25']], async ({ run, call, contracts, transferOf }) => ({
    tx: await run([call(contracts.token, transferOf(units / 2n)), call(contracts.token, transferOf(units / 2n))]),
    senderKey: contracts.batch,
  })),
]

const parties: PaymentCase[] = [
  mismatch(
    'swapped parties',
    [
      ['sender_wallet', shop, payer],
      ['receiver_wallet', payer, shop],
    ],
    async ({ send, contracts, transferOf }) => ({
      tx: await send(contracts.token, transferOf(units)),
      ...{ senderKey: shop, receiverKey: payer },
    }),
  ),
  mismatch('another payer', [['sender_wallet', nobody, payer]], async ({ send, contracts, transferOf }) => ({
    tx: await send(contracts.token, transferOf(units)),
    senderKey: nobody,
  })),
  mismatch('another recipient', [['receiver_wallet', shop, nobody]], async ({ send, contracts, transferOf }) => ({
    tx: await send(contracts.token, transferOf(units, nobody)),
  })),
  mismatch(
    'everything is another',
    [
      ['amount', '12.5', '1'],
      ['sender_wallet', nobody, payer],
      ['receiver_wallet', shop, relayer],
    ],
    async ({ send, contracts, transferOf }) => ({
      tx: await send(contracts.token, transferOf(1_000_000n, relayer)),
      senderKey: nobody,
    }),
  ),
  mismatch('a payer that is no address', [['sender_wallet', 'Alice', payer]], async world => ({
    tx: await world.send(world.contracts.token, world.transferOf(units)),
    senderKey: 'Alice',
  })),
  confirmed('to oneself, as stated', async ({ send, contracts, transferOf }) => ({
    tx: await send(contracts.token, transferOf(units, payer)),
    receiverKey: payer,
  })),
  mismatch('to oneself, not to the shop', [['receiver_wallet', shop, payer]], async world => ({
    tx: await world.send(world.contracts.token, world.transferOf(units, payer)),
  })),
  confirmed('transferFrom by a relayer', async ({ send, contracts, data }) => ({
    tx: await send(contracts.token, data('Token', 'transferFrom', payer, shop, units), { from: relayer }),
  })),
  mismatch('transferFrom, stated of the relayer', [['sender_wallet', relayer, payer]], async world => ({
    tx: await world.send(world.contracts.token, world.data('Token', 'transferFrom', payer, shop, units), {
      from: relayer,
    }),
    senderKey: relayer,
  })),
  confirmed('transferWithAuthorization (ERC-3009), sent by a relayer', async ({ send, contracts, authorization }) => ({
    tx: await send(contracts.dollar, await authorization('transfer', shop, units, word(1)), { from: relayer }),
    currency: 'TESTUSD',
  })),
  confirmed('receiveWithAuthorization (ERC-3009), sent by the shop', async ({ send, contracts, authorization }) => ({
    tx: await send(contracts.dollar, await authorization('receive', shop, units, word(2)), { from: shop }),
    currency: 'TESTUSD',
  })),
  result('reverted', 'an authorization that is used already', async ({ send, contracts, authorization }) => {
    const content = await authorization('transfer', shop, units, word(3))
    await send(contracts.dollar, content, { from: relayer })
    return { tx: await send(contracts.dollar, content, { from: relayer }), currency: 'TESTUSD' }
  }),
  confirmed('minted: from the zero address', async ({ send, contracts, data }) => ({
    tx: await send(contracts.token, data('Token', 'mint', shop, units)),
    senderKey: ZeroAddress,
  })),
  mismatch('minted, stated of the issuer', [['sender_wallet', payer, zero]], async ({ send, contracts, data }) => ({
    tx: await send(contracts.token, data('Token', 'mint', shop, units)),
  })),
  confirmed('burned: to the zero address', async ({ send, contracts, data }) => ({
    tx: await send(contracts.token, data('Token', 'burn', payer, units)),
    receiverKey: zero,
  })),
]

const odd: PaymentCase[] = [
  mismatch('a fee on transfer, stated in full', [['amount', '12.5', '12.375']], async ({ send, contracts, data }) => ({
    tx: await send(contracts.feeToken, data('Token', 'transfer', shop, units)),
    currency: 'FEE',
  })),
  confirmed('a fee on transfer, stated as received', async ({ send, contracts, data }) => ({
    tx: await send(contracts.feeToken, data('Token', 'transfer', shop, units)),
    ...{ currency: 'FEE', amount: '12.375' },
  })),
  confirmed('the fee itself', async ({ send, contracts, data }) => ({
    tx: await send(contracts.feeToken, data('Token', 'transfer', shop, units)),
    ...{ currency: 'FEE', amount: '0.125', receiverKey: `0x${'fee'.padStart(40, '0')}` },
  })),
  confirmed('a rebasing token, whose balances have doubled since', async ({ send, contracts, data }) => {
    const tx = await send(contracts.rebasing, data('Token', 'transfer', shop, units))
    await send(contracts.rebasing, data('RebasingToken', 'rebase', 2))
    return { tx, currency: 'REBASE' }
  }),
  mismatch('a balance that only grew', [[gone, 'REBASE', null]], async ({ send, contracts, data }) => ({
    tx: await send(contracts.rebasing, data('RebasingToken', 'rebase', 3)),
    currency: 'REBASE',
  })),
  mismatch('another token', [[gone, 'USDC', null]], async ({ send, byDecimals, transferOf }) => ({
    tx: await send(byDecimals.get(18) ?? '', transferOf(units)),
  })),
  mismatch('a token of the same name and symbol', [[gone, 'USDC', null]], async ({ send, contracts, transferOf }) => ({
    tx: await send(contracts.fake, transferOf(units)),
  })),
  mismatch(
    'a false token in full, and the true one in part',
    [['amount', '12.5', '0.000001']],
    async ({ run, call, contracts, transferOf }) => ({
      tx: await run([call(contracts.fake, transferOf(units)), call(contracts.token, transferOf(1n))]),
      senderKey: contracts.batch,
    }),
  ),
  confirmed('a token behind a proxy', async ({ send, contracts, transferOf }) => ({
    tx: await send(contracts.proxy, transferOf(units)),
    currency: 'PROXIED',
  })),
  mismatch('a token that is named by its implementation', [[gone, 'USDC', null]], async world => ({
    tx: await world.send(world.contracts.proxy, world.transferOf(units)),
  })),
  mismatch('an ERC-721 with the same topic', [[gone, 'NFT', null]], async ({ send, contracts, data }) => ({
    tx: await send(contracts.nft, data('Nft', 'transferFrom', payer, shop, 12n)),
    ...{ currency: 'NFT', amount: '12' },
  })),
  mismatch('a token whose event is not indexed', [[gone, 'UNINDEXED', null]], async ({ send, contracts, data }) => ({
    tx: await send(contracts.unindexed, data('UnindexedToken', 'transfer', shop, units)),
    currency: 'UNINDEXED',
  })),
  mismatch('an event of nothing', [[gone, 'USDC', null]], async ({ send, contracts, data }) => ({
    tx: await send(contracts.noise, data('Noise', 'say', payer, shop, units)),
  })),
  ...[
    {
      what: 'addresses with more than 20 bytes',
      topics: [topic, word(1n << 200n), padded(shop)],
      content: word(units),
    },
    { what: 'an amount of 31 bytes', topics: [topic, padded(payer), padded(shop)], content: word(units).slice(0, -2) },
    {
      what: 'an amount of 64 bytes',
      topics: [topic, padded(payer), padded(shop)],
      content: word(units) + '00'.repeat(32),
    },
    { what: 'no parties', topics: [topic], content: word(units) },
    { what: 'another topic', topics: [word(7), padded(payer), padded(shop)], content: word(units) },
  ].map(({ what, topics, content }) =>
    mismatch(`an event with ${what}`, [[gone, 'NOISE', null]], async ({ send, contracts, data }) => ({
      tx: await send(contracts.noise, data('Noise', 'log', topics, content)),
      currency: 'NOISE',
    })),
  ),
  mismatch('no event at all', [[gone, 'USDC', null]], async ({ pay }) => ({ tx: await pay(shop, units) })),
  result('reverted', 'more than the payer has', async ({ send, contracts, transferOf }) => ({
    tx: await send(contracts.token, transferOf(2n ** 255n)),
    amount: fromUnits(2n ** 255n, 6),
  })),
  result('reverted', 'too little gas', async ({ send, contracts, transferOf }) => ({
    tx: await send(contracts.token, transferOf(units), { gas: '0x5a3c' }),
  })),
]

function word(value: bigint | number): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}
function padded(address: string): string {
  return `0x${address.slice(2).padStart(64, '0')}`
}

export const tokenCases = [...amounts, ...parties, ...odd]
