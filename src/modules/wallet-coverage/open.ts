// Finds the blocks of a comparison's range, and the wallet's balance at their end.
import { fromUnits } from '../../core/decimal.ts'
import type { WalletCoverage } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import type { PaymentChain } from '../../ports/payment-chain.ts'
import { mostBlocks } from './bounds.ts'
import { tokenOf } from './token.ts'

/** Is thrown for what cannot be compared however often it is tried; the message is for the caller. */
export class NotComparable extends Error {}

export async function findBlocks({ db }: App, chain: PaymentChain, of: WalletCoverage): Promise<void> {
  const { id, since, until, wallet, decimals } = of
  const final = await chain.finalBlock()
  if (final < 0) throw new NotComparable('The chain has no final block yet.')
  const toBlock = await chain.blockBefore(new Date(until.getTime() + 1), final)
  const fromBlock = (await chain.blockBefore(since, final)) + 1
  if (fromBlock > toBlock) throw new NotComparable('No block of the range is final yet, or the range has no block.')
  const blocks = toBlock - fromBlock + 1
  if (blocks > mostBlocks)
    throw new NotComparable(
      `The range has ${blocks} blocks, and at most ${mostBlocks} are compared. Choose a shorter one.`,
    )
  const [end = until] = toBlock < final ? [] : await chain.timesOf([toBlock])
  const balance = await chain.balanceAt(tokenOf(of), wallet, toBlock)
  await db.walletCoverage.updateMany({
    where: { id, toBlock: null, failedAt: null },
    data: {
      fromBlock,
      toBlock,
      nextBlock: fromBlock,
      asOf: end,
      chainBalance: balance === null ? null : fromUnits(balance, decimals),
      failures: 0,
    },
  })
}
