// Reads compiled to SQL.
import type { Mutant } from './mutant.ts'

const tests = ['database/compiled-reads']
const host = 'src/kit/sql-host.ts'
const rows = 'src/kit/sql/write/rows.ts'
const where = 'src/kit/sql/write/where.ts'
const answer = 'src/kit/sql/run/answer.ts'
const connection = 'src/kit/sql/plan/connection.ts'

export const sql: Mutant[] = [
  {
    file: host,
    text: 'return projectId === undefined || { field: project, value: projectId }',
    instead: 'return true',
    tests,
    harm: 'a tenant reads the project and the payments of another tenant’s receipt',
  },
  {
    file: host,
    text: '  if (access !== undefined && !may(principal, access)) return false\n',
    instead: '',
    tests,
    harm: 'a viewer lists the API keys of its project',
  },
  {
    file: host,
    text: `  if (!may(principal, 'read')) return false\n`,
    instead: `  if (principal.kind !== 'key') return true\n`,
    tests,
    harm: 'a caller without a key reads what is private to a project',
  },
  {
    file: 'src/modules/nodes/in-sql.ts',
    text: ' || !may(context.principal, access)',
    instead: '',
    tests: ['http/access'],
    harm: 'a viewer finds an API key by its id',
  },
  {
    file: 'src/modules/nodes/in-sql.ts',
    text: ` order by \${row}.n`,
    instead: ` order by \${row}.id`,
    tests: ['http/graph'],
    harm: 'nodes are in the order of their ids, not in the order in which they are asked for',
  },
  {
    file: answer,
    text: 'JSON.stringify(JSON.parse(JSON.parse(json)))',
    instead: 'JSON.parse(json)',
    tests,
    harm: 'the members of a JSON object have another order, and spaces, than in an answer by resolvers',
  },
  {
    file: host,
    text: '  if (right !== undefined) demand(principal, right as Right)\n',
    instead: '',
    tests,
    harm: 'a viewer lists API keys by the root field',
  },
  {
    file: host,
    text: 'check: () => checkCursors(entry, page, context)',
    instead: 'check: null',
    tests,
    harm: 'a cursor tells whether another tenant has an entry, and its place',
  },
  {
    file: host,
    text: `\${JSON.stringify(context.principal)}`,
    instead: `\${context.principal.kind}`,
    tests,
    harm: 'a tenant gets the rows of the tenant who asked before',
  },
  {
    file: where,
    text: `if (key === 'AND') return [all(each(value))]`,
    instead: `if (key === 'AND') return []`,
    tests,
    harm: 'a filter is ignored, also that of the own project',
  },
  {
    file: where,
    text: `if (key === 'OR') return [any(each(value))]`,
    instead: `if (key === 'OR') return [all(each(value))]`,
    tests,
    harm: 'receipts of a wallet are those that it sent to itself',
  },
  {
    file: where,
    text: `lte: '<='`,
    instead: `lte: '<'`,
    tests,
    harm: 'the end of a range does not belong to it',
  },
  {
    file: rows,
    text: '    ...(find.cursor ? [keysetCondition(statement, source, find.cursor, read)] : []),\n',
    instead: '',
    tests,
    harm: 'each page is the first page again',
  },
  {
    file: rows,
    text: 'take < 0 ? opposite[direction] : direction',
    instead: 'direction',
    tests,
    harm: 'the last page is the first one',
  },
  {
    file: connection,
    text: ` order by \${alias}.n desc\``,
    instead: '`',
    tests,
    harm: 'a page that is read backwards is upside down',
  },
  {
    file: connection,
    text: `\`(count(*) > \${size})::text\``,
    instead: `\`(count(*) >= \${size})::text\``,
    tests,
    harm: 'a full last page promises another one',
  },
  {
    file: 'src/kit/sql/run/query.ts',
    text: 'byNumber.get(index + 1)',
    instead: 'byNumber.get(1)',
    tests,
    harm: 'callers whose reads are run together get the answer of the first',
  },
  {
    file: 'src/kit/sql/page-ids.ts',
    text: 'rowsSql(statement, source, find, keys)',
    instead: 'rowsSql(statement, source, find)',
    tests,
    harm: 'receipts of other projects take the places of those of a project',
  },
  {
    file: 'src/modules/receipts/total.ts',
    text: 'count(*)::float8 as total, (count(a.id)',
    instead: '(count(a.id) + count(b.id))::float8 as total, (count(a.id)',
    tests: ['http/totals'],
    harm: 'a payment between two wallets is counted twice',
  },
  {
    file: answer,
    text: ' && !text.includes(refusal)',
    instead: '',
    tests,
    harm: 'a refused field has a text of ours as its value, and no error',
  },
  {
    file: host,
    text: 'charged(context, { total: work.rows, read: work.rows })',
    instead: 'return',
    tests,
    harm: 'a count of any number of rows costs nothing',
  },
  {
    file: 'src/kit/sql/plan/selection.ts',
    text: '  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false\n',
    instead: '  return true\n',
    tests,
    harm: 'fields are answered that @include leaves out',
  },
]
