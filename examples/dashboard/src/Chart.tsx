// Sums by day and currency as bars, and as a table for those who hear the page. Amounts of different currencies cannot
// be added up, so one is shown at a time.
import { useState } from 'react'
import type { TotalsFragment } from './gql/graphql.ts'

export function Chart({ nodes: groups, totalCount }: NonNullable<TotalsFragment['month']>) {
  const counts = new Map<string, number>()
  for (const { key, count } of groups)
    if (key.currency) counts.set(key.currency, (counts.get(key.currency) ?? 0) + count)
  const currencies = [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name)
  const [chosen, setChosen] = useState<string | null>(null)
  const currency = chosen !== null && currencies.includes(chosen) ? chosen : (currencies[0] ?? null)
  const sums = new Map(
    groups
      .filter(({ key }) => key.currency === currency)
      .map(({ key, sums }) => [key.time?.date ?? '', sums.find(sum => sum.currency === currency)?.gross ?? '0']),
  )
  const days = [...new Set(groups.flatMap(({ key }) => key.time?.date ?? []))].sort()
  if (currency === null) return <p className="hint">Nothing was paid this month yet.</p>
  const values = days.map(day => Number(sums.get(day) ?? 0))
  const most = Math.max(...values, Number.MIN_VALUE)
  return (
    <figure>
      {totalCount > groups.length && <figcaption role="alert">Too many currencies: some days are missing.</figcaption>}
      <div className="choice" role="radiogroup" aria-label="Currency">
        {currencies.map(name => (
          <label key={name}>
            <input type="radio" name="currency" checked={name === currency} onChange={() => setChosen(name)} />
            {name}
          </label>
        ))}
      </div>
      <svg viewBox={`0 0 ${days.length * 20} 120`} role="img" aria-label={`${currency} by day`}>
        {days.map((day, n) => {
          const height = ((values[n] ?? 0) / most) * 100
          return (
            <g key={day}>
              <title>{`${day}: ${sums.get(day) ?? '0'} ${currency}`}</title>
              <rect className="hover" x={n * 20} y={0} width={20} height={120} />
              <rect x={n * 20 + 3} y={110 - height} width={14} height={height + 1} rx={2} />
              {(n === 0 || (n + 1) % 5 === 0) && (
                <text x={n * 20 + 10} y={119}>
                  {Number(day.slice(8))}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <div className="heard">
        <table>
          <caption>{currency} by day</caption>
          <tbody>
            {days.map(day => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{sums.get(day) ?? '0'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
