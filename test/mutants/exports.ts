// Exports: their rows, their files and their links.
import type { Mutant } from './mutant.ts'

const rows = 'src/modules/exports/rows.ts'
const file = 'src/modules/exports/file.ts'
const link = 'src/modules/exports/link.ts'
const tasks = 'src/modules/exports/tasks.ts'
const start = 'src/modules/exports/start.ts'
const tests = ['http/exports']

export const exportsOfRows: Mutant[] = [
  {
    file: rows,
    text: '(projectId === null ? {} : { projectId })',
    instead: '({ projectId } && {})',
    tests,
    harm: 'a file has the rows of all projects',
  },
  {
    file: rows,
    text: '{ OR: [{ [column]: { gt: lastAt } }, { id: { gt: lastId } }] }',
    instead: '{ [column]: { gt: lastAt } }',
    tests,
    harm: 'rows of one time are lost where a part ends between them',
  },
  {
    file: rows,
    text: '[{ [column]: { gte: lastAt, lte: createdAt } }, later]',
    instead: '[{ [column]: { gte: lastAt } }, later]',
    tests,
    harm: 'a file has rows that were recorded after its start',
  },
  {
    file: file,
    text: 'escape_formulas: true',
    instead: 'escape_formulas: false',
    tests,
    harm: 'a spreadsheet runs what a payer wrote',
  },
  {
    file: file,
    text: 'quoted_match: /[\\r\\n]/,',
    instead: '',
    tests,
    harm: 'a line break in a text begins a row',
  },
  {
    file: link,
    text: "!timingSafeEqual(signatureOf(found, expires), Buffer.from(data.signature, 'base64url'))",
    instead: 'false',
    tests,
    harm: 'a link is read with any signature',
  },
  {
    file: link,
    text: 'expires * 1_000 < Date.now()',
    instead: 'false',
    tests,
    harm: 'a link never ends',
  },
  {
    file: tasks,
    text: 'and size = $2::bigint and last_id is not distinct from $9::uuid and finished_at is null',
    instead: 'and finished_at is null',
    tests,
    harm: 'two workers write a part twice',
  },
  {
    file: tasks,
    text: 'page.last === null, of.lastId',
    instead: 'page.rows.length < rowsAtOnce, of.lastId',
    tests,
    harm: 'a row that vanishes takes all later ones along',
  },
  {
    file: tasks,
    text: 'failures + 1 >= mostFailures',
    instead: 'false',
    tests,
    harm: 'an export that cannot be written keeps its project from others',
  },
  {
    file: 'src/http/exports.ts',
    text: 'if (res.closed) return release()',
    instead: '',
    tests,
    harm: 'a cancelled download counts as an open stream for ever',
  },
  {
    file: start,
    text: 'running >= mostAtOnce',
    instead: 'false',
    tests,
    harm: 'a project has any number of exports written at one time',
  },
]
