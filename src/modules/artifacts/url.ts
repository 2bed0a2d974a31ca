// The URLs of an artifact: its download, and its HTML page.
import type { Context } from '../../kit/context.ts'
import type { InSql } from '../../kit/sql/index.ts'
import { fileUrl } from '../receipts/urls.ts'

type Owned = { receiptId: string | null; statementId: string | null; name: string }

export function artifactUrl(publicBaseUrl: string, { receiptId, statementId, name }: Owned): string {
  const owner = receiptId ?? statementId
  if (owner === null) throw new Error('an artifact belongs to a receipt or a statement')
  return fileUrl(publicBaseUrl, owner, name)
}

export const pageUrl = (publicBaseUrl: string, artifact: Owned): string | null =>
  artifact.name.endsWith('.xml') ? artifactUrl(publicBaseUrl, artifact).replace(/xml$/, 'html') : null

export const artifactUrlInSql: InSql<Pick<Context, 'publicBaseUrl'>> = ({ column, value }, { publicBaseUrl }) =>
  `${value(`${publicBaseUrl}/files/`)} || coalesce(${column('receiptId')}, ${column('statementId')}) || '/' || ${column('name')}`

export const pageUrlInSql: InSql<Pick<Context, 'publicBaseUrl'>> = (row, context) =>
  `case when ${row.column('name')} like '%.xml' then regexp_replace(${artifactUrlInSql(row, context)}, 'xml$', 'html') end`
