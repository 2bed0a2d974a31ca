import type { Mutant } from './mutant.ts'

const activity = 'src/modules/agents/activity.ts'
const anchoring = 'src/modules/agents/anchoring.ts'
const commands = 'src/modules/agents/commands.ts'
const limits = 'src/modules/payments/agent-limits.ts'
const manage = 'src/modules/agents/manage.ts'
const recording = 'src/modules/agents/record-payments.ts'
const tests = ['rest/agents']

export const agents: Mutant[] = [
  {
    file: limits,
    text: 'order by id for no key update`',
    instead: 'order by id`',
    tests,
    harm: 'payments at once pass a limit together',
  },
  {
    file: limits,
    text: "(status <> 'active' or $3::numeric",
    instead: '($3::numeric',
    tests,
    harm: 'an agent that is paused goes on paying',
  },
  {
    file: limits,
    text: 'or day > max_per_day)',
    instead: 'or day - $3::numeric > max_per_day)',
    tests,
    harm: 'an agent spends a call more than a day’s limit',
  },
  {
    file: activity,
    text: '    projectId: agent.projectId,\n',
    instead: '',
    tests,
    harm: 'a project that writes a stranger’s wallet into an agent sees what it paid elsewhere',
  },
  {
    file: activity,
    text: 'where t.project_id = $3::uuid and t.sender = $4',
    instead: 'where t.project_id = $3::uuid',
    tests: ['e2e/tenant'],
    harm: 'anchors that another wallet sent are an agent’s',
  },
  {
    file: manage,
    text: "    await sql('select id from projects where id = $1::uuid for no key update', [projectId])\n",
    instead: '',
    tests,
    harm: 'agents that are created at once pass the limit of a project',
  },
  {
    file: manage,
    text: '  deletedAt: null,\n  ...(principal',
    instead: '  ...(principal',
    tests,
    harm: 'an agent that was deleted is still shown',
  },
  {
    file: anchoring,
    text: 'if (earlier !== null) return earlier',
    instead: 'if (earlier !== null && receiptId) return earlier',
    tests,
    harm: 'an agent that asks twice gets an error instead of its anchor',
  },
  {
    file: anchoring,
    text: 'where: { id: receiptId, projectId },',
    instead: 'where: { id: receiptId },',
    tests,
    harm: 'an agent learns of the anchor of another project’s receipt',
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
    harm: 'a payment that cannot be recorded is tried every minute for good',
  },
  {
    file: recording,
    text: "case when a.auto_anchor_enabled then '-infinity' else a.anchor_payments_since end",
    instead: "'-infinity'",
    tests,
    harm: 'payments from before it was switched on are recorded',
  },
  {
    file: recording,
    text: ' and project_id = a.project_id',
    instead: '',
    tests,
    harm: 'a project records payments of another by writing its wallet into an agent',
  },
  {
    file: 'src/modules/verification/ports-of.ts',
    text: ' and a.receipt_id is not null',
    instead: '',
    tests,
    harm: 'any hash that an agent had anchored is vouched for as evidence of ours',
  },
]
