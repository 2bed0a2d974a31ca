// Configurations, their history, and what receipts were worth under them.
import type { Mutant } from './mutant.ts'

const valuation = 'src/modules/fx/valuation.ts'
const tasks = 'src/modules/fx/tasks.ts'
const history = 'src/modules/projects/history.ts'

export const settings: Mutant[] = [
  {
    file: history,
    text: `where: 'c.project_id = $1::uuid'`,
    instead: `where: '$1::uuid is not null'`,
    tests: ['rest/history'],
    harm: 'one tenant reads how another is set up',
  },
  {
    file: history,
    text: `{ $all: { access: 'manage', project: project.id } }`,
    instead: '{ project: project.id }',
    tests: ['rest/history', 'rest/access'],
    harm: 'a key that may only look reads the addresses of nodes',
  },
  {
    file: history,
    text: 'chain.rpcUrl === null ? null : withoutPath(chain.rpcUrl)',
    instead: 'chain.rpcUrl',
    tests: ['rest/history'],
    harm: 'the secret in an address of a node stays readable after it was taken out',
  },
  {
    file: 'src/modules/settings/history.ts',
    text: `authScopes: { access: 'admin' }`,
    instead: `authScopes: { access: 'read' }`,
    tests: ['rest/access'],
    harm: 'any tenant reads the history of the organisation',
  },
  {
    file: tasks,
    text: `     where known.state = 'waiting'\n`,
    instead: '',
    tests: ['rest/fiat-equivalent'],
    harm: 'what a receipt was worth changes after it was sealed',
  },
  {
    file: tasks,
    text: `interval '\${patience}'`,
    instead: `interval '100 years'`,
    tests: ['rest/fiat-equivalent'],
    harm: 'a provider of rates that is gone for good keeps evidence from being anchored',
  },
  {
    file: 'src/modules/evidence/tasks.ts',
    text: 'open.filter(({ lacksEquivalent }) => !lacksEquivalent)',
    instead: 'open',
    tests: ['rest/fiat-equivalent'],
    harm: 'receipts are sealed without what they were worth',
  },
  {
    file: valuation,
    text: `  if (isCurrencyCode(label)) return 'ambiguous'\n`,
    instead: '',
    tests: ['rest/fiat-equivalent'],
    harm: 'a token is valued as the currency whose code it bears',
  },
  {
    file: valuation,
    text: 'labels.size >= newLabelsInAnHour && !labels.has(label)',
    instead: 'labels.size < 0',
    tests: ['rest/fiat-equivalent'],
    harm: 'a tenant uses up what a provider of rates allows or charges for',
  },
  {
    file: 'src/modules/artifacts/messages/original.ts',
    text: ', fiatEquivalent: null }',
    instead: ' }',
    tests: ['unit/messages'],
    harm: 'a payment is told to have been worth what its refund was',
  },
]
