import type { Mutant } from './mutant.ts'

const tests = ['e2e/compliance']

export const compliance: Mutant[] = [
  {
    file: 'src/modules/compliance/store.ts',
    text: `and decision = 'deny' and enforced order by`,
    instead: `and decision = 'deny' and not enforced order by`,
    tests,
    harm: 'a payment that an enforced check denies gets its evidence',
  },
  {
    file: 'src/modules/compliance/store.ts',
    text: 'and not exists (select from compliance_checks where receipt_id = r.id and retry_at is not null)',
    instead: '',
    tests,
    harm: 'a receipt continues before its provider has answered',
  },
  {
    file: 'src/modules/compliance/ask.ts',
    text: 'or not enforced and attempts',
    instead: 'or attempts',
    tests,
    harm: 'an enforced check is skipped while its provider is down, and the receipt continues',
  },
  {
    file: 'src/modules/compliance/ask.ts',
    text: 'order by turn, retry_at limit',
    instead: 'order by retry_at limit',
    tests,
    harm: 'a tenant with many receipts makes all others wait for the provider',
  },
  {
    file: 'src/modules/compliance/policy.ts',
    text: `isAwaited: isEnforced }`,
    instead: 'isAwaited: false }',
    tests,
    harm: 'removing a provider from the settings lets every receipt pass',
  },
  {
    file: 'src/modules/compliance/policy.ts',
    text: 'currency === null || isAtLeast',
    instead: 'isAtLeast',
    tests,
    harm: 'large payments of assets without a known value escape the travel rule',
  },
  {
    file: 'src/modules/compliance/screen-payment.ts',
    text: `if (enforced.some(({ decision }) => decision === 'unavailable'))`,
    instead: 'if (false)',
    tests,
    harm: 'a payment is charged that could not be checked',
  },
  {
    file: 'src/modules/compliance/schema.ts',
    text: '    authScopes: receipt => ({ project: receipt.projectId }),\n    select: { checks: inOrder },\n    extensions: { listSize',
    instead: '    select: { checks: inOrder },\n    extensions: { listSize',
    tests: ['http/access'],
    harm: 'a tenant sees the compliance report of another',
  },
  {
    file: 'src/modules/settings/configure.ts',
    text: 'name === null || compliance.has(name)',
    instead: 'name !== undefined',
    tests,
    harm: 'a provider that does not exist is configured, and receipts wait for it',
  },
]
