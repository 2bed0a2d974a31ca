// The diagram of a payment's life in ARCHITECTURE.md shows the moves from which the code builds its statements.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { moves } from '../../src/modules/x402/states.ts'

it('ARCHITECTURE.md shows every move of a payment, and no other', async () => {
  const page = await readFile(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const [, life = ''] = page.split('\n## The life of a payment\n')
  const [, diagram = ''] = life.split('```')
  const shown = diagram.split('\n').flatMap(line => /^ *(\S+ --> \S+: \S+)$/.exec(line)?.[1] ?? [])
  const made = Object.entries(moves).flatMap(([name, { from, to }]) =>
    (from.length > 0 ? from : ['[*]']).map(status => `${status} --> ${to ?? '[*]'}: ${name}`),
  )
  expect(shown.toSorted()).toEqual(made.toSorted())
})
