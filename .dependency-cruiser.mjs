// Imports go one way: core ← ports ← kit ← modules ← transports (graphql, rest, mcp, discovery, worker) ← app ← main.
// Adapters import only core and ports; only app, audit, cli and embedded import adapters. Code that runs before every
// transport (limits, idempotency) imports no module, and no module imports it.
const order = ['core', 'ports', 'kit', 'limits', 'idempotency', 'modules', '(graphql|rest|mcp|discovery|worker)']
const above = index => [...order.slice(index + 1), 'adapters', 'embedded'].join('|')

/** The modules that each module may import, so that modules have no cycle. */
const nouns = {
  projects: [],
  keys: ['projects'],
  settings: ['projects'],
  signin: ['projects', 'keys'],
  audit: ['projects'],
  receipts: ['projects', 'keys', 'settings', 'payments'],
  compliance: ['projects', 'settings'],
  events: ['receipts', 'payment-records'],
  webhooks: ['projects', 'events'],
  artifacts: ['payments', 'receipts', 'settings'],
  statements: ['payments', 'receipts', 'settings', 'artifacts'],
  evidence: ['projects', 'receipts', 'settings', 'artifacts'],
  anchoring: ['projects', 'settings', 'receipts', 'artifacts', 'evidence'],
  verification: ['payments', 'receipts', 'artifacts', 'evidence', 'anchoring'],
  metrics: ['anchoring', 'payments'],
  health: [],
  payments: ['projects', 'settings', 'compliance'],
  'payment-records': ['payments', 'receipts', 'compliance'],
  sdk: ['artifacts', 'evidence'],
  assistant: ['receipts', 'artifacts', 'compliance', 'statements', 'verification'],
  fx: ['payments', 'settings', 'artifacts'],
  agents: [
    ...['projects', 'settings', 'receipts', 'artifacts', 'evidence', 'anchoring'],
    ...['statements', 'verification', 'payment-records', 'assistant'],
  ],
}

export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true, viaOnly: { pathNot: 'src/generated' } } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...order.map((layer, index) => ({
      name: `${layer}-looks-down`,
      severity: 'error',
      from: { path: `^src/${layer}/` },
      to: { path: `^src/(${above(index)})/|^src/(app|http|main|env)\\.ts$|^src/http/` },
    })),
    {
      name: 'modules-know-no-door-parts',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: { path: '^src/(limits|idempotency)/' },
    },
    {
      name: 'adapters-are-thin',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: { path: '^src/(?!adapters/|core/|ports/)' },
    },
    {
      name: 'only-app-knows-adapters',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(app\\.ts$|audit\\.ts$|cli/|adapters/|embedded/)' },
      to: { path: '^src/adapters/' },
    },
    { name: 'client-stands-alone', severity: 'error', from: { path: '^src/client/' }, to: {} },
    {
      name: 'schemas-and-tasks-are-private',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/[^/]+/(schema|tasks)\\.ts$', pathNot: '^src/modules/$1/' },
    },
    {
      name: 'what-is-paid-for-says-so',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/modules/payments/' },
      to: { path: '^src/modules/payments/pay\\.ts$' },
    },
    ...Object.entries(nouns).map(([noun, known]) => ({
      name: `${noun}-knows-its-place`,
      severity: 'error',
      from: { path: `^src/modules/${noun}/` },
      to: { path: `^src/modules/(?!(${[noun, ...known].join('|')})/)` },
    })),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules|src/generated' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
