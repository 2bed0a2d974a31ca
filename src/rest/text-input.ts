// Reads values that a request can only carry as text: path segments, query parameters and headers.
import type { GraphQLSchema } from 'graphql'
import { type Fault, faults, type Reader, refuse } from './faults.ts'
import { float, int, jsonOf, list } from './input.ts'
import type { InputType } from './route.ts'

const integerText = /^[+-]?\d{1,16}$/
const numberText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const truth: Record<string, boolean> = { true: true, false: false, '1': true, '0': false }

const convert =
  (form: RegExp, fault: Fault, read: Reader): Reader =>
  (value, loc, issues) =>
    typeof value === 'string' && form.test(value) ? read(Number(value), loc, issues) : refuse(issues, loc, fault)

const texts: Record<string, Reader> = {
  Int: convert(integerText, faults.intText, int),
  Float: convert(numberText, faults.floatText, float),
  Boolean: (value, loc, issues) =>
    typeof value === 'string' && Object.hasOwn(truth, value) ? truth[value] : refuse(issues, loc, faults.boolText),
}

/** Returns the reader of a path segment, query parameter or header; that of a list accepts an array of texts. */
export function textReader(type: InputType, schema: GraphQLSchema): Reader {
  if (type.kind === 'list') return list(textReader(type.of, schema))
  return (type.kind === 'scalar' ? texts[type.name] : undefined) ?? jsonOf(type, schema)
}
