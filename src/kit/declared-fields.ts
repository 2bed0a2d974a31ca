// Notes the declaration of each field of Prisma's plugin in the extensions of the field. Pothos hands a plugin only the
// resolver that Prisma's plugin made, and no way to add an option to its methods, so the methods are wrapped.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { FieldRef, RootFieldBuilder, type SchemaTypes } from '@pothos/core'
import '@pothos/plugin-prisma'

type Make = (this: unknown, options: object, ...others: unknown[]) => unknown

/** Throws when Pothos is no longer as this file expects it. */
export function noteDeclarations(methods: object): void {
  for (const name of ['prismaField', 'prismaConnection'] as const) {
    const make: Make | undefined = Reflect.get(methods, name)
    if (typeof make !== 'function') throw changed(`has no method ${name}`)
    const noted: Make = function (options, ...others) {
      const field = make.call(this, options, ...others)
      if (!(field instanceof FieldRef)) throw changed(`makes no FieldRef in ${name}`)
      const ref: FieldRef<SchemaTypes> = field
      ref.updateConfig(config => ({ ...config, extensions: { ...config.extensions, declared: options } }))
      return field
    }
    Reflect.set(methods, name, noted)
  }
}

function changed(what: string): Error {
  const require = createRequire(import.meta.url)
  const { version } = require(join(dirname(require.resolve('@pothos/plugin-prisma')), '../package.json'))
  return new Error(`@pothos/plugin-prisma ${version} ${what}: adapt src/kit/declared-fields.ts`)
}

noteDeclarations(RootFieldBuilder.prototype)
