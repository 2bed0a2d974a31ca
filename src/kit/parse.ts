// Parses input with zod and converts zod's issues to issues with stable types, in the wording of the REST API.
import type { z } from 'zod'
import { type Issue, invalid } from '../core/errors.ts'

// A list can contain thousands of mistakes; the response need not name them all.
const mostIssues = 100

/** Throws `validation_failed`; `at` is the path of the value in the caller's arguments. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, at: string[] = []): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(issuesIn(result.error, at))
}

/** Returns the first of the issues that zod found in a value; `at` is the path of the value. */
export const issuesIn = ({ issues }: z.ZodError, at: Issue['path']): Issue[] =>
  issues.slice(0, mostIssues).flatMap(issue => issuesOf(issue, at))

function issuesOf(issue: z.core.$ZodIssue, at: Issue['path']): Issue[] {
  const path = [...at, ...issue.path.map(part => (typeof part === 'symbol' ? String(part) : part))]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({
      path: [...path, key],
      message: 'Extra inputs are not permitted',
      type: 'extra_forbidden',
    }))
  }
  return [{ path, message: issue.message, type: typeOf(issue) }]
}

function typeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'missing' : `${issue.expected}_type`
  if (issue.code === 'too_small') return issue.origin === 'string' ? 'string_too_short' : 'greater_than_equal'
  if (issue.code === 'too_big') return issue.origin === 'string' ? 'string_too_long' : 'less_than_equal'
  if (issue.code === 'invalid_format') return issue.format === 'guid' ? 'uuid_parsing' : 'string_pattern_mismatch'
  if (issue.code === 'invalid_value') return 'enum'
  if (issue.code === 'custom' && typeof issue.params?.type === 'string') return issue.params.type
  return 'value_error'
}
