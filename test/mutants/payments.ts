import type { Mutant } from './mutant.ts'

const local = 'src/adapters/x402-local.ts'
const settlement = 'src/adapters/x402-settlement.ts'
const claim = 'src/modules/x402/claim.ts'
const deliver = 'src/modules/x402/deliver.ts'
const ledger = 'src/modules/x402/ledger.ts'
const lane = 'src/modules/x402/nonce-queue.ts'
const settle = 'src/modules/x402/settle.ts'
const resume = 'src/modules/x402/resume.ts'
const tasks = 'src/modules/x402/tasks.ts'
const record = 'src/modules/payments/record.ts'
const named = 'src/modules/x402/named.ts'

export const payments: Mutant[] = [
  {
    file: local,
    text: 'authorization.value !== amount',
    instead: 'BigInt(authorization.value) < BigInt(amount)',
    tests: ['chain/x402-facilitator'],
    harm: 'a payer is charged more than the price',
  },
  {
    file: local,
    text: 'invalid_exact_evm_recipient_mismatch: authorization.to !== canonical.payTo,',
    instead: 'invalid_exact_evm_recipient_mismatch: false,',
    tests: ['chain/x402-facilitator'],
    harm: 'a payment to another payee is refused for another reason, or not at all',
  },
  {
    file: local,
    text: 'after >= seconds,',
    instead: 'after > seconds,',
    tests: ['chain/x402-facilitator'],
    harm: 'an authorization that is not valid yet is sent, at our cost',
  },
  {
    file: local,
    text: 'before < seconds + BigInt(leastSecondsLeft)',
    instead: 'before < seconds + BigInt(leastSecondsLeft) - 1n',
    tests: ['chain/x402-facilitator'],
    harm: 'an authorization that expires before its block is sent, at our cost',
  },
  {
    file: local,
    text: 'before > seconds + BigInt(mostSecondsLeft)',
    instead: 'before > seconds + BigInt(10 * mostSecondsLeft)',
    tests: ['chain/x402-facilitator'],
    harm: 'an authorization reserves a payer’s money for an unlimited time',
  },
  {
    file: local,
    text: 'invalid_payment_requirements: !isDeepStrictEqual(accepted, canonical),',
    instead: 'invalid_payment_requirements: false,',
    tests: ['chain/x402-facilitator'],
    harm: 'a payment for a challenge other than ours is accepted',
  },
  {
    file: 'src/adapters/x402-codec.ts',
    text: `bytes.toString('base64url') !== plain || `,
    instead: '',
    tests: ['chain/x402-facilitator', 'http/bad-payments'],
    harm: 'invalid base64 is decoded as something else',
  },
  {
    file: settlement,
    text: '.slice(0, next < 0 ? later.length : next)',
    instead: '',
    tests: ['chain/x402-facilitator'],
    harm: 'one transfer pays for two requests',
  },
  {
    file: settlement,
    text: ' && BigInt(log.data) === BigInt(value)',
    instead: '',
    tests: ['chain/x402-facilitator'],
    harm: 'a transfer of a smaller amount pays',
  },
  {
    file: resume,
    text: '!isSame || !(first.signature === payload.signature || isSigned())',
    instead: '!isSame',
    tests: ['http/payments'],
    harm: 'a third party that reads the authorization in a block gets the answer',
  },
  {
    file: resume,
    text: `  if (first.secret !== payload.secret) throw refusal(purchase, 'invalid_exact_evm_nonce_already_used')\n`,
    instead: '',
    tests: ['http/payer-walls', 'http/payments', 'e2e/payment-storm'],
    harm: 'a third party that reads the payment in a block gets the answer',
  },
  {
    file: resume,
    text: `  if (known.fingerprint !== fingerprint) throw new AppError('payment_conflict')\n`,
    instead: '',
    tests: ['http/payments'],
    harm: 'one payment is used for other requests',
  },
  {
    file: settle,
    text: 'if (!isNew && isUnsent && found',
    instead: 'if (isNew && isUnsent && found',
    tests: ['e2e/payment-outages'],
    harm: 'a payer is charged for what is no longer available',
  },
  {
    file: deliver,
    text: `if ((await noteDelivered(context, payment, answer)) === null)
      return replay(purchase, await presentPayment(context, payment.id))`,
    instead: 'await noteDelivered(context, payment, answer)',
    tests: ['e2e/payment-nonces'],
    harm: 'two copies of one payment get different answers',
  },
  {
    file: deliver,
    text: `if (!payment.isKept) throw`,
    instead: `if (payment.answer === undefined) throw`,
    tests: ['http/payments', 'http/paid-fields', 'http/payer-walls'],
    harm: 'an answer that was deleted is delivered as empty',
  },
  {
    file: settle,
    text: `if (typeof settled === 'object') return settled`,
    instead: `if (typeof settled === 'object') return settled
  if (settled === 'pending') return presentPayment(context, payment.id)`,
    tests: ['e2e/payment-races'],
    harm: 'an answer is delivered for a payment that may never be settled',
  },
  {
    file: 'src/adapters/x402-verify.ts',
    text: ` && (await codeOf(of)) === '0x'`,
    instead: '',
    tests: ['chain/x402-facilitator'],
    harm: 'a payment by an account with code is accepted by its key’s signature, which the account refuses',
  },
  {
    file: 'src/modules/x402/verify.ts',
    text: 'const [reason] = [...reasons, ...timeReasons]',
    instead: 'const [reason] = [...reasons]',
    tests: ['http/bad-payments', 'http/payments'],
    harm: 'an authorization that is valid too long, or has expired, is accepted',
  },
  {
    file: 'src/modules/x402/pay.ts',
    text: 'const copy = await resume(purchase, isVerified)',
    instead: 'const copy = null',
    tests: ['http/premium-refund', 'e2e/payment-outages'],
    harm: 'the response to a slow copy of a paid request says that nothing was charged',
  },
  {
    file: claim,
    text: 'await admit(purchase, { payer,',
    instead: 'void admit(purchase, { payer,',
    tests: ['http/premium-refund', 'http/premium-statement'],
    harm: 'a payer is charged for what the payer may not have',
  },
  {
    file: 'src/modules/x402/purchase.ts',
    text: 'fingerprintOf({ endpoint, projectId, input })',
    instead: 'fingerprintOf({ endpoint, projectId: null, input })',
    tests: ['http/payer-walls', 'http/premium-statement', 'http/payments'],
    harm: 'a payment with one project’s key gets an answer with another’s',
  },
  {
    file: 'src/modules/x402/agent-limits.ts',
    text: 'having count(*) = 1',
    instead: 'having count(*) > 0',
    tests: ['http/payment-records'],
    harm: 'a payment is assigned to one of two projects that share a wallet',
  },
  {
    file: ledger,
    text: `status in ('verified', 'settling', 'settled') and (lease_until is null or lease_until < now())`,
    instead: `status in ('verified', 'settling', 'settled')`,
    tests: ['http/payments', 'e2e/payment-storm'],
    harm: 'two copies of one payment run at the same time',
  },
  {
    file: ledger,
    text: `events as (\${logged('claimed')})`,
    instead: 'events as (select 1)',
    tests: ['http/agents'],
    harm: 'concurrent payments exceed a spending limit together',
  },
  {
    file: ledger,
    text: `where: 'reverts > 0' })} returning id, project_id, status::text
     ), dropped as (
       \${moveSql('drop', { where: 'reverts = 0' })}`,
    instead: `where: 'false' })} returning id, project_id, status::text
     ), dropped as (
       \${moveSql('drop')}`,
    tests: ['e2e/payment-gas'],
    harm: 'a payment that was sent in a block is deleted, and its transfer buys nothing',
  },
  {
    file: 'src/modules/x402/states.ts',
    text: `deliver: { from: ['settled'],`,
    instead: `deliver: { from: ['settled', 'delivered'],`,
    tests: ['e2e/payment-nonces'],
    harm: 'a process that hung overwrites the answer that was delivered',
  },
  {
    file: lane,
    text: 'if (reverts >= mostReverts) return null',
    instead: 'if (reverts > mostReverts) return null',
    tests: ['e2e/payment-gas'],
    harm: 'a payer makes us pay for further settlements that revert',
  },
  {
    file: lane,
    text: '      if (!hasEnough) throw inProgress()\n',
    instead: '',
    tests: ['e2e/payment-gas'],
    harm: 'a payer with the money for one payment makes us send forty',
  },
  {
    file: lane,
    text: `          and (payload #>> '{authorization,validBefore}')::numeric > extract(epoch from now())\n`,
    instead: '',
    tests: ['e2e/payment-gas'],
    harm: 'an expired payment reserves a payer’s money indefinitely',
  },
  {
    file: 'src/adapters/x402-account.ts',
    text: 'sign(Math.max(next, pending))',
    instead: 'sign(pending)',
    tests: ['e2e/payment-nonces'],
    harm: 'two settlements have one nonce, and one of them is lost',
  },
  {
    file: settle,
    text: 'export const clockSkewSeconds = 60',
    instead: 'export const clockSkewSeconds = 0',
    tests: ['e2e/payment-lane'],
    harm: 'a clock that is ahead gives up a payment that can still be settled',
  },
  {
    file: settle,
    text: 'export const clockSkewSeconds = 60',
    instead: 'export const clockSkewSeconds = -60',
    tests: ['e2e/payment-lane'],
    harm: 'a payment is given up while its payer may still return',
  },
  {
    file: tasks,
    text: `if (leased.status === 'settling') await settlePayment`,
    instead: `if (leased.status !== 'settled') await settlePayment`,
    tests: ['e2e/payment-lane'],
    harm: 'a payment is charged whose caller has gone',
  },
  {
    file: 'src/modules/x402/settle.ts',
    text: `found === 'cancelled' ? 'authorization_used_or_cancelled' : why`,
    instead: 'why',
    tests: ['e2e/payment-gas'],
    harm: 'an authorization that its payer cancelled is retried indefinitely',
  },
  {
    file: 'src/modules/x402/set-prices.ts',
    text: `access: 'admin'`,
    instead: `access: 'manage'`,
    tests: ['http/access'],
    harm: 'any tenant changes prices and payees',
  },
  {
    file: 'src/modules/x402/set-prices.ts',
    text: 'recipient === nobody || ',
    instead: '',
    tests: ['http/payments'],
    harm: 'payments go to an address from which they cannot be spent',
  },
  {
    file: 'src/modules/payments/list.ts',
    text: 'where: { ...where, ...ownedBy(principal) }, orderBy',
    instead: 'where, orderBy',
    tests: ['http/payment-records', 'http/access'],
    harm: 'a tenant sees the payments of all',
  },
  {
    file: record,
    text: ' &&\n    receipt.amount.equals(input.amount)\n',
    instead: '\n',
    tests: ['http/payment-records'],
    harm: 'a receipt of another amount is linked to a payment',
  },
  {
    file: named,
    text: '  if (!isVerified && (await findNamed(context, key)) !== null) await demandUnused(purchase)\n',
    instead: '',
    tests: ['e2e/payment-identifier'],
    harm: 'a payment identifier and a signature from a block get what another paid for',
  },
  {
    file: named,
    text: 'if (named.fingerprint !== fingerprint)',
    instead: 'if (named.fingerprint === null)',
    tests: ['e2e/payment-identifier'],
    harm: 'a cheap purchase gives access to any request with its identifier',
  },
  {
    file: named,
    text: `leased.status === 'verified' && isExpired`,
    instead: `leased.status === null && isOver`,
    tests: ['e2e/payment-identifier'],
    harm: 'an expired unsent authorization blocks the next one with its identifier',
  },
  {
    file: record,
    text: `(status !== 'settled' && status !== 'delivered') || txid === null`,
    instead: 'txid === null',
    tests: ['http/payment-records'],
    harm: 'a payment that is not settled yet gets a receipt',
  },
  {
    file: record,
    text: '(await db.payment.count({ where: { receiptId: receipt.id } })) > 0',
    instead: '(await db.payment.count({ where: { receiptId: receipt.id } })) > 1',
    tests: ['http/payment-records'],
    harm: 'two payments share one receipt',
  },
  {
    file: 'src/modules/payments/type.ts',
    text: `status === 'settled' || status === 'delivered' ? txid : null`,
    instead: 'txid',
    tests: ['http/payment-records'],
    harm: 'a transaction that may be replaced is reported as the settlement',
  },
  {
    file: 'src/modules/payments/revenue.ts',
    text: 'settled_at >= first::timestamp',
    instead: 'settled_at > first::timestamp',
    tests: ['http/payment-records'],
    harm: 'a payment at midnight is in the revenue of no day',
  },
]
