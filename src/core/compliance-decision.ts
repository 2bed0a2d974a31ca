// The decisions of compliance checks, for filters and types.
import { z } from 'zod'

export const complianceDecision = z.enum(['allow', 'flag', 'deny', 'unavailable']).meta({
  graphql: 'ComplianceDecision',
  description: 'Decision of a check.',
  values: {
    allow: 'Nothing was found.',
    flag: 'Something was found that a person should look at.',
    deny: 'The payment is denied.',
    unavailable: 'No provider is configured, or the provider gave no answer.',
  },
})
