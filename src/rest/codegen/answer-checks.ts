// Checks of a response: its kind must fit its shape, and each directive must fit its field.
import { OperationTypeNode } from 'graphql'
import { snakeCase } from '../names.ts'
import { annotated, nameArgument } from './annotation.ts'
import type { Candidate } from './checks.ts'
import type { Report } from './mistakes.ts'
import type { Member, Shape } from './shape-type.ts'

/** Returns the fields of the root object if it is a single object of one type; otherwise none. */
const rootMembers = (shape: Shape): Member[] =>
  shape.kind === 'object' && shape.variants.length === 1 ? (shape.variants[0] ?? []) : []

const fileFields = ['name', 'mediaType', 'sha256', 'content']

export function checkAnswer({ annotation }: Candidate, shape: Shape, report: Report): void {
  const { answer, at } = annotation
  if ((answer === 'TEXT' || answer === 'REDIRECT') && shape.kind !== 'leaf') {
    report(at('answer'), `${answer} is for a root field that is a scalar.`)
  }
  if (answer !== 'FILE') return
  const unaliased = rootMembers(shape).filter(({ key, node }) => key === snakeCase(node.name.value))
  const names = unaliased.map(({ node }) => node.name.value)
  const lacking = fileFields.filter(name => !names.includes(name))
  if (lacking.length > 0) report(at('answer'), `A file needs these fields, without aliases: ${lacking.join(', ')}.`)
}

/** Reports misplaced @sparse. Variants with an object at the same path must agree on @sparse. */
export function checkSparse({ operation, annotation }: Candidate, shape: Shape, report: Report): void {
  const streams = operation.operation === OperationTypeNode.SUBSCRIPTION
  const found = new Map<string, boolean>()
  const walk = (part: Shape, path: string[]): void => {
    if (part.kind === 'list') walk(part.of, path)
    if (part.kind !== 'object') return
    const { node, sparse, variants } = part
    const place = path.join('.')
    const blamed = annotated(node, 'sparse') ?? node
    if ((found.get(place) ?? sparse) !== sparse) report(blamed, `Only one variant of ${place} has @sparse.`)
    if (sparse && (streams || annotation.answer !== 'JSON'))
      report(blamed, '@sparse is for a route that answers with JSON.')
    found.set(place, sparse)
    for (const { key, shape: inner } of variants.flat()) walk(inner, [...path, key])
  }
  walk(shape, [])
}

/** Collects the fields with @header and @eventId, which are mistakes anywhere but on the root object. */
export function asideOf({ operation, annotation }: Candidate, shape: Shape, report: Report) {
  const streams = operation.operation === OperationTypeNode.SUBSCRIPTION
  const headers: { key: string; header: string }[] = []
  let eventId: string | null = null
  const walk = (part: Shape, depth: number): void => {
    if (part.kind === 'list') walk(part.of, depth + 1)
    for (const { key, node, shape: inner } of part.kind === 'object' ? part.variants.flat() : []) {
      const header = nameArgument(node, 'header')
      const id = annotated(node, 'eventId')
      const fits = depth === 0 && inner.kind === 'leaf'
      const isList = depth === 0 && inner.kind === 'list' && inner.of.kind === 'leaf'
      if (header) headers.push({ key, header: header.value })
      if (header && (!(fits || isList) || streams || annotation.answer !== 'JSON')) {
        report(
          header.node,
          '@header is for a scalar, or a list of scalars, of the one object that a JSON route answers with.',
        )
      }
      if (id && (!fits || !streams))
        report(id, '@eventId is for a scalar of the object that a subscription answers with.')
      if (id && eventId !== null) report(id, `The id of an event is already ${eventId}.`)
      if (id) eventId = key
      walk(inner, depth + 1)
    }
  }
  walk(shape, 0)
  return { headers, eventId }
}
