// The commands and the demo ask the service by GraphQL documents that no tool generates: each fits the schema.
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { parse, validate } from 'graphql'
import { expect, it } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'

const files = (
  await Promise.all(
    ['src/cli', 'demo'].map(async folder =>
      (await readdir(folder, { recursive: true })).flatMap(name => (name.endsWith('.ts') ? [`${folder}/${name}`] : [])),
    ),
  )
).flat()
const text = /(['`])((?:(?:query|mutation|subscription)\b[^'`]*)?\{ ?\n? *\w[^'`]*\})\1/g

const documents = files.flatMap(file =>
  [...readFileSync(file, 'utf8').matchAll(text)].map(([, , document = '']) => ({ file, document })),
)

it('are found', () => {
  expect([...new Set(documents.map(({ file }) => file))].sort()).toEqual([
    'demo/demo.ts',
    'src/cli/import/send.ts',
    'src/cli/listen.ts',
    'src/cli/listen/events.ts',
    'src/cli/service.ts',
    'src/cli/trigger/local-chain.ts',
    'src/cli/trigger/receipt.ts',
  ])
})

it.each(documents)('$file: $document', ({ document }) => {
  expect(validate(schema, parse(document))).toEqual([])
})
