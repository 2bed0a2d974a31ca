// The download URLs of a receipt's files; null until the receipt is sealed.
import type { Context } from '../../kit/context.ts'
import type { InSql, Row } from '../../kit/sql/index.ts'

type Sealed = { bundleHash: string | null; refundOfId: string | null }

export const fileUrl = (publicBaseUrl: string, receiptId: string, name: string) =>
  `${publicBaseUrl}/files/${receiptId}/${name}`

/** The message inside the bundle: a refund carries a pacs.004 in place of the pain.001. */
export const xmlUrl = (publicBaseUrl: string, receiptId: string, { bundleHash, refundOfId }: Sealed) =>
  bundleHash === null ? null : fileUrl(publicBaseUrl, receiptId, refundOfId === null ? 'pain001.xml' : 'pacs004.xml')

export const bundleUrl = (publicBaseUrl: string, receiptId: string, { bundleHash }: Sealed) =>
  bundleHash === null ? null : fileUrl(publicBaseUrl, receiptId, 'evidence.zip')

type UrlInSql = InSql<Pick<Context, 'publicBaseUrl'>>

/** Expressions for the receipt's id and `refundOfId`. */
type Place = (row: Row) => { id: string; refundOfId: string }

const ifSealed = (place: Place, name: (refundOfId: string) => string): UrlInSql => {
  return (row, { publicBaseUrl }) => {
    const { id, refundOfId } = place(row)
    const folder = row.value(`${publicBaseUrl}/files/`)
    return `case when ${row.column('bundleHash')} is not null then ${folder} || ${id} || '/' || ${name(refundOfId)} end`
  }
}

/** The same in SQL, for a row with `bundleHash`. */
export const xmlUrlInSql = (place: Place): UrlInSql =>
  ifSealed(place, refundOfId => `case when ${refundOfId} is null then 'pain001.xml' else 'pacs004.xml' end`)
export const bundleUrlInSql = (place: Place): UrlInSql => ifSealed(place, () => `'evidence.zip'`)
