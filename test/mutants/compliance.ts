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
    harm: 'a receipt goes on before its provider has answered',
  },
  {
    file: 'src/modules/compliance/ask.ts',
    text: 'or not enforced and attempts',
    instead: 'or attempts',
    tests,
    harm: 'an enforced check is given up when its provider is away, and the receipt goes on',
  },
  {
    file: 'src/modules/compliance/ask.ts',
    text: 'order by turn, retry_at limit',
    instead: 'order by retry_at limit',
    tests,
    harm: 'a tenant that records much makes all others wait for the provider',
  },
  {
    file: 'src/modules/compliance/policy.ts',
    text: `isAwaited: isEnforced }`,
    instead: 'isAwaited: false }',
    tests,
    harm: 'taking a provider from the settings lets everything through',
  },
  {
    file: 'src/modules/compliance/policy.ts',
    text: 'currency === null || isAtLeast',
    instead: 'isAtLeast',
    tests,
    harm: 'large payments of assets that nobody knows the worth of escape the travel rule',
  },
  {
    file: 'src/modules/compliance/screen-payment.ts',
    text: `if (enforced.some(({ decision }) => decision === 'unavailable'))`,
    instead: 'if (false)',
    tests,
    harm: 'a payment is charged that nobody could check',
  },
  {
    file: 'src/modules/compliance/schema.ts',
    text: 'where: { id: receiptId, ...own }',
    instead: 'where: { id: receiptId }',
    tests,
    harm: 'a tenant sees what was found about the payments of another',
  },
  {
    file: 'src/modules/settings/configure.ts',
    text: 'name === null || compliance.has(name)',
    instead: 'name !== undefined',
    tests,
    harm: 'a provider that does not exist is configured, and receipts wait for it',
  },
]
