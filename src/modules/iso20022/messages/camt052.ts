// camt.052: the account report for part of a day. Its balances are interim, because the day is longer than the window.
import { message } from './message.ts'
import type { Page } from './statement.ts'
import { statementBody } from './statement-body.ts'

export const camt052 = message({
  type: 'camt.052',
  version: '001.08',
  idPrefix: 'CR-',
  states: 'a report for part of a day',
  onRequest: {},
  body: (page: Page, messageId) =>
    statementBody(
      {
        messageId,
        root: 'BkToCstmrAcctRpt',
        part: 'Rpt',
        pagination: 'RptPgntn',
        opening: 'ITBD',
        closing: 'ITBD',
        information: 'AddtlRptInf',
      },
      page,
    ),
})
