// A page for many tabs: it shows how many receipts it has listed, and the references of those that came later.
import { authorized } from './quittance.ts'
import { quittance } from './settings.ts'
import { subscribe } from './tab.ts'

const headers = { 'Content-Type': 'application/json' }
const body = JSON.stringify({ query: '{ eventCursor receipts(first: 1) { totalCount } }' })
const answer = await authorized(`${quittance}/graphql`, { method: 'POST', headers, body })
const { data } = await answer.json()

const shown: string[] = []
const show = () => {
  document.title = [data.receipts.totalCount, ...shown].join(' ')
}
show()
subscribe<{ receiptChanged: { receipt: { reference: string } } }>(
  {
    query: 'subscription ($after: ID) { receiptChanged(after: $after) { cursor receipt { reference } } }',
    variables: { after: data.eventCursor },
  },
  {
    next({ data, errors }) {
      shown.push(data?.receiptChanged.receipt.reference ?? JSON.stringify(errors))
      show()
    },
    error(error) {
      shown.push(String(error))
      show()
    },
    complete() {},
  },
)
