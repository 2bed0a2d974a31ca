// Pages of a connection by number or by offset: the page's place becomes the cursor of the connection.
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import { offsetCursor } from '../kit/offset-cursor.ts'
import { parse } from '../kit/parse.ts'
import type { WireIssue } from './faults.ts'
import type { Variables } from './prepared.ts'
import type { Page } from './route.ts'

/** The variable of the operation that carries the cursor. */
export const cursorVariable = 'page_cursor'

export const pageRules = {
  number: z.int().min(1).max(1_000_000).nullish(),
  offset: z.int().min(0).max(1_000_000).nullish(),
  size: z.int().min(1).max(200).nullish(),
}

/** The returned function adds defaults and the cursor to the variables, and violations of the rules to `issues`. */
export function pageReader({ number, offset, size, defaults, in: place }: Page) {
  const rules = z.looseObject({
    ...(number && { [number]: pageRules.number }),
    ...(offset && { [offset]: pageRules.offset }),
    [size]: pageRules.size,
  })
  return (variables: Variables, issues: WireIssue[]): void => {
    const read = Object.fromEntries(
      Object.keys(rules.shape).map(name => [name, issues.some(({ loc }) => loc[1] === name) ? null : variables[name]]),
    )
    try {
      parse(rules, read)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      for (const { path, message, type } of error.issues) issues.push({ loc: [place, ...path], msg: message, type })
    }
    for (const name of Object.keys(rules.shape)) variables[name] ??= defaults[name]
    const value = (name: string | undefined, otherwise: number) => Number((name && variables[name]) ?? otherwise)
    const skipped = value(offset, 0) + (value(number, 1) - 1) * value(size, 0)
    if (skipped > 0) variables[cursorVariable] = offsetCursor(skipped)
  }
}
