// Calls every operation of the service in one scenario; its requests and responses are the examples of the OpenAPI
// document. An operation that is not called here has no example, which `npm run check` reports.
import { setTimeout as sleep } from 'node:timers/promises'
import { tellOfAgents } from './agents.ts'
import type { Gateway } from './gateway.ts'
import { tellOfPayments } from './payments.ts'
import { tellOfProject } from './project.ts'
import { tellOfReceipts } from './receipts.ts'
import type { Tell } from './tell.ts'

/** The environment of the scenario. `rpcUrl`: of the local chain; `gateway`: the one that the service queries. */
export type Stage = { base: string; rpcUrl: string; adminKey: string; gateway: Gateway; tell: Tell }

export async function tellStory(stage: Stage): Promise<void> {
  const { tell } = stage
  await tell('health')
  await tell('ping')
  await tell('evidenceKeys')
  const project = await tellOfProject(stage)
  const receipt = await tellOfReceipts(stage, project)
  await tellOfPayments(stage, project, receipt)
  await tellOfAgents(stage, project)
  await tell('assistantStatus', { key: project.key })
  const question = { role: 'user', content: 'Which receipt was anchored last?' }
  await tell('assist', { body: { messages: [question] }, key: project.key })
  await tell('buildSdk', { body: { lang: 'ts', packaging: 'package', include_x402: true } })
  await tell('deleteAgent', { path: { agent_id: project.agent }, key: project.key })
  await tell('revokeApiKey', { path: { id: project.secondKey }, key: project.key })
}

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
