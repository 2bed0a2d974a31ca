// No provider is configured: nobody looked, and each check says so. The payment is written up all the same.
import type { ComplianceProvider } from '../ports/compliance.ts'

export const noCompliance: ComplianceProvider = {
  name: 'none',
  screen: async () => [
    { type: 'travel_rule', decision: 'unavailable', reason: 'no provider configured' },
    { type: 'sanctions', decision: 'unavailable', reason: 'no provider configured' },
  ],
}
