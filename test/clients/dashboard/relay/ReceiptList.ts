import { graphql } from 'relay-runtime'

export const query = graphql`
  query ReceiptListQuery($count: Int!) {
    eventCursor
    me {
      project {
        id
      }
    }
    ...ReceiptList_query @arguments(count: $count)
  }
`

export const list = graphql`
  fragment ReceiptList_query on Query
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" })
  @refetchable(queryName: "ReceiptListPaginationQuery") {
    receipts(first: $count, after: $cursor) @connection(key: "ReceiptList_receipts") {
      totalCount
      edges {
        node {
          id
          ...ReceiptRow_receipt
        }
      }
    }
  }
`

export const subscription = graphql`
  subscription ReceiptListSubscription($after: ID) {
    receiptChanged(after: $after) {
      cursor
      receipt {
        id
        ...ReceiptRow_receipt
      }
    }
  }
`

export const record = graphql`
  mutation ReceiptListRecordMutation($input: RecordReceiptInput!) {
    recordReceipt(input: $input) {
      receipt {
        id
      }
    }
  }
`
