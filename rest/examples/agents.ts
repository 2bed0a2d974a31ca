// The agent's operations: its payments and anchors, its commands and its configuration.
import type { Project } from './project.ts'
import { ask, type Stage, until } from './stage.ts'
import { walletOf } from './wallets.ts'

export async function tellOfAgents({ base, tell }: Stage, { key, agent }: Project): Promise<void> {
  const path = { agent_id: agent }
  await tell('agents', { key })
  await tell('agent', { path, key })
  await tell('updateAgent', { path, body: { name: 'Rate watcher 2', pricing_rules: { max_per_call: '0.01' } }, key })
  await tell('agentStats', { path, query: { days: 7 }, key })
  await tell('testAgent', { path, body: { command: 'help' }, key })
  await tell('configureAgentAi', {
    path,
    body: { ai_mode: 'shared', ai_system_prompt: 'Users write in English or Irish.' },
    key,
  })
  await tell('testAgentAi', { path, body: { test_message: 'Which receipts are there?' }, key })
  await tell('configureAgentAnchoring', {
    path,
    body: { anchor_on_payment: false, anchor_wallet_address: walletOf('buyer') },
    key,
  })
  await tell('agentAnchoring', { path, key })
  await tell('anchorForAgent', { path, body: { bundle_hash: `0x${'d1'.repeat(32)}` }, key })
  await until(async () => (await ask(base, `/v1/agents/${agent}/anchors`, key))[0]?.status === 'confirmed')
  await tell('agentAnchors', { path, query: { status: 'confirmed' }, key })
  await tell('agentActivity', { path, query: { days: 7 }, key })
  await tell('agentTemplate', { path, key })
  await tell('unlinkWallet', { path: { address: walletOf('buyer') }, key })
}
