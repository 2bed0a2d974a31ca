// Calls every operation of the service in one scenario; its requests and responses are the examples of the OpenAPI
// document. An operation that is not called here has no example, which `npm run check` reports.
import { callAgents } from './agents.ts'
import { callPayments } from './payments.ts'
import { callProject } from './project.ts'
import { callReceipts } from './receipts.ts'
import type { Stage } from './stage.ts'

export async function runScenario(stage: Stage): Promise<void> {
  const { call } = stage
  await call('health')
  await call('ping')
  await call('evidenceKeys')
  const project = await callProject(stage)
  const receipt = await callReceipts(stage, project)
  await callPayments(stage, project, receipt)
  await callAgents(stage, project)
  await call('assistantStatus', { key: project.key })
  const question = { role: 'user', content: 'Which receipt was anchored last?' }
  await call('assist', { body: { messages: [question] }, key: project.key })
  await call('buildSdk', { body: { lang: 'ts', packaging: 'package', include_x402: true } })
  await call('deleteAgent', { path: { agent_id: project.agent }, key: project.key })
  await call('revokeApiKey', { path: { id: project.secondKey }, key: project.key })
}
