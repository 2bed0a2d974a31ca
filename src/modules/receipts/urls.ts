// The download URLs of a receipt's files; null until the receipt is sealed.
import type { InSql } from '../../kit/sql/field.ts'

type Sealed = { bundleHash: string | null; refundOfId: string | null }

export const fileUrl = (publicBaseUrl: string, receiptId: string, name: string) =>
  `${publicBaseUrl}/files/${receiptId}/${name}`

/** The message inside the bundle: a refund carries a pacs.004 in place of the pain.001. */
export const xmlUrl = (publicBaseUrl: string, receiptId: string, { bundleHash, refundOfId }: Sealed) =>
  bundleHash === null ? null : fileUrl(publicBaseUrl, receiptId, refundOfId === null ? 'pain001.xml' : 'pacs004.xml')

export const bundleUrl = (publicBaseUrl: string, receiptId: string, { bundleHash }: Sealed) =>
  bundleHash === null ? null : fileUrl(publicBaseUrl, receiptId, 'evidence.zip')

const ifSealed: (name: (row: Parameters<InSql>[0]) => string) => InSql =
  name =>
  (row, { publicBaseUrl }) =>
    `case when ${row.column('bundleHash')} is not null then ${row.value(`${publicBaseUrl}/files/`)} || ${row.column('id')} || '/' || ${name(row)} end`

export const xmlUrlInSql = ifSealed(
  ({ column }) => `case when ${column('refundOfId')} is null then 'pain001.xml' else 'pacs004.xml' end`,
)
export const bundleUrlInSql = ifSealed(() => `'evidence.zip'`)
