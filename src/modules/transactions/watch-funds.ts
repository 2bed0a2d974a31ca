// Alerts the operator before an account that sends transactions runs out of gas money.
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import type { Account, Funds } from '../../ports/chain.ts'

/** Transactions that each account should be able to pay for. */
export const fewest = { batches: 20n, settlements: 200n }

type Purpose = keyof typeof fewest
type Watched = { purpose: Purpose; chain: string; account: Account }

/** `at`: in milliseconds of `performance.now`. */
type Seen = Funds & { at: number }

/** The funds that were last read, by chain; for the metrics of this process. */
export const seenFunds = perApp(() => ({ batches: new Map<string, Seen>(), settlements: new Map<string, Seen>() }))

export async function watchFunds(app: App): Promise<void> {
  const { chains, facilitator } = app
  const anchorAccounts = chains.flatMap(({ name, account }) => (account === null ? [] : [{ chain: name, account }]))
  await Promise.all([
    ...anchorAccounts.map(one => watch(app, { purpose: 'batches', ...one })),
    facilitator && watch(app, { purpose: 'settlements', chain: facilitator.network, account: facilitator }),
  ])
}

const shortage: Record<Purpose, string> = {
  batches: `the signer can pay for fewer than ${fewest.batches} more full batches`,
  settlements: `the settling account can pay for fewer than ${fewest.settlements} more settlements`,
}

async function watch(app: App, { purpose, chain, account }: Watched): Promise<void> {
  const about = { chain, signer: account.address }
  try {
    const funds = await account.funds()
    seenFunds(app)[purpose].set(chain, { ...funds, at: performance.now() })
    const { balance, cost } = funds
    if (balance >= fewest[purpose] * cost) return
    app.log.error({ ...about, balance: `${balance}`, cost: `${cost}` }, `ALARM: ${shortage[purpose]}`)
  } catch (error) {
    app.log.warn({ err: error, ...about }, 'the funds of an account could not be read')
  }
}
