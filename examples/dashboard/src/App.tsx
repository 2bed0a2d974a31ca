import { useMemo, useState, useSyncExternalStore } from 'react'
import { Chart } from './Chart.tsx'
import { Detail } from './Detail.tsx'
import { Export } from './Export.tsx'
import type { ReceiptFilter, ReceiptStatus } from './gql/graphql.ts'
import { useOverview } from './overview.ts'
import { Receipts } from './Receipts.tsx'
import { Search } from './Search.tsx'
import { ownZone } from './time.ts'

const statuses: ReceiptStatus[] = ['PENDING', 'AWAITING_ANCHOR', 'ANCHORED', 'FAILED']
const zones = [...new Set([ownZone, 'UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Asia/Tokyo'])]

const onHash = (changed: () => void) => {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

export function App() {
  const hash = useSyncExternalStore(onHash, () => location.hash)
  const opened = /^#\/receipts\/([0-9a-f-]{36})$/.exec(hash)?.[1] ?? null
  const [status, setStatus] = useState<ReceiptStatus | ''>('')
  const [reference, setReference] = useState('')
  const [zone, setZone] = useState(ownZone)
  const filter = useMemo<ReceiptFilter>(
    () => ({
      ...(status && { statuses: [status] }),
      ...(reference.trim() && { reference: { containsIgnoreCase: reference.trim() } }),
    }),
    [status, reference],
  )
  const { data, rows, hasMore, loadMore, isLive, fetching, problem } = useOverview(filter, zone)
  const counts = new Map(data?.statuses?.nodes.map(({ key, count }) => [key.status, count]))

  return (
    <>
      <header>
        <h1>{data?.me?.project?.name ?? 'Receipts'}</h1>
        <Search />
        <span className={isLive ? 'live' : 'live off'} role="status">
          {isLive ? 'Live' : fetching ? 'Loading' : 'Not live'}
        </span>
      </header>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <main>
        <section aria-label="Totals" className="tiles">
          {statuses.map(name => (
            <button
              type="button"
              key={name}
              aria-pressed={status === name}
              onClick={() => setStatus(status === name ? '' : name)}
            >
              <strong>{(counts.get(name) ?? 0).toLocaleString()}</strong> {words[name]}
            </button>
          ))}
        </section>
        <section aria-label="This month">
          <h2>
            Paid this month
            <label>
              days of
              <select value={zone} onChange={event => setZone(event.target.value)}>
                {zones.map(name => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          </h2>
          <Chart groups={data?.month?.nodes ?? []} />
        </section>
        <section aria-label="Receipts">
          <h2>
            {data?.receipts ? `${data.receipts.totalCount.toLocaleString()} receipts` : 'Receipts'}
            <label>
              reference
              <input
                type="search"
                value={reference}
                onChange={event => setReference(event.target.value)}
                placeholder="any part"
              />
            </label>
            <Export filter={filter} />
          </h2>
          <Receipts rows={rows} opened={opened} />
          {hasMore && (
            <button type="button" onClick={() => void loadMore()}>
              Older receipts
            </button>
          )}
        </section>
      </main>
      {opened && <Detail id={opened} />}
    </>
  )
}

export const words: Record<ReceiptStatus, string> = {
  PENDING: 'recorded',
  AWAITING_ANCHOR: 'sealed',
  ANCHORED: 'anchored',
  FAILED: 'denied',
}
