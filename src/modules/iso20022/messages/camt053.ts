// camt.053: the account statement for a whole day.
import { message } from './message.ts'
import type { Page } from './statement.ts'
import { statementBody } from './statement-body.ts'

export const camt053 = message('camt.053', '001.08', (page: Page) =>
  statementBody(
    {
      type: 'camt.053',
      root: 'BkToCstmrStmt',
      part: 'Stmt',
      pagination: 'StmtPgntn',
      opening: 'OPBD',
      closing: 'CLBD',
      information: 'AddtlStmtInf',
    },
    page,
  ),
)
