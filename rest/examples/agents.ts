// The agent's operations: its payments and anchors, its commands and its configuration.
import type { Project } from './project.ts'
import { ask, type Stage, until } from './stage.ts'
import { walletOf } from './wallets.ts'

export async function callAgents({ base, call }: Stage, { key, agent }: Project): Promise<void> {
  const path = { agent_id: agent }
  await call('agents', { key })
  await call('agent', { path, key })
  await call('updateAgent', { path, body: { name: 'Rate watcher 2', pricing_rules: { max_per_call: '0.01' } }, key })
  await call('agentStats', { path, query: { days: 7 }, key })
  await call('testAgent', { path, body: { command: 'help' }, key })
  await call('configureAgentAi', {
    path,
    body: { ai_mode: 'shared', ai_system_prompt: 'Users write in English or Irish.' },
    key,
  })
  await call('testAgentAi', { path, body: { test_message: 'Which receipts are there?' }, key })
  await call('configureAgentAnchoring', {
    path,
    body: { anchor_on_payment: false, anchor_wallet_address: walletOf('buyer') },
    key,
  })
  await call('agentAnchoring', { path, key })
  await call('anchorForAgent', { path, body: { bundle_hash: `0x${'d1'.repeat(32)}` }, key })
  await until(async () => (await ask(base, `/v1/agents/${agent}/anchors`, key))[0]?.status === 'confirmed')
  await call('agentAnchors', { path, query: { status: 'confirmed' }, key })
  await call('agentActivity', { path, query: { days: 7 }, key })
  await call('agentTemplate', { path, key })
  await call('unlinkWallet', { path: { address: walletOf('buyer') }, key })
}
