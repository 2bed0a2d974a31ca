// `npm run check` names mistakes that tests would miss, because no test knows the new code.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'check-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function run(...args: string[]): { status: number | null; lines: string[] } {
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, lines: stdout.split('\n').filter(line => /^\S/.test(line)) }
}

// Each right line is followed by its wrong variants.
const program = `import { z } from 'zod'
import { builder } from '${root}src/kit/builder.ts'
import { jobs } from '${root}src/kit/jobs.ts'
import { verb } from '${root}src/kit/verb.ts'
const id = 'b7a4c1d2-0000-4000-8000-000000000000'
const common = { name: 'thing.change', access: 'admin' as const, input: z.object({}) }
export const cases = [
  () => jobs.seal({ receipts: [id] }),
  () => jobs.seel({ receipts: [id] }),
  () => jobs.seal({ receipt: id }),
  () => jobs.seal({ receipts: id }),
  () => builder.queryField('one', t => t.int({ access: 'read', errors: [], resolve: () => 1 })),
  () => builder.queryField('one', t => t.int({ errors: [], resolve: () => 1 })),
  () => builder.mutationField('one', t => t.int({ errors: [], resolve: () => 1 })),
  () => verb({ ...common, run: async () => ({ result: 1, audit: 'unchanged' }) }),
  () => verb({ ...common, run: async () => ({ result: 1 }) }),
]
`

it('a misspelt job, a wrong payload, a root field without access and a write without audit do not compile', () => {
  const compilerOptions = { typeRoots: [`${root}node_modules/@types`] }
  write('tsconfig.json', JSON.stringify({ extends: `${root}tsconfig.json`, compilerOptions, include: ['program.ts'] }))
  write('package.json', '{ "type": "module" }')
  write('program.ts', program)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { lines } = run(join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', '--pretty', 'false')
  const mistakes = lines.map(line => /^program\.ts\((\d+),.* error TS\d+: (.*)/.exec(line)?.slice(1))
  expect(mistakes).toEqual([
    ['9', expect.stringContaining("'seel' does not exist")],
    ['10', expect.stringContaining("'receipt' does not exist")],
    ['11', expect.stringContaining("not assignable to type 'string[]'")],
    ['13', expect.stringContaining("'access' is missing")],
    ['14', expect.stringContaining("'access' is missing")],
    ['16', expect.any(String)],
  ])
})

it('a setting without its line, a lock `for update`, a long comment and one without a subject are violations of rules', () => {
  const example = readFileSync(join(root, '.env.example'), 'utf8')
  write('.env.example', example)
  write('prisma/released.txt', readFileSync(join(root, 'prisma/released.txt'), 'utf8'))
  write('src/a.ts', '`select id from receipts for no key update`')
  expect(run(join(root, 'rules.ts'))).toEqual({ status: 0, lines: [] })
  write('.env.example', example.replace(/^#?PORT=.*\n/m, ''))
  write('src/b.ts', '`select id from receipts\n  for update skip locked`')
  write('bin/c.js', `/**\n * ${'a '.repeat(60)}\n */\n// ${'b'.repeat(117)}\nconst text = '${'c'.repeat(120)}'\n`)
  write('bin/d.js', '// A line\n// What follows goes on.\n\n/** Whose id it is. */\n/**\n * Of a row.\n */\n')
  write('prisma/migrations/2/migration.sql', 'SELECT id FROM receipts FOR UPDATE;')
  expect(run(join(root, 'rules.ts'))).toEqual({
    status: 1,
    lines: [
      'prisma/migrations/2/migration.sql locks rows `for update`: use `for no key update`',
      'src/b.ts locks rows `for update`: use `for no key update`',
      '.env.example has no line for PORT',
      'bin/c.js:2 has a comment of more than 120 columns',
      'bin/d.js has a comment that begins with Whose',
      'bin/d.js has a comment that begins with Of',
    ],
  })
})

it('a name in another style, a missing description, a list without cursors and an unused type are violations of the schema', () => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  write('package.json', '{ "type": "module" }')
  write('eslint.config.js', readFileSync(join(root, 'eslint.config.js'), 'utf8'))
  const schema = readFileSync(join(root, 'schema.graphql'), 'utf8')
  const faulty = schema
    .replace('type Viewer {', 'type Viewer {\n  """Told."""\n  a_b: Int\n  """Told."""\n  id: ID!\n')
    .replace('"""Any API key."""', '')
    .replace('type Query {', 'type Query {\n  """Told."""\n  odd: ReceiptConnection\n')
  write('schema.graphql', `${faulty}\n"""Told."""\ntype Unused {\n  """Told."""\n  a: Int\n}\n`)
  const { lines, status } = run(join(root, 'node_modules/eslint/bin/eslint.js'), 'schema.graphql', '--format', 'json')
  const [{ messages }] = JSON.parse(lines.join('')) as [{ messages: { ruleId: string }[] }]
  const rules = messages.map(({ ruleId }) => ruleId.replace('@graphql-eslint/', ''))
  expect([status, new Set(rules)]).toEqual([
    1,
    new Set([
      'naming-convention',
      'require-description',
      'relay-arguments',
      'no-restricted-syntax',
      'no-unreachable-types',
    ]),
  ])
})
