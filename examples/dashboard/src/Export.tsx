// Writes the receipts of the list's filter to a file.
import { useEffect, useState } from 'react'
import { useClient } from 'urql'
import { trusted } from './client.ts'
import { exportDocument, startExportDocument } from './documents.ts'
import type { ReceiptFilter } from './gql/graphql.ts'

const startExport = trusted(startExportDocument)
const exportQuery = trusted(exportDocument)
const askEveryMs = 500

export function Export({ filter }: { filter: ReceiptFilter }) {
  const client = useClient()
  const [id, setId] = useState<string | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const [link, setLink] = useState<string | null>(null)

  async function start(): Promise<void> {
    setLink(null)
    setSaid('starting')
    const input = { kind: 'RECEIPTS', format: 'CSV', receiptFilter: filter } as const
    const { data, error } = await client.mutation(startExport, { input }).toPromise()
    setId(data?.startExport?.export?.id ?? null)
    if (error) setSaid(error.message)
  }

  useEffect(() => {
    if (id === null) return
    const ask = async () => {
      const { data } = await client.query(exportQuery, { id }, { requestPolicy: 'network-only' }).toPromise()
      const now = data?.export
      if (!now) return
      setSaid(`${now.rowCount.toLocaleString()} rows, ${Math.round(now.progress * 100)} %`)
      if (now.downloadUrl == null) return
      setLink(now.downloadUrl)
      setId(null)
    }
    const timer = setInterval(() => void ask(), askEveryMs)
    return () => clearInterval(timer)
  }, [id, client])

  return (
    <span className="export">
      <button type="button" onClick={() => void start()} disabled={id !== null}>
        Export as CSV
      </button>{' '}
      <output>{said}</output> {link && <a href={link}>Download</a>}
    </span>
  )
}
