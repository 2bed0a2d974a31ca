// Which checks a payment needs by the configuration, and what comes of those that can be answered at once.
import { isAtLeast } from '../../core/decimal.ts'
import type { App } from '../../kit/context.ts'
import {
  type ComplianceAnswer,
  type ComplianceSubject,
  type ComplianceType,
  complianceTypes,
} from '../../ports/compliance.ts'
import { meaningOf } from '../settings/asset-meaning.ts'
import type { Organisation } from '../settings/organisation.ts'

export type Check = ComplianceAnswer & {
  type: ComplianceType
  /** A provider's name; `none`: nobody is configured; `threshold`: the configuration's threshold decided. */
  provider: string
  /** Nothing goes on without its decision, and a denial ends it. */
  isEnforced: boolean
  /** Its provider is yet to be asked, over a network. */
  isAwaited: boolean
}

type Policy = Pick<Organisation, 'compliance' | 'mapping'>
type Asked = Pick<App, 'compliance'>

/** One of each type. */
export const checksOf = (app: Asked, policy: Policy, subject: ComplianceSubject): Promise<Check[]> =>
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

async function checkOf(app: Asked, policy: Policy, type: ComplianceType, subject: ComplianceSubject): Promise<Check> {
  const { name, isEnforced } = chosen[type](policy)
  const unasked = { type, decision: 'unavailable', isEnforced, isAwaited: false } as const
  if (name === null) return { ...unasked, provider: 'none', reason: 'no provider configured' }
  const exempt = type === 'travel_rule' ? belowThreshold(policy, subject) : null
  if (exempt !== null) return { ...unasked, decision: 'allow', provider: 'threshold', reason: exempt }
  const provider = app.compliance.get(name)
  // It was taken away from the settings: what is enforced waits until it is there again.
  if (provider === undefined) return { ...unasked, provider: name, reason: notSetUp(name), isAwaited: isEnforced }
  if (provider.isRemote) return { ...unasked, provider: name, reason: 'not answered yet', isAwaited: true }
  return { ...unasked, provider: name, ...(await provider.ask(type, subject)) }
}

export const notSetUp = (name: string) => `the service is not set up with the provider ${name}`

/** Why the travel rule does not apply. Null: it does, also to what nobody knows the worth of. */
function belowThreshold(policy: Policy, subject: ComplianceSubject): string | null {
  const { travelRuleThreshold: threshold } = policy.compliance
  const currency = meaningOf(subject, policy)?.currency ?? null
  if (threshold === null || currency === null || isAtLeast(subject.amount, threshold)) return null
  return `below the threshold of ${threshold} ${currency}`
}
