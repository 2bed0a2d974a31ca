// Groups, search and filters.
import type { Mutant } from './mutant.ts'

const time = 'src/kit/groups/time.ts'
const form = 'src/modules/stats/receipts/form.ts'
const sums = 'src/modules/stats/receipts/sums.ts'
const filter = 'src/modules/receipts/filter.ts'
const search = 'src/modules/nodes/search.ts'
const groups = ['http/receipt-groups']
const filters = ['http/receipt-filters']

export const stats: Mutant[] = [
  {
    file: form,
    text: "(project === null ? 'true' : ",
    instead: "(true ? 'true' : ",
    tests: ['http/receipt-groups', 'http/stats'],
    harm: 'sums are of all projects',
  },
  {
    file: search,
    text: "(own === null ? 'true' : ",
    instead: "(true ? 'true' : ",
    tests: ['http/search'],
    harm: 'a search finds what belongs to another project',
  },
  {
    file: form,
    text: "beginsWith(quarter, filter) ? { name: 'receipt_periods', isCounted: true } : receipts",
    instead: "{ name: 'receipt_periods', isCounted: true }",
    tests: groups,
    harm: 'a range that begins within a quarter of an hour adds up all of it',
  },
  {
    file: form,
    text: "if (!beginsWith(hour, filter)) return `'quarter'`",
    instead: '',
    tests: groups,
    harm: 'a range that begins within an hour adds up all of it',
  },
  {
    file: time,
    text: ">= day then begin - interval '1 hour' else",
    instead: '>= day then begin else',
    tests: groups,
    harm: 'a day whose midnight comes twice lacks its first hour',
  },
  {
    file: time,
    text: "group by date_trunc('hour', half,",
    instead: "group by half, date_trunc('hour', half,",
    tests: groups,
    harm: 'hours are half hours',
  },
  {
    file: sums,
    text: 'sum(of(2))}`',
    instead: 'sum(of(1))}`',
    tests: groups,
    harm: 'refunds that are only announced lower the net turnover',
  },
  {
    file: filter,
    text: "const mayBeAbsent = ['anchoredAt', 'bundleHash', 'ledgerTxid', 'referenceKey', 'settlementStatus'] as const",
    instead: 'const mayBeAbsent = [] as const',
    tests: filters,
    harm: '`not` leaves out receipts that have no value',
  },
  {
    file: filter,
    text: 'if (ways.length > 0 && ways.every(way => way.length > 0)) all',
    instead: 'if (ways.length > 0) all',
    tests: ['http/graph'],
    harm: 'a live list whose `or` has an empty condition removes all its receipts',
  },
  {
    file: 'src/core/text-filter.ts',
    text: ".replace(/../g, 'g$&')",
    instead: '',
    tests: filters,
    harm: 'references in other scripts are not found',
  },
  {
    file: 'src/modules/receipts/counters.ts',
    text: "const isOfAll = orderBy?.field !== 'anchored_at' && orderBy?.field !== 'booked_at'",
    instead: 'const isOfAll = true',
    tests: filters,
    harm: 'a total counts receipts that the list leaves out',
  },
]
