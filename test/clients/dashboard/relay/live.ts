import { ConnectionHandler, requestSubscription } from 'relay-runtime'
import receiptChanged, { type ReceiptListSubscription } from './__generated__/ReceiptListSubscription.graphql'
import { environment } from './environment.ts'

/** Follows the receipts of the list, and puts new ones at its head. */
export const follow = (after: string, onNext: () => void) =>
  requestSubscription<ReceiptListSubscription>(environment, {
    subscription: receiptChanged,
    variables: { after },
    updater(store) {
      const receipt = store.getRootField('receiptChanged')?.getLinkedRecord('receipt')
      const list = ConnectionHandler.getConnection(store.getRoot(), 'ReceiptList_receipts')
      const listed = list?.getLinkedRecords('edges')?.map(edge => edge?.getLinkedRecord('node')?.getDataID())
      if (!receipt || !list || listed?.includes(receipt.getDataID())) return
      ConnectionHandler.insertEdgeBefore(list, ConnectionHandler.createEdge(store, list, receipt, 'ReceiptEdge'))
    },
    onNext,
  })
