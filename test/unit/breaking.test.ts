// `node breaking.ts` compares schema.graphql and the OpenAPI document with those of the last tag.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'breaking-'))
  mkdirSync(join(folder, 'rest'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (path: string, text: string) => writeFileSync(join(folder, path), text)

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder })

const answer = (schema: unknown) => ({ 200: { content: { 'application/json': { schema } } } })
const body = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const text = { type: 'string' }

const before = {
  '/things': {
    get: {
      parameters: [{ name: 'q', in: 'query', schema: { enum: ['a', 'b'] } }],
      responses: answer({ type: 'array', items: { $ref: '#/components/schemas/Thing' } }),
    },
    post: {
      requestBody: body({
        type: 'object',
        required: ['a'],
        properties: { a: text, b: { anyOf: [text, { type: 'null' }] } },
      }),
      responses: answer(text),
    },
  },
  '/other': { get: { responses: answer(text) } },
}
const thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: text, name: text, parent: { $ref: '#/components/schemas/Thing' } },
}

function state(schema: string, paths: unknown, Thing: unknown = thing) {
  write('schema.graphql', schema)
  write('rest/openapi.json', JSON.stringify({ paths, components: { schemas: { Thing } } }))
}

function run() {
  const script = fileURLToPath(new URL('../../breaking.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })
  const changes = stdout.match(/(?<=Since v0\.1\.0: ).*?(?=\. If this)/g)
  return { status, stderr, changes, stdout }
}

function released() {
  state('type Query { one: Int, two: Int }', before)
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-01-01\n')
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
}

it('passes where no release is tagged, and where nothing was taken away', () => {
  released()
  expect(run()).toMatchObject({ status: 0, stdout: 'No release is tagged here: there is nothing to compare with.\n' })
  git('tag', 'v0.1.0')
  const get = {
    parameters: [
      { name: 'q', in: 'query', schema: { enum: ['a', 'b', 'c'] } },
      { name: 'r', in: 'query', schema: text },
    ],
    responses: before['/things'].get.responses,
  }
  const post = {
    requestBody: body({
      type: 'object',
      required: [],
      properties: { a: text, b: { anyOf: [text, { type: 'null' }] }, c: text },
    }),
    responses: answer(text),
  }
  state(
    'type Query { one: Int!, two: Int, three: Int }',
    { ...before, '/things': { get, post }, '/new': {} },
    { ...thing, properties: { ...thing.properties, more: text } },
  )
  expect(run()).toEqual({ status: 0, stderr: '', changes: null, stdout: '' })
})

it('names each change that a client would miss, until the changelog does', () => {
  released()
  git('tag', 'v0.1.0')
  const get = {
    parameters: [
      { name: 'q', in: 'query', schema: { enum: ['a'] } },
      { name: 'r', in: 'query', required: true, schema: text },
    ],
    responses: before['/things'].get.responses,
  }
  const post = {
    requestBody: body({
      type: 'object',
      required: ['a', 'c'],
      properties: { a: { type: 'string', maxLength: 5 }, b: text, c: text },
    }),
    responses: answer({ type: ['string', 'null'] }),
  }
  state(
    'type Query { one: String }',
    { '/things': { get, post } },
    { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: text } },
  )
  const { status, changes } = run()
  expect([status, changes]).toMatchInlineSnapshot(`
    [
      1,
      [
        "Standard scalar Int was removed because it is not referenced anymore",
        "Field Query.two was removed",
        "Field Query.one changed type from Int to String",
        "GET /things query q allows fewer values in a request",
        "GET /things requires query r",
        "Thing.id has the type integer instead of string in an answer",
        "Thing.name can be missing in an answer",
        "Thing.parent was removed from an answer",
        "POST /things.c is required in a request",
        "POST /things.a allows fewer values in a request",
        "POST /things.b has other alternatives in a request",
        "POST /things has the type string,null instead of string in an answer",
        "GET /other was removed",
      ],
    ]
  `)
  write(
    'CHANGELOG.md',
    `# Changelog\n\n## Unreleased\n\n${changes?.map(change => `- ${change}.\n`).join('')}\n## 0.1.0 - 2026-01-01\n`,
  )
  expect(run().status).toBe(0)
  write('CHANGELOG.md', `# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-01-01\n\n${changes?.join('\n')}\n`)
  expect(run().status).toBe(1)
})
