// The first screen in one request, of which the list and the totals take their parts.
import type { Client, OperationResult } from 'urql'
import { trusted } from './client.ts'
import { overviewDocument } from './documents.ts'
import type { OverviewQuery, ReceiptFilter } from './gql/graphql.ts'
import { monthOf } from './time.ts'

const overview = trusted(overviewDocument)
export const pageSize = 25

export type Opening = Promise<OperationResult<OverviewQuery>>

export const open = (client: Client, filter: ReceiptFilter, zone: string): Opening =>
  client.query(overview, { filter, zone, first: pageSize, month: { createdAt: monthOf(zone) } }).toPromise()
