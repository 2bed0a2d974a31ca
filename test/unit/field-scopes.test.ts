import { expect, it } from 'vitest'
import { scopesOf } from '../../src/kit/field-scopes.ts'

type Row = { id: string; projectId: string }

it('scopes are read in their three forms, and refused in any other', () => {
  expect(scopesOf({ access: 'manage' })).toEqual({ access: 'manage' })
  expect(scopesOf(({ projectId }: Row) => ({ project: projectId }))).toEqual({ project: 'projectId' })
  const both = ({ id }: Row) => ({ $all: { access: 'manage', project: id } })
  expect(scopesOf(both)).toEqual({ access: 'manage', project: 'id' })
  // By Pothos, the caller would need only one of these.
  for (const other of [{ access: 'manage', project: 'id' }, { $any: { access: 'read' } }, { project: 'name' }, 'read'])
    expect(() => scopesOf(other)).toThrow()
})
