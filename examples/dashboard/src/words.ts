// What the states of receipts are called on the page.
import type { ReceiptStatus } from './gql/graphql.ts'

export const words: Record<ReceiptStatus, string> = {
  PENDING: 'recorded',
  AWAITING_ANCHOR: 'sealed',
  ANCHORED: 'anchored',
  FAILED: 'denied',
}
export const statuses: ReceiptStatus[] = ['PENDING', 'AWAITING_ANCHOR', 'ANCHORED', 'FAILED']
