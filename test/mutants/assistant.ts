import type { Mutant } from './mutant.ts'

const aiConfig = 'src/modules/agents/ai-config.ts'
const budget = 'src/modules/assistant/budget.ts'
const model = 'src/adapters/ai-sdk-model.ts'
const toolbox = 'src/modules/assistant/toolbox.ts'
const tools = 'src/modules/assistant/tools.ts'
const transcript = 'src/modules/assistant/transcript.ts'
const tests = ['http/assistant']

export const assistant: Mutant[] = [
  {
    file: toolbox,
    text: '  return { projectId: ownProject(principal), ...',
    instead: '  return { ...',
    tests,
    harm: 'the model of one tenant reads receipts of all tenants',
  },
  {
    file: tools,
    text: 'where: { AND: [where, { id: id.toLowerCase() }] }',
    instead: 'where: { id: id.toLowerCase() }',
    tests,
    harm: 'the model reads a receipt of another tenant by its id',
  },
  {
    file: tools,
    text: 'receiptQuery({ filter }, context).where, where] }',
    instead: 'receiptQuery({ filter }, context).where] }',
    tests,
    harm: 'a search finds receipts outside the request’s scope, and for an administrator those of all tenants',
  },
  {
    file: toolbox,
    text: "if (principal.kind === 'admin') return { id: { in: allowedReceiptIds ?? [] } }",
    instead: "if (principal.kind === 'admin') return { ...(allowedReceiptIds && { id: { in: allowedReceiptIds } }) }",
    tests,
    harm: 'a sentence in one tenant’s receipt makes an administrator’s model read all tenants',
  },
  {
    file: tools,
    text: 'where: { projectId: ownProject(context.principal) }',
    instead: 'where: {}',
    tests,
    harm: 'the model of one tenant lists statements of all tenants',
  },
  {
    file: toolbox,
    text: "principal.kind !== 'admin' && scope.allowedReceiptIds == null",
    instead: "principal.kind !== 'admin'",
    tests,
    harm: 'statements reveal receipts outside the request’s scope',
  },
  {
    file: toolbox,
    text: 'if (scope.allowReadReceipts === false) return {}\n',
    instead: '',
    tests,
    harm: 'the model reads receipts although the user disallowed it',
  },
  {
    file: transcript,
    text: '  principal: actorOf(principal),\n  projectId: principal.kind',
    instead: '  projectId: principal.kind',
    tests,
    harm: 'colleagues read each other’s conversations',
  },
  {
    file: budget,
    text: 'where kept.spent < $2::numeric',
    instead: 'where kept.spent < $2::numeric + 1',
    tests,
    harm: 'a project spends more than its budget',
  },
  {
    file: model,
    text: 'if (isOpen) await after(isRefused ?',
    instead: 'if (isOpen) await after(isRefused || true ?',
    tests,
    harm: 'a caller who disconnects before the end of each answer is never charged',
  },
  {
    file: aiConfig,
    text: "next.aiMode !== 'custom' || isElsewhere",
    instead: "next.aiMode !== 'custom'",
    tests: ['http/agent-ai'],
    harm: 'a key with write access sends an agent’s stored API key to a URL of its own',
  },
  {
    file: aiConfig,
    text: '(agentId: string) => `agent-ai-key:',
    instead: '(_agentId: string) => `agent-ai-key`; const _old = (agentId: string) => `',
    tests: ['http/agent-ai'],
    harm: 'an encrypted key that is copied to another agent can be decrypted there',
  },
]
