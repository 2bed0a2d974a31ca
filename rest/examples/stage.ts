// The service in which the scenario runs, and how its parts wait for the service.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Gateway } from './gateway.ts'
import type { Call } from './record.ts'

/** The environment of the scenario. `rpcUrl`: of the local chain; `gateway`: the one that the service queries. */
export type Stage = { base: string; rpcUrl: string; adminKey: string; gateway: Gateway; call: Call }

/** Polls until `ask` returns true, which takes seconds; throws after a minute. */
export async function until(ask: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await ask())) {
    if (Date.now() > end) throw new Error(`not true within a minute: ${ask}`)
    await sleep(100)
  }
}

export async function ask(base: string, path: string, key?: string) {
  const response = await fetch(base + path, { headers: { ...(key && { 'X-API-Key': key }) } })
  return response.json()
}

export const isAnchored = (base: string, id: string) => async () =>
  (await ask(base, `/v1/iso/receipts/${id}`)).status === 'anchored'
