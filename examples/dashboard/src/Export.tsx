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
  // One export of one filter.
  const [wanted, setWanted] = useState<{ filter: ReceiptFilter } | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const [link, setLink] = useState<string | null>(null)
  const isRunning = wanted !== null && link === null

  // There is no file of another filter yet.
  useEffect(() => {
    setWanted(null)
    setSaid(null)
    setLink(null)
  }, [filter])

  useEffect(() => {
    if (wanted === null) return
    let isOver = false
    async function write(filter: ReceiptFilter): Promise<void> {
      const input = { kind: 'RECEIPTS', format: 'CSV', receiptFilter: filter } as const
      const started = await client.mutation(startExport, { input }).toPromise()
      const id = started.data?.startExport?.export?.id
      if (id === undefined) return end(started.error?.message)
      while (!isOver) {
        const { data, error } = await client.query(exportQuery, { id }, { requestPolicy: 'network-only' }).toPromise()
        if (isOver) return
        if (!data?.export) return end(error?.message)
        const { rowCount, progress, downloadUrl, status } = data.export
        if (status === 'FAILED') return end('The file could not be written. Narrow the filter.')
        setSaid(`${rowCount.toLocaleString()} rows, ${Math.round(progress * 100)} %`)
        if (downloadUrl != null) return setLink(downloadUrl)
        await new Promise(resolve => setTimeout(resolve, askEveryMs))
      }
    }
    function end(message = 'The export cannot be read.'): void {
      if (isOver) return
      setSaid(message)
      setWanted(null)
    }
    void write(wanted.filter)
    return () => {
      isOver = true
    }
  }, [wanted, client])

  return (
    <span className="export">
      <button
        type="button"
        disabled={isRunning}
        onClick={() => {
          setLink(null)
          setSaid('starting')
          setWanted({ filter })
        }}
      >
        Export as CSV
      </button>{' '}
      <output>{said}</output> {link && <a href={link}>Download</a>}
    </span>
  )
}
