// Configurations, their history, and the fiat equivalents of receipts.
import type { Mutant } from './mutant.ts'

const valuation = 'src/modules/fx/valuation.ts'
const tasks = 'src/modules/fx/tasks.ts'
const history = 'src/modules/projects/history.ts'

export const settings: Mutant[] = [
  {
    file: history,
    text: `where: 'c.project_id = $1::uuid'`,
    instead: `where: '$1::uuid is not null'`,
    tests: ['http/history'],
    harm: 'a tenant reads the configuration of another',
  },
  {
    file: history,
    text: `{ $all: { access: 'manage', project: project.id } }`,
    instead: '{ project: project.id }',
    tests: ['http/history', 'http/access'],
    harm: 'a read-only key reads the URLs of nodes',
  },
  {
    file: history,
    text: 'chain.rpcUrl === null ? null : withoutPath(chain.rpcUrl)',
    instead: 'chain.rpcUrl',
    tests: ['http/history'],
    harm: 'the secret in a node’s URL stays readable after it was removed',
  },
  {
    file: 'src/modules/settings/history.ts',
    text: `access: 'admin'`,
    instead: `access: 'read'`,
    tests: ['http/access'],
    harm: 'any tenant reads the history of the organisation',
  },
  {
    file: tasks,
    text: `     where known.state = 'waiting'\n`,
    instead: '',
    tests: ['http/fiat-equivalent'],
    harm: 'a fiat equivalent changes after the receipt was sealed',
  },
  {
    file: tasks,
    text: `known.asked + 1 >= \${mostQueries}`,
    instead: 'false',
    tests: ['http/fiat-equivalent'],
    harm: 'a rate provider that never returns keeps receipts from being anchored',
  },
  {
    file: 'src/modules/evidence/tasks.ts',
    text: '!lacksEquivalent && !lacksSettlement)',
    instead: '!lacksSettlement)',
    tests: ['http/fiat-equivalent'],
    harm: 'receipts are sealed without their fiat equivalent',
  },
  {
    file: valuation,
    text: `  if (isCurrencyCode(label)) return 'ambiguous'\n`,
    instead: '',
    tests: ['http/fiat-equivalent'],
    harm: 'a token is valued as the currency whose code is its label',
  },
  {
    file: valuation,
    text: 'labels.size >= newLabelsInAnHour && !labels.has(label)',
    instead: 'labels.size < 0',
    tests: ['http/fiat-equivalent'],
    harm: 'a tenant exhausts the rate provider’s quota or budget',
  },
  {
    file: 'src/modules/iso20022/messages/original.ts',
    text: '      fiatEquivalent: null,\n',
    instead: '',
    tests: ['unit/messages'],
    harm: 'a payment gets the fiat equivalent of its refund',
  },
]
