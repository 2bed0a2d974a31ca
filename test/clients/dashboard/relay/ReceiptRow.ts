import { graphql } from 'relay-runtime'

export const row = graphql`
  fragment ReceiptRow_receipt on Receipt @refetchable(queryName: "ReceiptRowRefetchQuery") {
    reference
    amount
    status
  }
`
