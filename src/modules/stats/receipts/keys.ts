// The keys of groups of receipts, in SQL, and how each shows in an answer.
import { caip2InSql } from '../../../core/identity.ts'
import { utc } from '../../../core/time-zone.ts'
import type { Key } from '../../../kit/groups/statement.ts'
import { rangeOf } from '../../../kit/groups/time.ts'
import type { Row } from '../../../kit/sql/index.ts'
import { agentWithWallet } from '../../agents/with-wallet.ts'
import { decisionInSql } from '../../compliance/report.ts'
import type { ReceiptFilter } from '../../receipts/filter.ts'
import type { GroupedBy } from './arguments.ts'

export type Kind = keyof GroupedBy

/** Those that counters tell apart. */
export const countedKinds: readonly Kind[] = ['time', 'status', 'chain', 'currency', 'project']

/** Returns what a wallet on the other side than the project's own has in this column; without one, an empty text. */
const other = ({ column }: Row, ofSender: string, ofReceiver: string) =>
  `case when ${column('senderProven')} and ${column('receiverProven')} then '' when ${column('senderProven')} then ${column(ofReceiver)}
    when ${column('receiverProven')} then ${column(ofSender)} else '' end`

const columns = { created_at: 'createdAt', booked_at: 'bookedAt', anchored_at: 'anchoredAt' } as const
export const timeOf = ({ of }: { of?: keyof typeof columns | null | undefined }) => columns[of ?? 'created_at']

export const kindOf = (by: GroupedBy): Kind => {
  const [kind] = Object.entries(by).flatMap(([kind, value]) => (value == null ? [] : [kind as Kind]))
  if (kind === undefined) throw new Error('a key without a member')
  return kind
}

/** `extremes`: returns a select of the ends `lo` and `hi` of a column over all receipts that the caller may see. */
export function keyOf(by: GroupedBy, row: Row, filter: ReceiptFilter, extremes: (column: string) => string): Key {
  const { column } = row
  switch (kindOf(by)) {
    case 'time': {
      const time = by.time as NonNullable<GroupedBy['time']>
      const name = timeOf(time)
      const range = rangeOf(name === 'bookedAt' ? null : filter[name])
      const { unit, timeZone, fill } = time
      return { unit, zone: timeZone ?? utc, fill: fill ?? false, range, of: column(name), extremes: extremes(name) }
    }
    case 'status':
      return { of: `${column('status')}::text` }
    case 'chain':
      return { of: column('chainKey'), label: column('chain') }
    case 'currency':
      return { of: column('currency') }
    case 'sender':
      return { of: column('senderKey'), label: column('senderWallet') }
    case 'receiver':
      return { of: column('receiverKey'), label: column('receiverWallet') }
    case 'counterparty':
      return { of: other(row, 'senderKey', 'receiverKey'), label: other(row, 'senderWallet', 'receiverWallet') }
    case 'complianceDecision':
      return { of: `coalesce(${decisionInSql(row, 'checks')}, 'unavailable')` }
    case 'settlementStatus':
      return { of: `coalesce(${column('settlementStatus')}::text, '')` }
    case 'agent':
      return { of: agentWithWallet(column('senderKey'), column('projectId')) }
    case 'project':
      return { of: `${column('projectId')}::text` }
  }
}

/** How the value `k` of a key and its label `l` show, by the fields of ReceiptGroupKey. */
export const keyFields: Record<Exclude<Kind, 'time'>, (k: string, l: string) => Record<string, string>> = {
  status: k => ({ status: k }),
  chain: (k, l) => ({ chain: l, network: caip2InSql(k) }),
  currency: k => ({ currency: k }),
  sender: (_, l) => ({ sender: l }),
  receiver: (_, l) => ({ receiver: l }),
  counterparty: (_, l) => ({ counterparty: `nullif(${l}, '')` }),
  complianceDecision: k => ({ complianceDecision: k }),
  settlementStatus: k => ({ settlementStatus: `nullif(${k}, '')` }),
  agent: k => ({ agent: `nullif(${k}, '')` }),
  project: k => ({ project: k }),
}
