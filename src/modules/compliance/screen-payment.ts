// Screens a payment to this service before it is charged. An enforced check queries its provider within the request.
// Any other check that needs a network runs afterwards, so that no payer waits for it.
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { createSemaphore } from '../../kit/semaphore.ts'
import { semaphoreLimits } from '../../kit/semaphore-limits.ts'
import { inTransaction, sqlOf } from '../../kit/transaction.ts'
import type { ComplianceSubject } from '../../ports/compliance.ts'
import { presentOrganisation } from '../settings/read.ts'
import { type Check, checksOf, notSetUp } from './policy.ts'

const semaphore = perApp(() => createSemaphore(semaphoreLimits.screening))
// Charged to the caller's rate limit, because providers often bill each query and a denied payment is not charged.
const questionCost = 50

/**
 * Returns the checks to store with the payment; none while no provider is configured. Throws `compliance_denied` and
 * `compliance_unavailable` for enforced checks, and `too_many_requests` when too many queries wait.
 */
export async function screenPayment(
  context: Context,
  subject: ComplianceSubject,
  { projectId, endpoint }: { projectId: string | null; endpoint: string },
): Promise<Check[]> {
  const organisation = await presentOrganisation(context, sqlOf(context.pool))
  const { travelRuleProvider, sanctionsProvider } = organisation.compliance
  if (travelRuleProvider === null && sanctionsProvider === null) return []
  const checks = await Promise.all(
    (await checksOf(context, organisation, subject)).map(check =>
      check.isAwaited && check.isEnforced ? askNow(context, check, subject) : check,
    ),
  )
  const enforced = checks.filter(({ isEnforced }) => isEnforced)
  const denial = enforced.find(({ decision }) => decision === 'deny')
  if (denial !== undefined) {
    const { type, provider, reason } = denial
    const wallet = subject.sender.wallet
    await inTransaction(context, async tx =>
      tx.audit({
        action: 'payment.deny',
        objectType: 'payment',
        objectId: subject.id,
        projectId,
        actor: `payer:${wallet}`,
        details: { endpoint, type, provider, reason },
      }),
    )
    // The error has no reason, because a payer must not learn what a provider knows about them.
    throw new AppError('compliance_denied')
  }
  if (enforced.some(({ decision }) => decision === 'unavailable')) throw new AppError('compliance_unavailable')
  return checks
}

async function askNow(context: Context, check: Check, subject: ComplianceSubject): Promise<Check> {
  const { compliance, allowance } = context
  const provider = compliance.get(check.provider)
  if (provider === undefined) return { ...check, reason: notSetUp(check.provider), isAwaited: false }
  allowance.spend(questionCost)
  const answer = await semaphore(context).run(allowance, () => provider.ask(check.type, subject))
  return { ...check, ...answer, isAwaited: false }
}
