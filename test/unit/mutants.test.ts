// Each change that `npm run mutants` makes still fits the code. The changes themselves take hours to run.
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { stale } from '../mutants/all.ts'

it('no mutant is stale', async () => {
  expect(await stale(fileURLToPath(new URL('../..', import.meta.url)))).toEqual([])
})
