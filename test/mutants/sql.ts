// Reads compiled to SQL.
import type { Mutant } from './mutant.ts'

const tests = ['database/compiled-reads']
const guard = 'src/kit/sql/guard.ts'
const rows = 'src/kit/sql/rows.ts'
const where = 'src/kit/sql/where.ts'
const compile = 'src/kit/sql/compile.ts'
const connection = 'src/kit/sql/connection.ts'

export const sql: Mutant[] = [
  {
    file: guard,
    text: `return \`\${alias}.\${column.name} = \${statement.value(projectId, 'uuid')}\``,
    instead: 'return null',
    tests,
    harm: 'a tenant reads the project and the payments of another tenant’s receipt',
  },
  {
    file: guard,
    text: `  if (access !== undefined && !may(principal, access)) return 'false'\n`,
    instead: '',
    tests,
    harm: 'a viewer lists the API keys of its project',
  },
  {
    file: guard,
    text: `  if (!may(principal, 'read')) return 'false'\n`,
    instead: `  if (principal.kind !== 'key') return null\n`,
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
    text: ` order by \${asked}.n`,
    instead: ` order by \${asked}.id`,
    tests: ['http/graph'],
    harm: 'nodes are in the order of their ids, not in the order in which they are asked for',
  },
  {
    file: compile,
    text: 'JSON.stringify(JSON.parse(JSON.parse(json)))',
    instead: 'JSON.parse(json)',
    tests,
    harm: 'the members of a JSON object have another order, and spaces, than in an answer by resolvers',
  },
  {
    file: 'src/kit/sql/value.ts',
    text: '  demand(planner.context.principal, access as Access)\n',
    instead: '',
    tests,
    harm: 'a viewer lists API keys by the root field',
  },
  {
    file: 'src/kit/sql/page.ts',
    text: '  checks.push(() => checkCursors(entry, page, context))\n',
    instead: '',
    tests,
    harm: 'a cursor tells whether another tenant has an entry, and its place',
  },
  {
    file: 'src/kit/sql/known-plans.ts',
    text: `\${JSON.stringify(principal)}`,
    instead: `\${principal.kind}`,
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
    text: '    ...(find.cursor ? [behind(statement, source, find.cursor, orderOf(table, find.orderBy), find.take)] : []),\n',
    instead: '',
    tests,
    harm: 'each page is the first page again',
  },
  {
    file: 'src/kit/sql/place.ts',
    text: 'take >= 0 ? direction : reverse[direction]',
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
    file: 'src/kit/sql/read.ts',
    text: 'found.get(index + 1)',
    instead: 'found.get(1)',
    tests,
    harm: 'callers whose reads are run together get the answer of the first',
  },
  {
    file: 'src/kit/sql/found-by-id.ts',
    text: 'sqlOfRows(planner, source, find, belonging(above.source, relation))',
    instead: 'sqlOfRows(planner, source, find)',
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
    file: compile,
    text: `text.includes(refusal) ? [] : [[key, told(text)] as const]`,
    instead: '[[key, told(text)] as const]',
    tests,
    harm: 'a refused field has a text of ours as its value, and no error',
  },
  {
    file: compile,
    text: `String(charged(context, { total: Number(number), read: Number(read) }))`,
    instead: 'number',
    tests,
    harm: 'a count of any number of rows costs nothing',
  },
  {
    file: 'src/kit/sql/selection.ts',
    text: '  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false\n',
    instead: '  return true\n',
    tests,
    harm: 'fields are answered that @include leaves out',
  },
]
