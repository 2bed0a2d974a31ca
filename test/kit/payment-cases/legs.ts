// Payments that are one of several transfers of a token, or that others make for the payer.
import { nobody, type PaymentWorld, payer, relayer, shop } from '../payment-world.ts'
import { ambiguous, confirmed, type Made, mismatch, type PaymentCase, result } from './case.ts'

const units = 12_500_000n

/** Two equal transfers from the batch to the shop, and one that is larger. */
async function equal(world: PaymentWorld): Promise<Made> {
  const { run, call, contracts, transferOf } = world
  const calls = [transferOf(units), transferOf(units + 1n), transferOf(units)].map(of => call(contracts.token, of))
  return { tx: await run(calls), senderKey: contracts.batch }
}

/** A transfer of each of two tokens. */
async function mixed({ run, call, contracts, byDecimals, transferOf }: PaymentWorld): Promise<Made> {
  const other = byDecimals.get(18) ?? ''
  const calls = [call(other, transferOf(units)), call(contracts.token, transferOf(units))]
  return { tx: await run(calls), senderKey: contracts.batch }
}

/** Two payments in one block: the log of the second is not the first of the block. */
async function second({ together, contracts, transferOf }: PaymentWorld): Promise<Made> {
  const [, tx = ''] = await together([
    { to: contracts.token, data: transferOf(units, nobody) },
    { to: contracts.token, data: transferOf(units) },
  ])
  return { tx }
}

const legs: PaymentCase[] = [
  confirmed('one of several transfers, the only one that fits', async ({ run, call, contracts, transferOf }) => ({
    tx: await run([
      call(contracts.token, transferOf(units, nobody)),
      call(contracts.token, transferOf(1n)),
      call(contracts.token, transferOf(units)),
    ]),
    senderKey: contracts.batch,
  })),
  ambiguous(2, 'one of two equal transfers, not named', equal),
  confirmed('the first of two equal transfers, named', async world => ({ ...(await equal(world)), leg: 0 })),
  confirmed('the last of two equal transfers, named', async world => ({ ...(await equal(world)), leg: 2 })),
  mismatch('a named transfer of another amount', [['amount', '12.5', '12.500001']], async world => ({
    ...(await equal(world)),
    leg: 1,
  })),
  mismatch('a named transfer that is not there', [['transfer_index', '3', '0, 1, 2']], async world => ({
    ...(await equal(world)),
    leg: 3,
  })),
  mismatch('the highest number of a transfer', [['transfer_index', '2147483647', '0, 1, 2']], async world => ({
    ...(await equal(world)),
    leg: 2 ** 31 - 1,
  })),
  confirmed('a named transfer beside one of another token', async world => ({ ...(await mixed(world)), leg: 1 })),
  mismatch('a named transfer of another token', [['transfer_index', '0', '1']], async world => ({
    ...(await mixed(world)),
    leg: 0,
  })),
  mismatch('a named transfer in a transaction without one', [['currency', 'USDC', null]], async ({ pay }) => ({
    tx: await pay(shop, units),
    leg: 0,
  })),
  confirmed('the second transfer of a block, not named', second),
  confirmed('the second transfer of a block, by its number in the block', async world => ({
    ...(await second(world)),
    leg: 1,
  })),
  mismatch(
    'the second transfer of a block, by its place in the transaction',
    [['transfer_index', '0', '1']],
    async world => ({
      ...(await second(world)),
      leg: 0,
    }),
  ),
  confirmed('the last of 60 payments of a payroll', async ({ run, call, contracts, transferOf }) => ({
    tx: await run(
      Array.from({ length: 60 }, (_, at) => call(contracts.token, transferOf(units, at === 59 ? shop : nobody))),
      { gas: '0x3d0900' },
    ),
    senderKey: contracts.batch,
    leg: 59,
  })),
  ambiguous(30, 'one of 30 equal payments', async ({ run, call, contracts, transferOf }) => ({
    tx: await run(Array.from({ length: 30 }, () => call(contracts.token, transferOf(units)))),
    senderKey: contracts.batch,
  })),
]

const wallets: PaymentCase[] = [
  confirmed('by a contract wallet', async ({ send, contracts, data, transferOf }) => ({
    tx: await send(contracts.wallet, data('Wallet', 'execTransaction', contracts.token, 0, transferOf(units))),
    senderKey: contracts.wallet,
  })),
  mismatch('by a contract wallet, stated of its owner', [['sender_wallet', payer, 'wallet']], async world => ({
    tx: await world.send(
      world.contracts.wallet,
      world.data('Wallet', 'execTransaction', world.contracts.token, 0, world.transferOf(units)),
    ),
  })),
  mismatch('a contract wallet whose call fails inside', [['currency', 'USDC', null]], async world => ({
    tx: await world.send(
      world.contracts.wallet,
      world.data('Wallet', 'execTransaction', world.contracts.token, 0, world.transferOf(2n ** 200n)),
    ),
    senderKey: world.contracts.wallet,
  })),
  confirmed('by a bundler (ERC-4337)', async world => ({
    tx: await bundled(world, [false]),
    senderKey: world.contracts.wallet,
  })),
  mismatch('by a bundler, stated of the bundler', [['sender_wallet', relayer, 'wallet']], async world => ({
    tx: await bundled(world, [false]),
    senderKey: relayer,
  })),
  mismatch('a bundled operation that is undone', [['currency', 'USDC', null]], async world => ({
    tx: await bundled(world, [true]),
    senderKey: world.contracts.wallet,
  })),
  confirmed('the one of two equal operations that is not undone', async world => ({
    tx: await bundled(world, [true, false]),
    senderKey: world.contracts.wallet,
  })),
  ambiguous(2, 'two equal operations of one bundle', async world => ({
    tx: await bundled(world, [false, false]),
    senderKey: world.contracts.wallet,
  })),
  confirmed('by an account with code (EIP-7702), sent by another', async world => ({
    tx: await world.runAsAccount([
      world.call(world.contracts.token, world.data('Token', 'transferFrom', world.delegated, shop, 0n)),
      world.call(world.contracts.token, world.transferOf(0n)),
      world.call(world.contracts.token, world.data('Token', 'mint', world.delegated, units)),
      world.call(world.contracts.token, world.transferOf(units)),
    ]),
    senderKey: world.delegated,
  })),
  ambiguous(2, 'by an account with code, twice', async world => ({
    tx: await world.runAsAccount([
      world.call(world.contracts.token, world.data('Token', 'mint', world.delegated, 2n * units)),
      world.call(world.contracts.token, world.transferOf(units)),
      world.call(world.contracts.token, world.transferOf(units)),
    ]),
    senderKey: world.delegated,
  })),
  mismatch(
    'a transfer that is undone inside',
    [['currency', 'USDC', null]],
    async ({ run, call, contracts, data, transferOf }) => ({
      tx: await run([
        call(contracts.batch, data('Batch', 'runAndRevert', [call(contracts.token, transferOf(units))]), {
          mayFail: true,
        }),
      ]),
      senderKey: contracts.batch,
    }),
  ),
  result('reverted', 'a batch whose second transfer fails', async ({ run, call, contracts, transferOf }) => ({
    tx: await run([call(contracts.token, transferOf(units)), call(contracts.token, transferOf(2n ** 200n))]),
    senderKey: contracts.batch,
  })),
]

/** One operation of the wallet for each, which fails at its end or not. */
function bundled({ send, contracts, data, transferOf }: PaymentWorld, fails: readonly boolean[]): Promise<string> {
  const operations = fails.map(one => [contracts.wallet, contracts.token, 0, transferOf(units), one])
  return send(contracts.entryPoint, data('EntryPoint', 'handleOps', operations, relayer), { from: relayer })
}

export const legCases = [...legs, ...wallets]
