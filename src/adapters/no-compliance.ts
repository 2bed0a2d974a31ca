// No provider is configured: every payment is allowed, and each check says that nobody looked.
import type { ComplianceProvider } from '../ports/compliance.ts'

export const noCompliance: ComplianceProvider = {
  name: 'none',
  screen: async () => [
    { type: 'travel_rule', decision: 'allow', reason: 'no provider configured' },
    { type: 'sanctions', decision: 'allow', reason: 'no provider configured' },
  ],
}
