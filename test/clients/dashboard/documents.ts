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
  query Receipts($filter: ReceiptFilter, $first: Int!, $after: String) {
    eventCursor
    receipts(filter: $filter, first: $first, after: $after) {
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
  subscription ReceiptChanged($filter: ReceiptFilter, $after: ID) {
    receiptChanged(filter: $filter, after: $after) {
      cursor
      matches
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
  mutation SignIn {
    createSignInNonce {
      signInNonce {
        nonce
        chainIds
      }
    }
  }
`)
