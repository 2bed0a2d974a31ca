// Pages through the receipts of the caller and of a project, refetches one, records one, and follows the list.
import { commitMutation, fetchQuery, getRequest } from 'relay-runtime'
import projectFragment, { type ProjectReceipts_project$data } from './__generated__/ProjectReceipts_project.graphql'
import projectQuery, { type ProjectReceiptsQuery$data } from './__generated__/ProjectReceiptsQuery.graphql'
import listFragment, { type ReceiptList_query$data } from './__generated__/ReceiptList_query.graphql'
import listQuery, { type ReceiptListQuery$data } from './__generated__/ReceiptListQuery.graphql'
import recordMutation, { type ReceiptListRecordMutation } from './__generated__/ReceiptListRecordMutation.graphql'
import rowFragment, { type ReceiptRow_receipt$data } from './__generated__/ReceiptRow_receipt.graphql'
import refetchQuery, { type ReceiptRowRefetchQuery } from './__generated__/ReceiptRowRefetchQuery.graphql'
import { environment } from './environment.ts'
import { load, loadNext, read } from './hooks.ts'
import { follow } from './live.ts'

const query = await load<ReceiptListQuery$data>(getRequest(listQuery), { count: 2 })
const list = () =>
  read<ReceiptList_query$data>(listFragment, query()).receipts?.edges.map(
    ({ node }) => read<ReceiptRow_receipt$data>(rowFragment, node).reference,
  )
const listed = list()
await loadNext(listFragment, query(), {})
const longer = list()

const id = query().me?.project?.id ?? ''
const projectAnswer = await load<ProjectReceiptsQuery$data>(getRequest(projectQuery), { id, count: 2 })
const project = () => read<ProjectReceipts_project$data>(projectFragment, projectAnswer().node?.project)
const ids = () => project().receipts?.edges.map(({ node }) => node.id)
const ofProject = ids()
await loadNext(projectFragment, projectAnswer().node?.project, { id })
const longerOfProject = ids()

const { node } = (await fetchQuery<ReceiptRowRefetchQuery>(environment, refetchQuery, {
  id: ofProject?.[0] ?? '',
}).toPromise()) ?? { node: null }
const refetched = read<ReceiptRow_receipt$data>(rowFragment, node)

await new Promise((resolve, reject) =>
  commitMutation<ReceiptListRecordMutation>(environment, {
    mutation: recordMutation,
    variables: { input: JSON.parse(process.env.PAYMENT ?? '') },
    onCompleted: resolve,
    onError: reject,
  }),
)
await new Promise<void>(resolve => {
  const following = follow(query().eventCursor ?? '', () => {
    resolve()
    following.dispose()
  })
})
console.log(JSON.stringify({ listed, longer, ofProject, longerOfProject, refetched, live: list() }))
