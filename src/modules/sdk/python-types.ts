// The types of the Python client: a typed dictionary for each object.
import type { Description, Schema } from './description.ts'
import { refName, upperFirst } from './description.ts'
import { notice } from './typescript.ts'

export const reserved = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
)

const pascal = (name: string) => name.split('_').map(upperFirst).join('')

/** Returns a Python literal; JSON's escapes have the same meaning in Python. */
export const literal = (value: unknown): string =>
  value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value)

const plain: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

/** Returns the Python type, and adds the classes it needs to `into`; an object without a name gets `name`. */
export function typeOf(schema: Schema, name: string, into: string[]): string {
  const { $ref, anyOf, oneOf, allOf = [], const: only, enum: values, type, properties, items } = schema
  if ($ref !== undefined) return refName($ref)
  if (only !== undefined) return `Literal[${literal(only)}]`
  if (values) return `Literal[${values.map(literal).join(', ')}]`
  const choices = anyOf ?? oneOf
  if (choices && type === undefined)
    return union(choices.map((choice, index) => typeOf(choice, `${name}${index + 1}`, into)))
  // A typed dictionary cannot be composed of several schemas.
  if (allOf.length > 0 && !properties) return 'dict[str, Any]'
  return union(
    [type ?? []].flat().map(one => {
      if (one === 'array') return `list[${items ? typeOf(items, `${name}Item`, into) : 'Any'}]`
      if (one !== 'object') return plain[one] ?? 'Any'
      if (!properties || Object.keys(properties).length === 0) return 'dict[str, Any]'
      into.push(classOf(schema, name, into))
      return name
    }),
  )
}

export const union = (types: string[]): string => (types.length === 0 ? 'Any' : [...new Set(types)].join(' | '))

function classOf({ properties = {}, required = [] }: Schema, name: string, into: string[]): string {
  const members = Object.entries(properties).map(([key, schema]) => {
    const type = typeOf(schema, `${name}${pascal(key)}`, into)
    return [key, required.includes(key) ? type : `NotRequired[${type}]`] as const
  })
  if (members.some(([key]) => reserved.has(key)))
    return `${name} = TypedDict("${name}", {${members.map(([key, type]) => `${literal(key)}: ${literal(type)}`).join(', ')}})`
  return [`class ${name}(TypedDict):`, ...members.map(([key, type]) => `    ${key}: ${type}`)].join('\n')
}

/** Returns the source of the module `types`. */
export function pythonTypes({ schemas, operations }: Description): string {
  // The methods accept query parameters as keyword arguments, so these schemas need no type.
  const queries = new Set(operations.map(({ query }) => query?.type))
  const declared = [...schemas]
    .filter(([name]) => !queries.has(name))
    .map(([name, schema]) => {
      const into: string[] = []
      const type = typeOf(schema, name, into)
      // A schema that is no object becomes an alias, in quotes because the aliased type may be declared further down.
      return [...into, ...(type === name ? [] : [`${name}: TypeAlias = ${literal(type)}`])].join('\n\n\n')
    })
  return [
    `# ${notice}`,
    'from __future__ import annotations',
    '',
    'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict',
    '',
    '',
    `${declared.join('\n\n\n')}\n`,
  ].join('\n')
}
