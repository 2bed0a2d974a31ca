import { FieldRef } from '@pothos/core'
import { describe, expect, it } from 'vitest'
import { noteDeclarations } from '../../src/kit/declared-fields.ts'

describe('what Pothos no longer has', () => {
  const field = () => new FieldRef('Object', () => ({}) as never)

  it('is named with the version when the process starts', () => {
    expect(() => noteDeclarations({ prismaField: field })).toThrow(
      /^@pothos\/plugin-prisma \d+\.\d+\.\d+ has no method prismaConnection: adapt src\/kit\/declared-fields\.ts$/,
    )
  })

  it('is named with the version when a field is declared', () => {
    const methods = { prismaField: () => ({}), prismaConnection: field }
    noteDeclarations(methods)
    expect(() => methods.prismaField()).toThrow(/plugin-prisma \d+\.\d+\.\d+ makes no FieldRef in prismaField/)
    expect(methods.prismaConnection()).toBeInstanceOf(FieldRef)
  })
})
