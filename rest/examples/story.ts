// Calls every operation of the service in one scenario; its requests and responses are the examples of the OpenAPI
// document. An operation that is not called here has no example, which `npm run check` reports.
import { tellOfAgents } from './agents.ts'
import { tellOfPayments } from './payments.ts'
import { tellOfProject } from './project.ts'
import { tellOfReceipts } from './receipts.ts'
import type { Stage } from './stage.ts'

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
