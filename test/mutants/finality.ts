import type { Mutant } from './mutant.ts'

const recheck = 'src/modules/x402/recheck.ts'
const seen = 'src/modules/x402/seen.ts'
const tests = ['e2e/payment-reorganisations']

export const finality: Mutant[] = [
  {
    file: recheck,
    text: `if (!isDeep(payment.settledBlock ?? 0)) return isOpen(app, payment)`,
    instead: '',
    tests,
    harm: 'a fork of one block takes a payment back',
  },
  {
    file: recheck,
    text: `await noteSeen(app, payment, found, isDeep(found.blockNumber))`,
    instead: `await noteSeen(app, payment, found, true)`,
    tests,
    harm: 'a receipt names a transaction whose block may be lost',
  },
  {
    file: recheck,
    text: `(await facilitator.minedNonce()) <= signerNonce`,
    instead: 'true',
    tests,
    harm: 'a payment whose nonce was used is never settled again',
  },
  {
    file: seen,
    text: `status in ('settled', 'delivered') and \${where}`,
    instead: `status in ('settled', 'delivered') and \${where} and txid = $2`,
    tests,
    harm: 'the table names a transaction that left the chain',
  },
  {
    file: seen,
    text: `failure_reason = null, reversed_at = null\`, where, last })`,
    instead: `failure_reason = null\`, where, last: 'reinstate' })`,
    tests,
    harm: 'a delivered payment that is settled again is reported as not delivered',
  },
  {
    file: 'src/modules/payments/record.ts',
    text: `if (!isFinal) throw new AppError('payment_not_final')`,
    instead: '',
    tests,
    harm: 'evidence names a transaction that vanished',
  },
  {
    file: 'src/modules/x402/agent-limits.ts',
    text: `status not in ('failed', 'reversed')`,
    instead: `status <> 'failed'`,
    tests,
    harm: 'money that came back counts as spent',
  },
]
