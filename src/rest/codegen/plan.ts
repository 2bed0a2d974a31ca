// Everything known about one operation: the route table, the tools and the OpenAPI document are generated from it.
import {
  type ConstValueNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  OverlappingFieldsCanBeMergedRule,
  Source,
  TypeNameMetaFieldDef,
  validate,
  valueToLiteral,
} from 'graphql'
import { z } from 'zod'
import type { Access } from '../../core/principal.ts'
import type { Loc, Route } from '../route.ts'
import { textArgument } from './annotation.ts'
import { asideOf, checkAnswer, checkSparse } from './answer-checks.ts'
import type { Candidate } from './checks.ts'
import type { RestFile } from './documents.ts'
import { documentText, inWireNames, withoutFragments } from './fragments.ts'
import { fromGraphQL, type Report, type RestError } from './mistakes.ts'
import { pagedOf } from './paging.ts'
import type { ParamPlan } from './param-plan.ts'
import { paramsOf } from './params.ts'
import { keyOf, shapeOf } from './shape.ts'
import type { Member, Shape } from './shape-type.ts'
import { usagesOf } from './usages.ts'

export type Plan = Candidate & {
  route: Omit<Route, 'params'>
  field: GraphQLField<unknown, unknown>
  params: ParamPlan[]
  shape: Shape
  /** A PUT has the members that the body may repeat from the answer of the GET of its path. */
  readBack?: readonly Member[]
  /** Paid for by x402. */
  paid: boolean
  section: string
  description: string | null
}

const access = z.enum(['public', 'read', 'write', 'manage', 'admin'])

const rootFieldOf = (type: GraphQLObjectType, name: string) =>
  name === '__typename' ? TypeNameMetaFieldDef : type.getFields()[name]

// Any caller may select __typename, of which a route makes a constant.
const accessOf = (field: GraphQLField<unknown, unknown>): Access =>
  field === TypeNameMetaFieldDef ? 'public' : access.parse(field.extensions.access)

const kinds = { JSON: 'json', TEXT: 'text', REDIRECT: 'redirect', FILE: 'file' } as const

function feedsOf(params: readonly ParamPlan[]): Record<string, Loc> {
  const feeds: Record<string, Loc> = {}
  for (const { in: place, name, whole, single, usages } of params) {
    for (const { path } of usages) feeds[[...path, ...(single ? [0] : [])].join('.')] = whole ? ['body'] : [place, name]
  }
  return feeds
}

function defaultsOf(params: readonly ParamPlan[]): ReadonlyMap<string, ConstValueNode> {
  const entries = params.flatMap(({ variable, default: value, graphqlType }): [string, ConstValueNode][] => {
    const literal = value === undefined ? undefined : valueToLiteral(value, graphqlType)
    return literal ? [[variable, literal]] : []
  })
  return new Map(entries)
}

/** Requires a valid document, and a `candidate` that has passed its own checks. */
export function planOf(
  schema: GraphQLSchema,
  candidate: Candidate,
  file: RestFile,
  report: Report,
  errors: RestError[],
): Plan | null {
  const { annotation, template } = candidate
  const flat = withoutFragments(candidate.operation, file.fragments)
  const { operation: paged, page, rules } = pagedOf(flat, report)
  const wired = inWireNames(paged)
  const clashes = validate(schema, { kind: Kind.DOCUMENT, definitions: [wired] }, [OverlappingFieldsCanBeMergedRule])
  errors.push(...clashes.map(clash => fromGraphQL(clash, candidate.operation.loc?.source ?? new Source(''))))
  const [root, another] = wired.selectionSet.selections
  if (another) report(another, '@olderName is for a scalar within the answer, not for the root field.')
  const rootType = schema.getRootType(flat.operation)
  const field = root?.kind === 'Field' && rootType && rootFieldOf(rootType, root.name.value)
  if (!field || root?.kind !== 'Field' || clashes.length > 0) return null
  const shape = shapeOf(schema, field, [root], report)
  checkAnswer(candidate, shape, report)
  checkSparse(candidate, shape, report)
  const constant = textArgument(root, 'constant', 'value')
  const params = paramsOf(schema, flat, annotation, template, usagesOf(schema, paged), rules, report)
  return {
    ...candidate,
    field,
    params,
    shape,
    paid: field.extensions.paid === true,
    section: annotation.tag ?? file.section,
    description: candidate.operation.description?.value ?? field.description ?? null,
    route: {
      name: candidate.operation.name?.value ?? '',
      method: annotation.method,
      path: template.express,
      kind: flat.operation === OperationTypeNode.SUBSCRIPTION ? 'events' : kinds[annotation.answer],
      status: annotation.status ?? (annotation.answer === 'REDIRECT' ? 307 : 200),
      access: annotation.access ?? accessOf(field),
      root: keyOf(root),
      feeds: feedsOf(params),
      ...asideOf(candidate, shape, report),
      rewrite: constant === null ? shape.rewrite : { value: constant },
      page,
      document: documentText(wired, defaultsOf(params)),
    },
  }
}
