// Determines which checks the configuration requires for a payment, and runs those that need no network.
import { isAtLeast } from '../../core/decimal.ts'
import { chainKey } from '../../core/identity.ts'
import type { App } from '../../kit/context.ts'
import {
  type ComplianceAnswer,
  type ComplianceSubject,
  type ComplianceType,
  complianceTypes,
} from '../../ports/compliance.ts'
import { meaningOf } from '../iso20022/asset-meaning.ts'
import { byChain } from '../iso20022/configuration.ts'
import type { Organisation } from '../settings/organisation.ts'

export type Check = ComplianceAnswer & {
  type: ComplianceType
  /** A provider's name; `none`: no provider is configured; `threshold`: the configured threshold decided. */
  provider: string
  /** The receipt or payment does not proceed without the decision, and a denial ends it. */
  isEnforced: boolean
  /** The provider is still to be queried, over a network. */
  isAwaited: boolean
}

type Policy = Pick<Organisation, 'compliance' | 'mapping' | 'ledger'>
type Providers = Pick<App, 'compliance' | 'chainAliases'>

/** Returns one check of each type. */
export const checksOf = (app: Providers, policy: Policy, subject: ComplianceSubject): Promise<Check[]> =>
  Promise.all(complianceTypes.map(type => checkOf(app, policy, type, subject)))

const chosen = {
  travel_rule: ({ compliance: { travelRuleProvider: name, travelRuleEnforce: isEnforced } }: Policy) => ({
    name,
    isEnforced,
  }),
  sanctions: ({ compliance: { sanctionsProvider: name, sanctionsEnforce: isEnforced } }: Policy) => ({
    name,
    isEnforced,
  }),
}

async function checkOf(
  app: Providers,
  policy: Policy,
  type: ComplianceType,
  subject: ComplianceSubject,
): Promise<Check> {
  const { name, isEnforced } = chosen[type](policy)
  const unqueried = { type, decision: 'unavailable', isEnforced, isAwaited: false } as const
  if (name === null) return { ...unqueried, provider: 'none', reason: 'no provider configured' }
  const exempt = type === 'travel_rule' ? belowThreshold(app, policy, subject) : null
  if (exempt !== null) return { ...unqueried, decision: 'allow', provider: 'threshold', reason: exempt }
  const provider = app.compliance.get(name)
  // The provider was removed from the settings: enforced checks wait until the settings define it again.
  if (provider === undefined) return { ...unqueried, provider: name, reason: notSetUp(name), isAwaited: isEnforced }
  if (provider.isRemote) return { ...unqueried, provider: name, reason: 'not answered yet', isAwaited: true }
  return { ...unqueried, provider: name, ...(await provider.ask(type, subject)) }
}

export const notSetUp = (name: string) => `the service is not set up with the provider ${name}`

/** Returns why the travel rule does not apply; null if it does, also for an asset without a configured currency. */
function belowThreshold(
  { chainAliases: aliases }: Providers,
  policy: Policy,
  subject: ComplianceSubject,
): string | null {
  const { travelRuleThreshold: threshold } = policy.compliance
  const asset = { currency: subject.currency, chainKey: chainKey(subject.chain, aliases) }
  const currency = meaningOf(asset, byChain(policy, aliases))?.currency ?? null
  if (threshold === null || currency === null || isAtLeast(subject.amount, threshold)) return null
  return `below the threshold of ${threshold} ${currency}`
}
