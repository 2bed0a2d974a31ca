import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useClient } from 'urql'
import { Chart } from './Chart.tsx'
import { Detail } from './Detail.tsx'
import { Export } from './Export.tsx'
import type { ReceiptFilter, ReceiptStatus } from './gql/graphql.ts'
import { useList } from './list.ts'
import { open } from './opening.ts'
import { Receipts } from './Receipts.tsx'
import { Search } from './Search.tsx'
import { ownZone } from './time.ts'
import { useTotals } from './totals.ts'
import { statuses, words } from './words.ts'

const zones = [...new Set([ownZone, 'UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Asia/Tokyo'])]

const onHash = (changed: () => void) => {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

export function App() {
  const client = useClient()
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
  const [opening] = useState(() => open(client, {}, ownZone))
  const [name, setName] = useState('Receipts')
  useEffect(() => void opening.then(({ data }) => setName(data?.me?.project?.name ?? 'Receipts')), [opening])
  const { rows, total, hasMore, loadMore, isLive, isLoading, problem } = useList(filter, opening)
  const totals = useTotals(zone, opening)
  const counts = new Map(totals?.statuses?.nodes.map(({ key, count }) => [key.status, count]))

  return (
    <>
      <header>
        <h1>{name}</h1>
        <Search />
        <span className={isLive ? 'live' : 'live off'} role="status">
          {isLive ? 'Live' : isLoading ? 'Loading' : 'Not live'}
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
          <div className="head">
            <h2>Paid this month</h2>
            <label>
              days of
              <select value={zone} onChange={event => setZone(event.target.value)}>
                {zones.map(name => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          </div>
          {totals?.month && <Chart {...totals.month} />}
        </section>
        <section aria-label="Receipts">
          <div className="head">
            <h2>{isLoading ? 'Receipts' : `${total.toLocaleString()} receipts`}</h2>
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
          </div>
          {isLoading ? <p className="hint">Loading</p> : <Receipts rows={rows} opened={opened} />}
          {hasMore && (
            <button type="button" onClick={() => void loadMore()}>
              Older receipts
            </button>
          )}
        </section>
      </main>
      {opened && <Detail key={opened} id={opened} />}
    </>
  )
}
