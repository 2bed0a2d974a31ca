// Imports go one way: core ← ports ← kit ← modules ← transports (graphql, rest, mcp, discovery, worker) ← app ← main.
// Adapters import only core and ports; only app, audit, cli and embedded import adapters. Code that runs before every
// transport (limits, idempotency) imports no module, and no module imports it.
const order = ['core', 'ports', 'kit', 'limits', 'idempotency', 'modules', '(graphql|rest|mcp|discovery|worker)']
const above = index => [...order.slice(index + 1), 'adapters', 'embedded'].join('|')

/** The modules that each module may import, so that modules have no cycle. */
const modules = {
  projects: [],
  keys: ['projects'],
  settings: ['projects', 'iso20022'],
  control: [],
  signin: ['projects', 'keys', 'control'],
  sessions: ['keys', 'signin'],
  audit: ['projects'],
  receipts: ['projects', 'keys', 'settings', 'x402'],
  compliance: ['projects', 'settings', 'iso20022'],
  events: ['receipts', 'payments', 'x402'],
  webhooks: ['projects', 'events', 'receipts'],
  iso20022: ['projects'],
  pages: ['iso20022'],
  artifacts: ['x402', 'receipts', 'settings', 'iso20022', 'pages', 'control'],
  statements: ['x402', 'projects', 'receipts', 'settings', 'iso20022', 'artifacts', 'evidence'],
  evidence: ['projects', 'receipts', 'settings', 'iso20022', 'artifacts', 'control'],
  settlement: ['projects', 'settings', 'compliance', 'receipts', 'iso20022', 'artifacts', 'evidence'],
  transactions: [],
  anchoring: ['transactions', 'projects', 'settings', 'receipts', 'iso20022', 'artifacts', 'evidence'],
  verification: ['x402', 'receipts', 'iso20022', 'artifacts', 'evidence', 'anchoring', 'control', 'settlement'],
  metrics: ['transactions'],
  nodes: [],
  health: [],
  x402: ['transactions', 'projects', 'settings', 'compliance'],
  payments: ['x402', 'receipts', 'compliance'],
  sdk: ['artifacts', 'evidence'],
  exports: ['receipts', 'payments', 'artifacts'],
  'wallet-coverage': ['settings'],
  assistant: ['receipts', 'artifacts', 'compliance', 'statements', 'verification'],
  fx: ['x402', 'settings', 'iso20022', 'artifacts'],
  agents: [
    ...['projects', 'settings', 'receipts', 'artifacts', 'evidence', 'anchoring'],
    ...['statements', 'verification', 'payments', 'assistant', 'nodes'],
  ],
  erasure: ['receipts', 'artifacts', 'statements', 'control'],
  moves: ['control', 'artifacts', 'audit', 'evidence', 'statements', 'verification'],
  stats: ['receipts', 'payments', 'agents', 'projects', 'compliance', 'settlement'],
}

export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true, viaOnly: { pathNot: 'src/generated' } } },
    {
      name: 'no-unresolved',
      severity: 'error',
      // A package of its own.
      from: { pathNot: '^bench/postgraphile/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'src-imports-only-generated-files',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(rest|bench|sdk|demo|test)/', pathNot: '^rest/(generated/|openapi\\.json$|webhooks\\.json$)' },
    },
    ...order.map((layer, index) => ({
      name: `${layer}-looks-down`,
      severity: 'error',
      from: { path: `^src/${layer}/` },
      to: { path: `^src/(${above(index)})/|^src/(app|main|env)\\.ts$|^src/http/` },
    })),
    {
      name: 'modules-do-not-import-middleware',
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
      from: { path: '^src/', pathNot: '^src/(app\\.ts$|cli/|adapters/|embedded/)' },
      to: { path: '^src/adapters/' },
    },
    { name: 'client-stands-alone', severity: 'error', from: { path: '^sdk/typescript/src/paid-fetch\\.ts$' }, to: {} },
    { name: 'sql-stands-alone', severity: 'error', from: { path: '^src/kit/sql/' }, to: { path: '^src/(?!kit/sql/)' } },
    {
      name: 'sql-has-one-entry',
      severity: 'error',
      from: { path: '^src/(?!kit/sql/)' },
      to: { path: '^src/kit/sql/(?!index\\.ts$)' },
    },
    {
      name: 'schemas-and-tasks-are-private',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/[^/]+/(schema|tasks)\\.ts$', pathNot: '^src/modules/$1/' },
    },
    {
      name: 'paid-fields-declare-payment',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/modules/x402/' },
      to: { path: '^src/modules/x402/(pay|quote|challenge|purchase|resume|meant|verify|claim|settle|deliver)\\.ts$' },
    },
    ...Object.entries(modules).map(([name, known]) => ({
      name: `${name}-allowed-imports`,
      severity: 'error',
      from: { path: `^src/modules/${name}/` },
      to: { path: `^src/modules/(?!(${[name, ...known].join('|')})/)` },
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
