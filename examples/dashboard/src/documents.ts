// All documents of the dashboard. `npm run codegen` makes their types, and the list of trusted documents of them.
import { graphql } from './gql/index.ts'

graphql(`
  fragment ReceiptRow on Receipt {
    id
    reference
    amount
    currency
    chain
    status
    senderWallet
    createdAt
  }
`)

graphql(`
  fragment Listed on Query {
    eventCursor
    receipts(filter: $filter, first: $first) {
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

graphql(`
  fragment Totals on Query {
    statuses: receiptStats(by: [{ status: true }], first: 4) {
      nodes {
        key {
          status
        }
        count
      }
    }
    month: receiptStats(
      filter: $month
      by: [{ time: { unit: DAY, timeZone: $zone, fill: true } }, { currency: true }]
      first: 1000
    ) {
      totalCount
      nodes {
        key {
          currency
          time {
            date
          }
        }
        count
        sums {
          currency
          gross
        }
      }
    }
  }
`)

/** The first paint: one request. */
export const overviewDocument = graphql(`
  query Overview($filter: ReceiptFilter, $month: ReceiptFilter!, $zone: String!, $first: Int!) {
    me {
      project {
        id
        name
      }
    }
    ...Listed
    ...Totals
  }
`)

/** The list anew, for another filter or where the stream cannot go on. */
export const listDocument = graphql(`
  query List($filter: ReceiptFilter, $first: Int!) {
    ...Listed
  }
`)

export const totalsDocument = graphql(`
  query MonthTotals($month: ReceiptFilter!, $zone: String!) {
    ...Totals
  }
`)

export const moreDocument = graphql(`
  query More($filter: ReceiptFilter, $first: Int!, $after: String!) {
    receipts(filter: $filter, first: $first, after: $after) {
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

export const receiptChangedDocument = graphql(`
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

export const statsChangedDocument = graphql(`
  subscription StatsChanged($after: ID) {
    receiptStatsChanged(after: $after) {
      cursor
    }
  }
`)

export const receiptDocument = graphql(`
  query Receipt($id: ID!) {
    receipt(id: $id) {
      ...ReceiptRow
      receiverWallet
      settlementTx
      bundleHash
      bundleUrl
      pageUrl
      anchoredAt
      refundOf {
        id
        reference
      }
      fiatEquivalent {
        status
        amount
        currency
      }
      anchors {
        id
        chain
        network
        status
        anchorTx
        blockNumber
        explorerUrl
      }
      artifacts(first: 50) {
        nodes {
          id
          name
          type
          url
          pageUrl
        }
      }
      events(first: 20) {
        nodes {
          type
          status
          occurredAt
        }
      }
      payment {
        id
        payer
        amount
        currency
      }
      refunds(first: 10) {
        nodes {
          ...ReceiptRow
        }
      }
    }
  }
`)

export const searchDocument = graphql(`
  query Search($text: String!) {
    search(text: $text, first: 10) {
      match
      node {
        id
        __typename
        ... on Receipt {
          ...ReceiptRow
        }
        ... on Agent {
          name
        }
      }
    }
  }
`)

export const startExportDocument = graphql(`
  mutation StartExport($input: StartExportInput!) {
    startExport(input: $input) {
      export {
        id
      }
    }
  }
`)

export const exportDocument = graphql(`
  query Export($id: ID!) {
    export(id: $id) {
      id
      status
      progress
      rowCount
      downloadUrl
    }
  }
`)

/** Of the site's server: the page never has the API key. */
export const createSessionDocument = graphql(`
  mutation CreateSession {
    createSession(input: { role: VIEWER }) {
      token
      session {
        id
        expiresIn
      }
    }
  }
`)
