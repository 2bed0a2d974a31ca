import type { Rows } from './list.ts'
import { when } from './time.ts'
import { words } from './words.ts'

export function Receipts({ rows, opened = null }: { rows: Rows; opened?: string | null }) {
  if (rows.length === 0) return <p className="hint">No receipt matches.</p>
  return (
    <table>
      <thead>
        <tr>
          <th>Recorded</th>
          <th>Reference</th>
          <th>Status</th>
          <th className="number">Amount</th>
          <th>Chain</th>
          <th>From</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, createdAt, reference, status, amount, currency, chain, senderWallet }) => (
          <tr key={id} aria-current={id === opened}>
            <td>{when(createdAt)}</td>
            <td>
              <a href={`#/receipts/${id}`}>{reference}</a>
            </td>
            <td>
              <span className={`status ${status.toLowerCase()}`}>{words[status]}</span>
            </td>
            <td className="number">
              {amount} {currency}
            </td>
            <td>{chain}</td>
            <td className="wallet" title={senderWallet}>
              {senderWallet}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
