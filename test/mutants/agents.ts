import type { Mutant } from './mutant.ts'

const activity = 'src/modules/agents/activity.ts'
const anchoring = 'src/modules/agents/anchoring.ts'
const commands = 'src/modules/agents/commands.ts'
const limits = 'src/modules/x402/agent-limits.ts'
const manage = 'src/modules/agents/manage.ts'
const recording = 'src/modules/agents/record-payments.ts'
const tests = ['http/agents']

export const agents: Mutant[] = [
  {
    file: limits,
    text: "(status <> 'active' or $3::numeric",
    instead: '($3::numeric',
    tests,
    harm: 'a paused agent goes on paying',
  },
  {
    file: limits,
    text: 'or day > max_per_day)',
    instead: 'or day - $3::numeric > max_per_day)',
    tests,
    harm: 'an agent exceeds its daily limit by one call',
  },
  {
    file: activity,
    text: '    projectId: agent.projectId,\n',
    instead: '',
    tests,
    harm: 'a project that stores a third party’s wallet in an agent sees what that wallet paid elsewhere',
  },
  {
    file: activity,
    text: 'where t.project_id = $3::uuid and t.sender = $4',
    instead: 'where t.project_id = $3::uuid',
    tests: ['e2e/tenant'],
    harm: 'an agent is credited with anchors of another wallet',
  },
  {
    file: manage,
    text: "    await sql('select id from projects where id = $1::uuid for no key update', [projectId])\n",
    instead: '',
    tests,
    harm: 'concurrent creations exceed the number of agents per project',
  },
  {
    file: manage,
    text: '  deletedAt: null,\n  ...ownedBy(principal)',
    instead: '  ...ownedBy(principal)',
    tests,
    harm: 'a deleted agent is still shown',
  },
  {
    file: anchoring,
    text: 'if (earlier !== null) return {',
    instead: 'if (earlier !== null && receiptId) return {',
    tests,
    harm: 'an agent that requests an anchor twice gets an error instead of its anchor',
  },
  {
    file: anchoring,
    text: 'where: { id: receiptId, projectId },',
    instead: 'where: { id: receiptId },',
    tests,
    harm: 'an agent can read the anchor of another project’s receipt',
  },
  {
    file: anchoring,
    text: "  if (isTenant) throw new AppError('conflict', 'In tenant mode the project sends its anchors itself.')\n",
    instead: '',
    tests: ['e2e/tenant'],
    harm: 'the service pays for anchors of a project in tenant mode',
  },
  {
    file: commands,
    text: 'context.db.receipt.findFirst({ where: { id, projectId } })',
    instead: 'context.db.receipt.findFirst({ where: { id } })',
    tests,
    harm: 'a command reaches receipts of another project',
  },
  {
    file: recording,
    text: ' and record_failure is null',
    instead: '',
    tests,
    harm: 'a payment that cannot be recorded is retried every minute indefinitely',
  },
  {
    file: recording,
    text: "case when a.auto_anchor_enabled then '-infinity' else a.anchor_payments_since end",
    instead: "'-infinity'",
    tests,
    harm: 'payments from before recording was enabled are recorded',
  },
  {
    file: recording,
    text: ' and project_id = a.project_id',
    instead: '',
    tests,
    harm: 'a project records payments of another project by storing its wallet in an agent',
  },
  {
    file: 'src/modules/verification/ports-of.ts',
    text: ' and num_nonnulls(a.receipt_id, a.statement_id, a.settlement_id) = 1',
    instead: '',
    tests,
    harm: 'any hash that an agent had anchored is confirmed as our evidence',
  },
]
