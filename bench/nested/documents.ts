// The documents of bench/nested.ts: each for the service and for PostGraphile, with the hand-written statement of the
// floor in bench/nested/statements.ts. PostGraphile has no URLs and no enums for types, so it returns names and texts.
import type { DocumentName } from './statements.ts'

export type Document = {
  /** The objects that it reads, in words. */
  title: string
  query: string
  /** The same for PostGraphile, with the variable `$id`. */
  postgraphile: string
  /** The object whose id is asked for. The service takes the project from the API key. */
  of: 'project' | 'receipt'
}

const newest = 'condition: { projectId: $id }, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]'
const artifactOrder = 'orderBy: [CREATED_AT_DESC, ROW_ID_DESC]'
const anchorOrder = 'orderBy: [CREATED_AT_ASC, ROW_ID_ASC]'

export const documents: Record<DocumentName, Document> = {
  dashboard: {
    title: '20 receipts with artifacts, anchors and project',
    query: `{ receipts(first: 20) { nodes {
      id status amount artifacts { nodes { type url sha256 } } anchors { anchorTx blockNumber } project { name }
    } } }`,
    postgraphile: `query ($id: UUID!) { allReceipts(first: 20, ${newest}) { nodes {
      rowId status amount artifactsByReceiptId(first: 20, ${artifactOrder}) { nodes { type name sha256 } }
      anchorsByReceiptIdList(${anchorOrder}) { anchorTransactionByTransactionId { txid blockNumber } }
      projectByProjectId { name }
    } } }`,
    of: 'project',
  },
  deep: {
    title: 'a project with 10 receipts, their artifacts, anchors with transaction, events and payment',
    query: `{ me { project { id name createdAt receipts(first: 10) { nodes {
      id status amount currency reference createdAt
      artifacts { nodes { type version name sha256 } }
      anchors { chain status transaction { hash blockNumber blockTime status } }
      events(first: 10) { nodes { type status bundleHash occurredAt } }
      payment { id status amount payer verifiedAt }
    } } } } }`,
    postgraphile: `query ($id: UUID!) { projectByRowId(rowId: $id) { rowId name createdAt
      receiptsByProjectId(first: 10, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) { nodes {
        rowId status amount currency reference createdAt
        artifactsByReceiptId(first: 20, ${artifactOrder}) { nodes { type version name sha256 } }
        anchorsByReceiptIdList(${anchorOrder}) {
          chain state anchorTransactionByTransactionId { txid blockNumber blockTime finality }
        }
        eventsByReceiptId(first: 10, orderBy: [ROW_ID_ASC]) { nodes { type status bundleHash createdAt } }
        paymentsByReceiptIdList(first: 1, orderBy: [VERIFIED_AT_ASC]) { rowId status amount payer verifiedAt }
      } } } }`,
    of: 'project',
  },
  page: {
    title: 'a page of 100 receipts, filtered by status and chain, by amount',
    query: `{ receipts(
      first: 100, filter: { statuses: [ANCHORED], chains: ["base"] }, orderBy: { field: AMOUNT, direction: DESC }
    ) {
      nodes { id status amount currency reference senderWallet receiverWallet createdAt anchoredAt }
      pageInfo { hasNextPage endCursor }
    } }`,
    postgraphile: `query ($id: UUID!) { allReceipts(
      first: 100, condition: { projectId: $id, status: anchored, chainKey: "eip155:8453" }, orderBy: [AMOUNT_DESC, ROW_ID_DESC]
    ) {
      nodes { rowId status amount currency reference senderWallet receiverWallet createdAt anchoredAt }
      pageInfo { hasNextPage endCursor }
    } }`,
    of: 'project',
  },
  aggregate: {
    title: 'receiptStats of a project by status',
    query: '{ receiptStats(by: { status: true }) { nodes { key { status } count sums { currency count gross } } } }',
    // It has only distinct counts, which take longer: it returns sums alone.
    postgraphile: `query ($id: UUID!) { allReceipts(condition: { projectId: $id }) {
      groupedAggregates(groupBy: [STATUS, CURRENCY]) { keys sum { amount } }
    } }`,
    of: 'project',
  },
  receipt: {
    title: 'one receipt with its artifacts and anchors',
    query: `query ($id: ID!) { receipt(id: $id) {
      id status amount currency reference createdAt anchoredAt
      artifacts { nodes { type url sha256 } } anchors { chain status anchorTx blockNumber }
    } }`,
    postgraphile: `query ($id: UUID!) { receiptByRowId(rowId: $id) {
      rowId status amount currency reference createdAt anchoredAt
      artifactsByReceiptId(first: 20, ${artifactOrder}) { nodes { type name sha256 } }
      anchorsByReceiptIdList(${anchorOrder}) { chain state anchorTransactionByTransactionId { txid blockNumber } }
    } }`,
    of: 'receipt',
  },
}
