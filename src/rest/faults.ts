// Faults of request values, with the types and messages that clients of pydantic-based APIs know.
import type { Loc } from './route.ts'

export type WireIssue = { loc: Loc; msg: string; type: string }
/** Returns the value as the operation accepts it. Adds a fault to `issues`, and never throws. */
export type Reader = (value: unknown, loc: Loc, issues: WireIssue[]) => unknown

export const maxDepth = 64

export type Fault = readonly [type: string, msg: string]
export const faults = {
  string: ['string_type', 'Input should be a valid string'],
  // PostgreSQL stores neither, so both are refused here.
  unicode: ['string_unicode', 'Input should be a valid string without NUL characters and lone surrogates'],
  uuid: ['uuid_parsing', 'Input should be a valid UUID'],
  int: ['int_type', 'Input should be a valid integer'],
  intText: ['int_parsing', 'Input should be a valid integer, unable to parse string as an integer'],
  fraction: ['int_from_float', 'Input should be a valid integer, got a number with a fractional part'],
  intSize: ['int_parsing_size', 'Input should be an integer of at most 32 bits'],
  float: ['float_type', 'Input should be a valid number'],
  floatText: ['float_parsing', 'Input should be a valid number, unable to parse string as a number'],
  bool: ['bool_type', 'Input should be a valid boolean'],
  boolText: ['bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
  list: ['list_type', 'Input should be a valid list'],
  object: ['model_attributes_type', 'Input should be a valid object'],
  depth: ['recursion_limit', `Input should not be nested deeper than ${maxDepth}`],
} as const satisfies Record<string, Fault>

export const missing: Fault = ['missing', 'Field required']
export const extra: Fault = ['extra_forbidden', 'Extra inputs are not permitted']

export function refuse(issues: WireIssue[], loc: Loc, [type, msg]: Fault): undefined {
  issues.push({ loc, msg, type })
}
