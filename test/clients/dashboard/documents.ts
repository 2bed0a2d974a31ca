import { graphql } from './gql/index.ts'

graphql(`
  fragment ReceiptRow on Receipt {
    id
    reference
    amount
    currency
    status
    createdAt
    anchorTx
  }
`)

export const receipts = graphql(`
  query Receipts($first: Int!, $after: String) {
    projects {
      id
      eventCursor
    }
    receipts(first: $first, after: $after) {
      totalCount
      nodes {
        ...ReceiptRow
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`)

export const receiptChanged = graphql(`
  subscription ReceiptChanged($after: ID) {
    receiptChanged(after: $after) {
      id
      type
      receipt {
        ...ReceiptRow
      }
    }
  }
`)

export const recordReceipt = graphql(`
  mutation RecordReceipt($input: RecordReceiptInput!) {
    recordReceipt(input: $input) {
      matchedBy
      receipt {
        ...ReceiptRow
      }
    }
  }
`)

export const signIn = graphql(`
  query SignIn {
    signInNonce {
      nonce
      chainIds
    }
  }
`)
