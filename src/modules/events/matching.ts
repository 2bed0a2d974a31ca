// Whether the subjects of events match the filter of a stream. A filter has conditions on values that never change, such
// as a wallet, and on values that change, such as the status. A subject that fails one of the first kind was never in
// the client's list and never will be, so its events are left out. A subject that fails only those of the second kind
// may just have left the list, and the client must learn of it.
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { shareWhileBusy } from '../../kit/share-while-busy.ts'
import { type PaymentFilter, paymentQuery } from '../payments/filter.ts'
import { type ReceiptFilter, receiptQuery } from '../receipts/filter.ts'

/** By the id of each subject that the stream is about: whether it matches the whole filter now. */
type Matches = ReadonlyMap<string, boolean>
export type Matcher = (ids: string[]) => Promise<Matches>

type Search = (ids: string[]) => Promise<{ id: string }[]>

// Many people may have the same dashboard open. Their streams ask for the same, so one read serves them all.
const sharedReads = perApp(() => shareWhileBusy<Matches>())

/** Errors: `validation_failed`. */
export function receiptMatcher(app: App, filter: ReceiptFilter): Matcher {
  const { statuses, bundleHash, anchoredAt, hasRefund, ...lasting } = filter
  const search = (part: ReceiptFilter): Search | null => {
    if (isEmpty(part)) return null
    const { where } = receiptQuery({ filter: part })
    return ids => app.db.receipt.findMany({ where: { AND: [{ id: { in: ids } }, where] }, select: { id: true } })
  }
  const name = `receipts ${JSON.stringify(filter)}`
  return matcher(app, name, search(lasting), search({ statuses, bundleHash, anchoredAt, hasRefund }))
}

/** Errors: `validation_failed`. */
export function paymentMatcher(app: App, filter: PaymentFilter): Matcher {
  const { statuses, settledAt, hasReceipt, ...lasting } = filter
  const search = (part: PaymentFilter): Search | null => {
    if (isEmpty(part)) return null
    const { where } = paymentQuery({ filter: part })
    return ids => app.db.payment.findMany({ where: { AND: [{ id: { in: ids } }, where] }, select: { id: true } })
  }
  const name = `payments ${JSON.stringify(filter)}`
  return matcher(app, name, search(lasting), search({ statuses, settledAt, hasReceipt }))
}

const isEmpty = (part: object) => Object.values(part).every(condition => condition == null)

/** `lasting` finds those that meet the conditions that never change, `changing` the other; null: there is none. */
function matcher(app: App, name: string, lasting: Search | null, changing: Search | null): Matcher {
  async function read(ids: string[]): Promise<Matches> {
    const all = ids.map(id => ({ id }))
    const [concerned, matching] = await Promise.all([lasting?.(ids) ?? all, changing?.(ids) ?? all])
    const matched = new Set(matching.map(({ id }) => id))
    return new Map(concerned.map(({ id }) => [id, matched.has(id)]))
  }
  if (lasting === null && changing === null) return read
  return async ids => {
    const asked = [...new Set(ids)]
    if (asked.length === 0) return new Map()
    return sharedReads(app)({ key: `${name} ${asked.join()}`, read: () => read(asked) })
  }
}
