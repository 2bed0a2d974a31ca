// camt.052: the account report for part of a day. Its balances are interim, because the day is longer than the window.
import { message } from './message.ts'
import type { Page } from './statement.ts'
import { statementBody } from './statement-body.ts'

export const camt052 = message('camt.052', '001.08', (page: Page) =>
  statementBody(
    {
      type: 'camt.052',
      root: 'BkToCstmrAcctRpt',
      part: 'Rpt',
      pagination: 'RptPgntn',
      opening: 'ITBD',
      closing: 'ITBD',
      information: 'AddtlRptInf',
    },
    page,
  ),
)
