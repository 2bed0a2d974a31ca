// Alerts the operator before the settling account runs out of gas money, because it cannot settle payments then.
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'

/** Settlements that the account should be able to pay for. */
export const fewestSettlements = 200n

type SettlingFunds = { balance: bigint; settlement: bigint }

/** The funds read last, by network; for the metrics of this process. */
export const seenSettlingFunds = perApp(() => new Map<string, SettlingFunds>())

export async function watchSettlingFunds(app: App): Promise<void> {
  const { facilitator, log } = app
  if (facilitator === null) return
  const { network, address: signer } = facilitator
  try {
    const funds = await facilitator.funds()
    seenSettlingFunds(app).set(network, funds)
    const { balance, settlement } = funds
    if (balance >= fewestSettlements * settlement) return
    log.error(
      { chain: network, signer, balance: balance.toString(), settlement: settlement.toString() },
      `ALARM: the settling account can pay for fewer than ${fewestSettlements} more settlements`,
    )
  } catch (error) {
    log.warn({ err: error, chain: network }, 'the funds of the settling account could not be read')
  }
}
