// Loads two pages of the list of receipts, records a receipt, and follows the list: what components do with hooks.
import {
  commitMutation,
  createOperationDescriptor,
  fetchQuery,
  getPaginationMetadata,
  getPaginationVariables,
  getRequest,
  getSelector,
  type SingularReaderSelector,
} from 'relay-runtime'
import listFragment, { type ReceiptList_query$data } from './__generated__/ReceiptList_query.graphql'
import pagination, { type ReceiptListPaginationQuery } from './__generated__/ReceiptListPaginationQuery.graphql'
import listQuery, { type ReceiptListQuery } from './__generated__/ReceiptListQuery.graphql'
import recordMutation, { type ReceiptListRecordMutation } from './__generated__/ReceiptListRecordMutation.graphql'
import { environment } from './environment.ts'
import { follow } from './live.ts'

const operation = createOperationDescriptor(getRequest(listQuery), { count: 2 })
environment.retain(operation)

/** What a component of the fragment reads. */
function list() {
  const { data } = environment.lookup(operation.fragment)
  const selector = getSelector(listFragment, data as never) as SingularReaderSelector
  return (environment.lookup(selector).data as unknown as ReceiptList_query$data).receipts
}

const loaded = await fetchQuery<ReceiptListQuery>(environment, listQuery, { count: 2 }).toPromise()
const first = list()

const { paginationMetadata } = getPaginationMetadata(listFragment, 'ReceiptList')
const cursor = first?.pageInfo.endCursor
const variables = getPaginationVariables('forward', 2, cursor, {}, {}, paginationMetadata)
await fetchQuery<ReceiptListPaginationQuery>(environment, pagination, variables).toPromise()
const second = list()

await new Promise((resolve, reject) =>
  commitMutation<ReceiptListRecordMutation>(environment, {
    mutation: recordMutation,
    variables: { input: JSON.parse(process.env.PAYMENT ?? '') },
    onCompleted: resolve,
    onError: reject,
  }),
)
await new Promise<void>(resolve => {
  const following = follow(loaded?.projects?.[0]?.eventCursor ?? '', () => {
    resolve()
    following.dispose()
  })
})

const references = (receipts: ReturnType<typeof list>) => receipts?.edges.map(({ node }) => node.reference)
console.log(JSON.stringify({ first: references(first), second: references(second), live: references(list()) }))
