// docs/graphql.md shows code of test/clients/dashboard, which the tests run: a comment before each block names
// its file.
import { readFileSync } from 'node:fs'
import { isAbstractType, isObjectType, parse, validate } from 'graphql'
import { expect, it } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'
import { declaredCost } from '../../src/kit/field-cost.ts'
import { keys } from '../clients/dashboard/keys.ts'

const page = readFileSync('docs/graphql.md', 'utf8')
const blocks = [...page.matchAll(/<!-- (\S+) -->\n```\w+\n(.*?)```/gs)].map(([, file, code]) => ({ file, code }))

it.each(blocks)('shows the code of $file', ({ file, code }) => {
  expect(readFileSync(`test/clients/dashboard/${file}`, 'utf8')).toContain(code)
})

it('names the file of all TypeScript', () => {
  expect(blocks.filter(({ file }) => file?.endsWith('.ts'))).toHaveLength(page.match(/^```ts$/gm)?.length ?? 0)
})

const documents = ['docs/graphql.md', 'README.md'].flatMap(file =>
  [...readFileSync(file, 'utf8').matchAll(/^```graphql\n(.*?)```/gms)].map(([, text = '']) => ({ file, text })),
)

it.each(documents)('GraphQL of $file is valid: $text', ({ text }) => {
  expect(validate(schema, parse(text))).toEqual([])
})

it('names the page sizes of all lists', () => {
  const rows = [...page.matchAll(/^\| (`.*`.*) \| [\d,]+ \| ([\d,]+) \|$/gm)].map(([, lists = '', most = '']) => ({
    lists,
    most: Number(most.replace(',', '')),
  }))
  const fields = Object.values(schema.getTypeMap()).flatMap(type =>
    isObjectType(type) ? Object.values(type.getFields()) : [],
  )
  for (const field of fields.filter(({ type }) => /Connection!?$/.test(String(type)))) {
    const told = rows.filter(({ lists }) => lists.includes(`\`${field.name}\``)).map(({ most }) => most)
    expect(told, field.name).toContain(declaredCost(field).listSize?.maxSize)
  }
})

it('tells Apollo the types of each abstract type', () => {
  const apollo = readFileSync('test/clients/dashboard/apollo.ts', 'utf8')
  const isOwn = (type: { name: string }) => isAbstractType(type) && !type.name.startsWith('__')
  for (const { name } of Object.values(schema.getTypeMap()).filter(isOwn)) {
    const [, listed = ''] = apollo.match(RegExp(`${name}: \\[(.*?)\\]`, 's')) ?? []
    const types = [...listed.matchAll(/'(\w+)'/g)].map(([, type]) => type)
    const type = schema.getType(name)
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : []
    expect(types).toEqual(possible.map(({ name }) => name).sort())
  }
})

it('tells graphcache the types without an id, except those that it knows by their names', () => {
  const known = /^__|PageInfo|(Connection|Edge)$/
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const embedded = Object.values(schema.getTypeMap()).filter(
    type => isObjectType(type) && !roots.includes(type) && !known.test(type.name) && !type.getFields().id,
  )
  expect(Object.keys(keys)).toEqual(embedded.map(({ name }) => name).sort())
  expect(new Set(Object.values(keys).map(key => key()))).toEqual(new Set([null]))
})
