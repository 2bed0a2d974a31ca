import { useEffect, useRef } from 'react'
import { useQuery } from 'urql'
import { trusted } from './client.ts'
import { receiptDocument } from './documents.ts'
import { Receipts } from './Receipts.tsx'
import { when } from './time.ts'
import { words } from './words.ts'

const receiptQuery = trusted(receiptDocument)

export function Detail({ id }: { id: string }) {
  const [{ data, error, fetching }] = useQuery({ query: receiptQuery, variables: { id } })
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const receipt = data?.receipt
  return (
    <dialog ref={dialog} onClose={() => (location.hash = '')} aria-label="Receipt">
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
      {error && <p role="alert">{error.message}</p>}
      {!receipt && !error && <p className="hint">{fetching ? 'Loading' : 'There is no such receipt.'}</p>}
      {receipt && (
        <>
          <h2>{receipt.reference}</h2>
          <dl>
            <Fact name="Amount">
              {receipt.amount} {receipt.currency}
              {receipt.fiatEquivalent?.amount &&
                ` (${receipt.fiatEquivalent.amount} ${receipt.fiatEquivalent.currency})`}
            </Fact>
            <Fact name="Status">{words[receipt.status]}</Fact>
            <Fact name="From">{receipt.senderWallet}</Fact>
            <Fact name="To">{receipt.receiverWallet}</Fact>
            <Fact name="Settled by">{receipt.settlementTx}</Fact>
            <Fact name="Recorded">{when(receipt.createdAt)}</Fact>
            <Fact name="Anchored">{receipt.anchoredAt && when(receipt.anchoredAt)}</Fact>
            <Fact name="Bundle">{receipt.bundleHash}</Fact>
            <Fact name="Refund of">
              {receipt.refundOf && <a href={`#/receipts/${receipt.refundOf.id}`}>{receipt.refundOf.reference}</a>}
            </Fact>
            <Fact name="Paid to this service by">{receipt.payment?.payer}</Fact>
          </dl>
          <h3>Anchors</h3>
          <ul>
            {receipt.anchors?.map(({ id, chain, network, status, anchorTx, explorerUrl }) => (
              <li key={id}>
                {chain} {network && `(${network})`}: {status.toLowerCase()}{' '}
                {explorerUrl ? <a href={explorerUrl}>{anchorTx}</a> : anchorTx}
              </li>
            ))}
          </ul>
          <h3>Files</h3>
          <ul>
            {receipt.artifacts?.nodes.map(({ id, name, url, pageUrl }) => (
              <li key={id}>
                <a href={url}>{name}</a> {pageUrl && <a href={pageUrl}>as a page</a>}
              </li>
            ))}
          </ul>
          <h3>What happened</h3>
          <ul>
            {receipt.events?.nodes.map(({ type, occurredAt }) => (
              <li key={`${type} ${occurredAt}`}>
                {when(occurredAt)} · {type.toLowerCase().replaceAll('_', ' ')}
              </li>
            ))}
          </ul>
          {receipt.refunds && receipt.refunds.nodes.length > 0 && (
            <>
              <h3>Refunds</h3>
              <Receipts rows={receipt.refunds.nodes} />
            </>
          )}
          <p>
            <a href={receipt.pageUrl}>Public page of the receipt</a>
          </p>
        </>
      )}
    </dialog>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  if (children === null || children === undefined || children === '') return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
