import { graphql } from 'relay-runtime'

export const query = graphql`
  query ProjectReceiptsQuery($id: ID!, $count: Int!) {
    node(id: $id) {
      ...ProjectReceipts_project @alias(as: "project") @arguments(count: $count)
    }
  }
`

export const receipts = graphql`
  fragment ProjectReceipts_project on Project
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" })
  @refetchable(queryName: "ProjectReceiptsPaginationQuery") {
    receipts(first: $count, after: $cursor) @connection(key: "ProjectReceipts_receipts") {
      edges {
        node {
          id
        }
      }
    }
  }
`
