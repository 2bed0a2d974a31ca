// docs/graphql.md shows code of test/clients/dashboard, which the tests run: a comment before each block names
// its file.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const page = readFileSync('docs/graphql.md', 'utf8')
const blocks = [...page.matchAll(/<!-- (\S+) -->\n```\w+\n(.*?)```/gs)].map(([, file, code]) => ({ file, code }))

it.each(blocks)('shows the code of $file', ({ file, code }) => {
  expect(readFileSync(`test/clients/dashboard/${file}`, 'utf8')).toContain(code)
})

it('names the file of all TypeScript', () => {
  expect(blocks.filter(({ file }) => file?.endsWith('.ts'))).toHaveLength(page.match(/^```ts$/gm)?.length ?? 0)
})
