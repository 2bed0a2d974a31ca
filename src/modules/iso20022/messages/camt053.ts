// camt.053: the account statement for a whole day.
import { message } from './message.ts'
import type { Page } from './statement.ts'
import { statementBody } from './statement-body.ts'

export const camt053 = message({
  type: 'camt.053',
  version: '001.08',
  idPrefix: 'CS-',
  states: 'the statement of a day',
  onRequest: {},
  body: (page: Page, messageId) =>
    statementBody(
      {
        messageId,
        root: 'BkToCstmrStmt',
        part: 'Stmt',
        pagination: 'StmtPgntn',
        opening: 'OPBD',
        closing: 'CLBD',
        information: 'AddtlStmtInf',
      },
      page,
    ),
})
