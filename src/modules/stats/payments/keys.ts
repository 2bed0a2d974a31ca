// The keys of groups of payments, in SQL.
import { utc } from '../../../core/time-zone.ts'
import type { Key } from '../../../kit/groups/statement.ts'
import { rangeOf } from '../../../kit/groups/time.ts'
import type { Row } from '../../../kit/sql/index.ts'
import { agentWithWallet } from '../../agents/with-wallet.ts'
import type { PaymentFilter } from '../../payments/filter.ts'
import type { GroupedBy } from './arguments.ts'

const times = { verified_at: 'verifiedAt', settled_at: 'settledAt' } as const

/** Returns the time by which is grouped; null for another key. */
export const timeOf = ({ time }: GroupedBy) => (time ? times[time.of ?? 'verified_at'] : null)

const columns = ['status', 'network', 'currency', 'endpoint', 'payer']

const kindOf = (by: GroupedBy) => Object.entries(by).find(([, value]) => value != null)?.[0] ?? ''

/** `extremes`: returns a select of the ends `lo` and `hi` of a column over all payments that the caller may see. */
export function keyOf(by: GroupedBy, row: Row, filter: PaymentFilter, extremes: (name: string) => string): Key {
  const { column } = row
  const name = timeOf(by)
  if (by.time && name) {
    const { unit, timeZone, fill } = by.time
    return {
      ...{ unit, zone: timeZone ?? utc, fill: fill ?? false },
      ...{ range: rangeOf(filter[name]), of: column(name), extremes: extremes(name) },
    }
  }
  const kind = kindOf(by)
  if (columns.includes(kind)) return { of: `${column(kind)}::text` }
  if (kind === 'project') return { of: `coalesce(${column('projectId')}::text, '')` }
  return { of: agentWithWallet(column('payer'), column('projectId')) }
}

/** Returns the field of PaymentGroupKey that shows the value `k` of a key. */
export function fieldOf(by: GroupedBy, k: string): Record<string, string> {
  const kind = kindOf(by)
  if (kind === 'time') return {}
  return { [kind]: kind === 'agent' || kind === 'project' ? `nullif(${k}, '')` : k }
}
