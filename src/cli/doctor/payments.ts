// Checks what payments need: a token that accepts authorizations, and a settling account that has funds and is not the
// payee.
import { formatEther } from 'ethers'
import { reason } from '../../adapters/node-request.ts'
import { createX402Facilitator, settlementCosts } from '../../adapters/x402-facilitator.ts'
import { AppError } from '../../core/errors.ts'
import type { Env } from '../../env.ts'
import { fewest } from '../../modules/transactions/watch-funds.ts'
import { about, type Finding } from './finding.ts'

export async function inspectPayments({ x402, chain, CHAINS_FILE }: Env): Promise<Finding[]> {
  const { ok, warn, fail } = about('payments')
  if (x402 === null) {
    const isLocal = chain === null && CHAINS_FILE === null
    const what = isLocal ? 'a start would take test dollars on the embedded chain' : 'nothing can be paid for'
    return [ok(`X402_NETWORK is not set: ${what}.`)]
  }
  const { address, network, asset, check, token, funds } = createX402Facilitator({
    ...x402,
    ...settlementCosts,
  })
  const said = async (question: () => Promise<Finding>): Promise<Finding> => {
    try {
      return await question()
    } catch (error) {
      return fail(error instanceof AppError ? error.message : reason(error))
    }
  }

  async function ofToken(): Promise<Finding> {
    await check()
    const { symbol, decimals } = await token()
    return ok(`${symbol} at ${asset} on ${network}, with ${decimals} decimals, takes authorizations.`)
  }

  async function ofFunds(): Promise<Finding> {
    const { balance, cost } = await funds()
    const count = cost === 0n ? null : balance / cost
    const text = `${address}, which settles, has ${formatEther(balance)} (in ether’s unit), enough for ${count ?? 'any number of'} settlements.`
    if (count === null || count >= fewest.settlements) return ok(text)
    return count === 0n ? fail(`${text} Send it funds.`) : warn(`${text} Send it funds soon.`)
  }

  const findings = await Promise.all([said(ofToken), said(ofFunds)])
  if (address !== x402.payTo.toLowerCase()) return findings
  return [
    ...findings,
    warn(`${address} settles and is paid: name another as X402_PAY_TO, so that its key holds gas only.`),
  ]
}
