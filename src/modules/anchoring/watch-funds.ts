// Alerts the operator before a signer's balance is too low to pay for anchors.
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'

/** Full batches that a signer should be able to pay for. */
const fewestBatches = 20n

export type Funds = { balance: bigint; fullBatch: bigint }

/** The funds that were last read, by chain name; for the metrics of this process. */
export const seenFunds = perApp(() => new Map<string, Funds>())

export async function watchFunds(app: App): Promise<void> {
  for (const { name, sender } of app.chains) {
    if (sender === null) continue
    try {
      const funds = await sender.funds()
      seenFunds(app).set(name, funds)
      const { balance, fullBatch } = funds
      if (balance >= fewestBatches * fullBatch) continue
      app.log.error(
        { chain: name, signer: sender.address, balance: balance.toString(), fullBatch: fullBatch.toString() },
        `ALARM: the signer can pay for fewer than ${fewestBatches} more full batches`,
      )
    } catch (error) {
      app.log.warn({ err: error, chain: name }, 'the balance of a signer could not be read')
    }
  }
}
