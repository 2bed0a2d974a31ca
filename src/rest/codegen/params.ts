// Determines from which part of the request each variable comes, and its type in that part.
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromASTUntyped,
} from 'graphql'
import { snakeCase } from '../names.ts'
import type { InputType, Place } from '../route.ts'
import type { JsonSchema } from '../scalars.ts'
import { type Annotation, annotated, nameArgument, type Template } from './annotation.ts'
import type { Report } from './mistakes.ts'
import { checkDefault, checkOlderNames, checkType } from './param-checks.ts'
import type { ParamPlan } from './param-plan.ts'
import { formatOf, ruleWithin, takesOthers } from './rules.ts'
import { defaultOf, type Usage } from './usages.ts'

/** `outer`: the enclosing input objects. Throws `RangeError` for an object within itself: it has no finite shape. */
function inputType(type: GraphQLInputType, rule: JsonSchema | null, outer: string[]): InputType {
  const nullable = !isNonNullType(type)
  const inner = isNonNullType(type) ? type.ofType : type
  if (isListType(inner)) return { kind: 'list', of: inputType(inner.ofType, ruleWithin(rule, 0), outer), nullable }
  if (isEnumType(inner)) {
    return { kind: 'enum', name: inner.name, values: inner.getValues().map(value => value.name), nullable }
  }
  if (isInputObjectType(inner)) {
    if (outer.includes(inner.name)) throw new RangeError(`${inner.name} contains itself, which no request can write.`)
    const fields = Object.values(inner.getFields()).map(field => ({
      name: snakeCase(field.name),
      field: field.name,
      type: inputType(field.type, ruleWithin(rule, field.name), [...outer, inner.name]),
      required: isRequiredInputField(field),
    }))
    const others = fields.find(({ field }) => takesOthers(ruleWithin(rule, field)))?.field
    return { kind: 'object', name: inner.name, fields, nullable, ...(others !== undefined && { others }) }
  }
  const isUuid = formatOf(rule) === 'uuid' && (inner.name === 'ID' || inner.name === 'String')
  return { kind: 'scalar', name: inner.name, ...(isUuid ? { format: 'uuid' as const } : {}), nullable }
}

function placeOf(
  node: VariableDefinitionNode,
  { method }: Annotation,
  template: Template,
  report: Report,
): { in: Place; whole?: boolean } {
  const bodied = method === 'POST' || method === 'PUT'
  const marks = ['header', 'query', 'body'].filter(mark => annotated(node, mark))
  const name = node.variable.name.value
  const inPath = template.names.includes(name)
  if (marks.length > 1) report(node, `$${name} cannot come from two places: @${marks.join(' and @')}.`)
  if (inPath && marks.length > 0) report(node, `$${name} is in the path, so it cannot be @${marks[0]} too.`)
  if (inPath) return { in: 'path' }
  if (marks.includes('header')) return { in: 'header' }
  if (marks.includes('query')) {
    if (!bodied) report(node, `The variables of a ${method} are in the query already; @query is for POST and PUT.`)
    return { in: 'query' }
  }
  if (marks.includes('body')) {
    if (!bodied) report(node, `A ${method} has no body.`)
    return { in: 'body', whole: true }
  }
  return { in: bodied ? 'body' : 'query' }
}

/** An argument that is an input object has the description of its type, which describes no variable. */
const descriptionOf = ({ definition, path, type }: Usage): string | null =>
  path.length === 1 && isInputObjectType(getNullableType(type)) ? null : (definition?.description ?? null)

function paramOf(
  schema: GraphQLSchema,
  node: VariableDefinitionNode,
  annotation: Annotation,
  template: Template,
  usages: Usage[],
  pageRule: JsonSchema | null,
  report: Report,
): ParamPlan | null {
  const declaredType = typeFromAST(schema, node.type)
  if (!declaredType || !isInputType(declaredType)) return null
  const listType = getNullableType(declaredType)
  const single = annotated(node, 'single') && isListType(listType)
  if (annotated(node, 'single') && !single) report(node, '@single is for a variable that is a list.')
  const graphqlType = single ? getNullableType(listType.ofType) : declaredType
  const variable = node.variable.name.value
  const header = nameArgument(node, 'header')
  const older = nameArgument(node, 'olderName')
  const whole = usages.find(usage => usage.rule !== null)?.rule ?? pageRule
  const rule = single ? ruleWithin(whole, 0) : whole
  const place = placeOf(node, annotation, template, report)
  const type = inputType(graphqlType, rule, [])
  // A nullable variable may feed a non-null argument that has a default; null itself is then not acceptable.
  const nullable = type.nullable && usages.every(usage => !isNonNullType(usage.type))
  const definition = usages.find(usage => usage.definition !== null)?.definition ?? null
  const plan: ParamPlan = {
    variable,
    name: header && place.in === 'header' ? header.value.toLowerCase() : variable,
    ...(older && { olderName: older.value }),
    ...place,
    ...(single && { single: true }),
    type: { ...type, nullable },
    required: isNonNullType(declaredType) && node.defaultValue === undefined,
    node,
    graphqlType,
    header: header?.value ?? null,
    description: node.description?.value ?? usages.map(descriptionOf).find(text => text !== null) ?? null,
    default: node.defaultValue ? valueFromASTUntyped(node.defaultValue) : defaultOf(definition),
    rule,
    usages,
  }
  checkType(plan, annotation.method, report)
  checkDefault(plan, report)
  return plan
}

export function paramsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  annotation: Annotation,
  template: Template,
  usages: readonly Usage[],
  pageRules: ReadonlyMap<string, JsonSchema>,
  report: Report,
): ParamPlan[] {
  const params = (operation.variableDefinitions ?? []).flatMap(node => {
    const own = usages.filter(usage => usage.variable === node.variable.name.value)
    try {
      const pageRule = pageRules.get(node.variable.name.value) ?? null
      return paramOf(schema, node, annotation, template, own, pageRule, report) ?? []
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      report(node, error.message)
      return []
    }
  })
  const body = params.filter(param => param.in === 'body')
  const whole = body.find(param => param.whole)
  if (whole && body.length > 1)
    report(whole.node, `$${whole.variable} is the whole body; no other variable can be in it.`)
  checkOlderNames(params, report)
  return params
}
