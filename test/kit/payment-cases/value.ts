// Payments in the chain's own currency.
import { getCreateAddress, toQuantity } from 'ethers'
import { type PaymentWorld, payer, relayer, shop } from '../payment-world.ts'
import { ambiguous, confirmed, type Made, mismatch, type PaymentCase, result } from './case.ts'

const eth = 10n ** 18n
const amount = '0.25'
const value = eth / 4n
const own = { currency: 'ETH', amount }

const plain: PaymentCase[] = [
  confirmed('plain value', async ({ pay }) => ({ ...own, tx: await pay(shop, value) })),
  confirmed('plain value, by its number', async ({ pay }) => ({ ...own, tx: await pay(shop, value), leg: 0 })),
  mismatch('plain value by another number', [['transfer_index', '1', '0']], async ({ pay }) => ({
    ...own,
    tx: await pay(shop, value),
    leg: 1,
  })),
  mismatch('one wei less', [['amount', amount, '0.249999999999999999']], async ({ pay }) => ({
    ...own,
    tx: await pay(shop, value - 1n),
  })),
  mismatch('one wei more', [['amount', amount, '0.250000000000000001']], async ({ pay }) => ({
    ...own,
    tx: await pay(shop, value + 1n),
  })),
  mismatch('an amount below one wei', [['amount', '0.2500000000000000001', amount]], async ({ pay }) => ({
    ...own,
    amount: '0.2500000000000000001',
    tx: await pay(shop, value),
  })),
  mismatch(
    'value in the other direction',
    [
      ['sender_wallet', payer, shop],
      ['receiver_wallet', shop, payer],
    ],
    async ({ pay }) => ({ ...own, tx: await pay(payer, value, { from: shop }) }),
  ),
  confirmed('value to oneself', async ({ pay }) => ({ ...own, tx: await pay(payer, value), receiverKey: payer })),
  mismatch('no value', [['currency', 'ETH', null]], async ({ pay }) => ({ ...own, tx: await pay(shop, 0n) })),
  confirmed('value with a note', async ({ send }) => ({
    ...own,
    tx: await send(shop, '0x68656c6c6f', { value: toQuantity(value) }),
  })),
  confirmed('value to a contract', async ({ pay, contracts }) => ({
    ...own,
    tx: await pay(contracts.wallet, value),
    receiverKey: contracts.wallet,
  })),
  result('reverted', 'value that the contract refuses', async ({ pay, contracts }) => ({
    ...own,
    tx: await pay(contracts.refusing, value),
    receiverKey: contracts.refusing,
  })),
  result('reverted', 'value in a call that runs out of gas', async ({ send, contracts, data }) => ({
    ...own,
    tx: await send(contracts.batch, data('Batch', 'burnGas'), { value: toQuantity(value), gas: '0x30000' }),
    receiverKey: contracts.batch,
  })),
  mismatch(
    'no value in a transaction of a token',
    [['currency', 'ETH', null]],
    async ({ send, contracts, transferOf }) => ({
      ...own,
      tx: await send(contracts.token, transferOf(value)),
    }),
  ),
  confirmed('value with which a contract is made', world => endowed(world), 'observed'),
]

async function endowed({ anvil, bytecodeOf }: PaymentWorld): Promise<Made> {
  const nonce = Number(await anvil.rpc('eth_getTransactionCount', payer, 'latest'))
  const { transactionHash: tx } = await anvil.outcome({
    ...{ from: payer, data: bytecodeOf('Endowed'), value: toQuantity(value), gas: toQuantity(500_000) },
  })
  return { ...own, tx, receiverKey: getCreateAddress({ from: payer, nonce }).toLowerCase() }
}

/** Value to the batch, which gives it on in two equal parts of a quarter, and keeps the rest. */
async function split({ run, call, contracts }: PaymentWorld): Promise<Made> {
  const calls = [call(shop, '0x', { value }), call(shop, '0x', { value })]
  return { ...own, tx: await run(calls, { value: toQuantity(eth) }), senderKey: contracts.batch }
}

const inside: PaymentCase[] = [
  confirmed(
    'value that a contract pays',
    async ({ run, call, contracts }) => ({
      ...{ ...own, tx: await run([call(shop, '0x', { value })]), senderKey: contracts.batch },
    }),
    'observed',
  ),
  confirmed(
    'value that a contract gives on',
    async ({ run, call, contracts }) => ({
      ...{
        ...own,
        tx: await run([call(shop, '0x', { value })], { value: toQuantity(eth) }),
        senderKey: contracts.batch,
      },
      leg: 1,
    }),
    'observed',
  ),
  mismatch(
    'value that a contract gives on, stated of the account',
    [['sender_wallet', payer, 'batch']],
    async ({ run, call }) => ({
      ...own,
      tx: await run([call(shop, '0x', { value })], { value: toQuantity(eth) }),
    }),
  ),
  ambiguous(2, 'two equal parts of value, not named', split),
  confirmed('the second of two equal parts, named', async world => ({ ...(await split(world)), leg: 2 }), 'observed'),
  mismatch(
    'the value of the transaction, named for its parts',
    [
      ['amount', amount, '1'],
      ['sender_wallet', 'batch', payer],
      ['receiver_wallet', shop, 'batch'],
    ],
    async world => ({ ...(await split(world)), leg: 0 }),
  ),
  mismatch(
    'value that is refused inside',
    [['amount', amount, '0.000000000000000007']],
    async ({ run, call, contracts }) => ({
      ...own,
      tx: await run([call(contracts.refusing, '0x', { value, mayFail: true }), call(shop, '0x', { value: 7n })]),
      ...{ senderKey: contracts.batch },
    }),
  ),
  mismatch(
    'value that is refused inside, and nothing else',
    [['currency', 'ETH', null]],
    async ({ run, call, contracts }) => ({
      ...own,
      tx: await run([call(contracts.refusing, '0x', { value, mayFail: true })]),
      ...{ senderKey: contracts.batch, receiverKey: contracts.refusing },
    }),
  ),
  mismatch('value that is undone inside', [['currency', 'ETH', null]], async ({ run, call, contracts, data }) => ({
    ...own,
    tx: await run([
      call(contracts.batch, data('Batch', 'runAndRevert', [call(shop, '0x', { value })]), { mayFail: true }),
    ]),
    senderKey: contracts.batch,
  })),
  mismatch('more value than the contract has', [['currency', 'ETH', null]], async ({ run, call, contracts }) => ({
    ...{ ...own, amount: '1000000' },
    tx: await run([call(shop, '0x', { value: 1_000_000n * eth, mayFail: true })]),
    senderKey: contracts.batch,
  })),
  confirmed(
    'the rest of a contract that ends',
    async world => {
      const ending = await world.deploy('Ending')
      await world.pay(ending, value)
      return { ...own, tx: await world.send(ending, world.data('Ending', 'end', shop)), senderKey: ending }
    },
    'observed',
  ),
  confirmed(
    'the rest of a contract that ends as it is made',
    async ({ anvil, bytecodeOf }) => {
      const nonce = Number(await anvil.rpc('eth_getTransactionCount', payer, 'latest'))
      const { transactionHash: tx } = await anvil.outcome({
        ...{ from: payer, data: bytecodeOf('EndingAtOnce', shop), value: toQuantity(value), gas: toQuantity(500_000) },
      })
      return { ...own, tx, senderKey: getCreateAddress({ from: payer, nonce }).toLowerCase() }
    },
    'observed',
  ),
  mismatch(
    'value beside other code (DELEGATECALL)',
    [['receiver_wallet', 'wallet', 'batch']],
    async ({ send, contracts, data }) => ({
      ...own,
      tx: await send(contracts.batch, data('Batch', 'runAsOther', contracts.wallet, '0x'), {
        value: toQuantity(value),
      }),
      receiverKey: contracts.wallet,
    }),
  ),
  mismatch('value with other code (CALLCODE)', [['currency', 'ETH', null]], async ({ send, contracts, data }) => ({
    ...own,
    tx: await send(contracts.batch, data('Batch', 'callCode', contracts.wallet, value)),
    ...{ senderKey: contracts.batch, receiverKey: contracts.wallet },
  })),
  confirmed('value of which half comes back', async ({ pay, contracts }) => ({
    ...{ ...own, amount: '0.5', tx: await pay(contracts.halfBack, 2n * value), receiverKey: contracts.halfBack },
  })),
  confirmed(
    'the half that comes back',
    async ({ pay, contracts }) => ({
      ...{ ...own, tx: await pay(contracts.halfBack, 2n * value), senderKey: contracts.halfBack, receiverKey: payer },
    }),
    'observed',
  ),
  confirmed(
    'value by a contract wallet',
    async ({ send, contracts, data }) => ({
      ...{ ...own, tx: await send(contracts.wallet, data('Wallet', 'execTransaction', shop, value, '0x')) },
      senderKey: contracts.wallet,
    }),
    'observed',
  ),
  confirmed('value by a bundler (ERC-4337)', world => bundledValue(world, false), 'observed'),
  mismatch('value of an operation that is undone', [['currency', 'ETH', null]], world => bundledValue(world, true)),
  confirmed(
    'value by an account with code (EIP-7702), sent by another',
    async world => ({
      ...{ ...own, tx: await world.runAsAccount([world.call(shop, '0x', { value })]), senderKey: world.delegated },
    }),
    'observed',
  ),
  confirmed(
    'value inside 60 nested calls',
    async ({ run, call, contracts, data }) => {
      let inner = call(shop, '0x', { value })
      for (let depth = 0; depth < 60; depth++) inner = call(contracts.batch, data('Batch', 'run', [inner]))
      return { ...own, tx: await run([inner], { gas: '0x1c9c380' }), senderKey: contracts.batch }
    },
    'observed',
  ),
]

async function bundledValue({ send, contracts, data }: PaymentWorld, fails: boolean): Promise<Made> {
  const operation = [contracts.wallet, shop, value, '0x', fails]
  const tx = await send(contracts.entryPoint, data('EntryPoint', 'handleOps', [operation], relayer), { from: relayer })
  return { ...own, tx, senderKey: contracts.wallet }
}

export const valueCases = [...plain, ...inside]
