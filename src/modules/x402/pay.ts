// The payment gate of all paid fields. A paid field runs only through this gate, so that it is charged over every
// transport (REST, GraphQL, MCP) and under every path. A request is charged once and delivered at least once: the same
// authorization, sent again for the same request, gets its answer without a second charge.
//
// The steps, a file each: quote → verify → claim → settle → deliver. After `claim` they act on the payment's row; its
// states and the moves between them are in states.ts. A request for a stored payment continues at its status.
import type { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../kit/context.ts'
import { unpaid } from './challenge.ts'
import { claim } from './claim.ts'
import { deliver, replay } from './deliver.ts'
import { underLease } from './lease.ts'
import { noteDelivered, noteLeft, type Payment } from './ledger.ts'
import type { Prepared } from './nonce-queue.ts'
import { type Paid, type Purchase, readPurchase, resourcePath } from './purchase.ts'
import { quote } from './quote.ts'
import { resume } from './resume.ts'
import { settle } from './settle.ts'
import { verify } from './verify.ts'

/** Charges one call of a paid field and returns its answer. Errors: those of every paid field, and those of `admit`. */
export async function pay<Input extends z.ZodType, Output extends z.ZodType>(
  context: Context,
  paid: Paid<Input, Output>,
  raw: unknown,
): Promise<z.output<Output>> {
  const { facilitator, paying } = context
  if (facilitator === null) throw new AppError('payments_disabled')
  if (paying.isTaken) throw new AppError('conflict', 'One paid field an operation: each needs a payment of its own.')
  paying.isTaken = true
  const at = new Date()
  const quoted = await quote(context, facilitator, paid.endpoint, paying.resource ?? resourcePath(paid, raw))
  if (paying.header === null) throw unpaid(quoted)
  const answer = await answerFor(readPurchase(quoted, paid, raw, paying.header, at))
  return paid.output.parse(JSON.parse(JSON.stringify(answer)))
}

async function answerFor(purchase: Purchase): Promise<unknown> {
  const { payment, prepared } = await storedOrNew(purchase)
  if (payment.status === 'delivered') return replay(purchase, payment)
  const answered = followClient(purchase, payment)
  if (payment.isAnswered) return replay(purchase, payment)
  return underLease(purchase.context, payment, async () => {
    const settlement = await settle(purchase, payment, prepared)
    const answer = await deliver(purchase, payment, settlement)
    answered()
    return answer
  })
}

/**
 * Stores whether the answer reaches the client, which may leave before it is produced. Call the returned function once
 * the answer is stored.
 */
function followClient({ context }: Purchase, payment: Payment): () => void {
  let hasEnded = false
  const note = (isWritten: boolean) => {
    hasEnded = isWritten
    const noted = isWritten ? noteDelivered(context, payment) : noteLeft(context, payment.id)
    noted.catch((error: unknown) =>
      context.log.error(
        { err: error, payment: payment.id, isWritten },
        'whether an answer arrived could not be stored',
      ),
    )
  }
  context.paying.whenEnded(note)
  // The request of a reserved stream has its response before the stream has the answer.
  return () => hasEnded && note(true)
}

/** Returns the payment's row, leased or answered; of a new payment, also the settlement that is being prepared. */
async function storedOrNew(purchase: Purchase): Promise<{ payment: Payment; prepared?: Prepared }> {
  const stored = await resume(purchase, false)
  if (stored !== null) return { payment: stored }
  let isVerified = false
  try {
    const verified = await verify(purchase)
    isVerified = true
    // A client that gave up on a slow service signs anew for its next try. Both would be charged.
    if (purchase.context.paying.hasLeft()) throw new AppError('payment_in_progress')
    return await claim(purchase, verified)
  } catch (error) {
    // A copy of the request may have been claimed meanwhile, and may have spent the authorization or the balance. The
    // error would then wrongly state that nothing was charged.
    const copy = await resume(purchase, isVerified)
    if (copy === null) throw error
    return { payment: copy }
  }
}
