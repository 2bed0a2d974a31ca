// The OpenAPI 3.1.0 document of all routes.
import { hasBody } from '../request.ts'
import type { JsonSchema } from '../scalars.ts'
import { bodyOf, parameterOf } from './bodies.ts'
import { operationId } from './checks.ts'
import { errorAnswers } from './error-answers.ts'
import { errorSchemas } from './error-shapes.ts'
import { type Examples, originsOf, withExamples, withPaymentExamples } from './examples.ts'
import { fileAnswer, ifNoneMatch, partAnswer, range, unchanged } from './files.ts'
import type { Report } from './mistakes.ts'
import { withoutClashes } from './name-clashes.ts'
import { paymentHeaders, paymentParameters, paymentResponse, paymentSchemas, paymentSignature } from './payment.ts'
import type { Plan } from './plan.ts'
import { withReadBack } from './read-back.ts'
import { answerSchema, type Components, components, leafSchema } from './responses.ts'
import { constraintsOf, rulesOf } from './rules.ts'
import type { Shape } from './shape-type.ts'
import {
  idempotencyKey,
  limitHeaders,
  replayHeaders,
  requestId,
  sharedHeaders,
  sharedParameters,
  unnamedEvents,
} from './shared-components.ts'
import { callbacksOf, eventSchema, webhookSchemas, webhooks } from './webhooks.ts'
import { withWireNames } from './wire-names.ts'

/** `title` and any other member of OpenAPI's info object. */
export type Info = { title: string; version: string; description?: string; [key: string]: unknown }

const apiKey = { apiKey: [] }

const upperFirst = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

function answerOf({ annotation, route, shape, operation }: Plan, into: Components): JsonSchema {
  const named = annotation.response ?? (shape.kind === 'leaf' ? undefined : `${upperFirst(route.name)}Response`)
  const aside = [...route.headers.map(({ key }) => key), ...(route.eventId === null ? [] : [route.eventId])]
  // A root field that is null answers 404, so the answer itself is never null.
  const schema = () =>
    answerSchema(
      { ...shape, nullable: false },
      named === undefined ? null : { value: named, node: annotation.response ? annotation.at('response') : operation },
      into,
      aside,
    )
  const description = 'Successful response.'
  if (route.kind === 'redirect') {
    const schema = { type: 'string', format: 'uri' }
    return { description, headers: { Location: { description: 'The target.', required: true, schema } } }
  }
  if (route.kind === 'text') return { description, content: { 'text/plain': { schema: { type: 'string' } } } }
  if (route.kind === 'file') return fileAnswer(annotation)
  if (route.kind === 'events') {
    const text = `Each event is \`id\`, \`event: update\` and \`data\`, the JSON described here.`
    return { description: text, content: { 'text/event-stream': { schema: schema() } } }
  }
  return { description, ...headersOf(route.headers, shape), content: { 'application/json': { schema: schema() } } }
}

/** A header whose value is null is absent from the response. */
function headersOf(headers: Plan['route']['headers'], shape: Shape): JsonSchema {
  if (headers.length === 0) return {}
  const members = shape.kind === 'object' ? shape.variants.flat() : []
  const described = headers.map(({ key, header }) => {
    const member = members.find(one => one.key === key)
    const schema = member?.shape.kind === 'leaf' ? leafSchema(member.shape) : {}
    return [header, { ...(member?.field.description && { description: member.field.description }), schema }]
  })
  return { headers: Object.fromEntries(described) }
}

function requestOf(plan: Plan, into: Components): JsonSchema {
  const { route, params, annotation, operation, paid, field } = plan
  const parameters = params.filter(param => param.in !== 'body').map(parameterOf)
  if (route.kind === 'file') parameters.push(ifNoneMatch)
  if (isDownload(route)) parameters.push(range)
  if (paid) parameters.push(paymentSignature)
  if (hasBody(route)) parameters.push(idempotencyKey)
  if (route.kind === 'events') parameters.push(unnamedEvents)
  const body = params.filter(param => param.in === 'body')
  const described = parameters.length > 0 ? { parameters } : {}
  if (!hasBody(route) || body.length === 0) return described
  const node = annotation.request === undefined ? operation : annotation.at('request')
  // A minimum number of arguments is a minimum number of members of the body.
  const { minProperties } = constraintsOf(rulesOf(field))
  const whole = { ...withReadBack(bodyOf(body), plan), ...(minProperties ? { minProperties } : {}) }
  const schema = into.name(annotation.request ?? `${upperFirst(route.name)}Request`, whole, node)
  const required = minProperties !== undefined || body.some(param => param.required)
  return { ...described, requestBody: { required, content: { 'application/json': { schema } } } }
}

const isDownload = ({ kind, method }: Plan['route']) => kind === 'file' && method === 'GET'

/** Returns summary and description; the summary is the first sentence of the description. */
function textsOf({ description, field }: Plan): JsonSchema {
  if (description === null) return {}
  const text = description.trim().replace(/\s+/g, ' ')
  const sentence = /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text
  return {
    summary: sentence.replace(/\.$/, ''),
    description: description.trim(),
    ...(field.deprecationReason ? { deprecated: true } : {}),
  }
}

function operationOf(plan: Plan, into: Components): JsonSchema {
  const { route, section, paid, annotation } = plan
  const isOptional = paid || annotation.takesKey === true
  const { headers, ...answer } = answerOf(plan, into)
  const around = { ...(paid && paymentResponse), ...limitHeaders, ...(hasBody(route) && replayHeaders) }
  const responses = {
    [String(route.status)]: { ...answer, headers: { ...(headers ?? {}), ...around } },
    ...(isDownload(route) ? { '206': partAnswer(annotation) } : {}),
    ...(route.kind === 'file' ? { '304': unchanged } : {}),
    ...(route.kind === 'events' ? { '204': { description: 'No further events; do not reconnect.' } } : {}),
    ...errorAnswers(plan),
  }
  return {
    operationId: operationId(route.name),
    ...textsOf(plan),
    tags: [section],
    security: isOptional ? [{}, apiKey] : route.access === 'public' ? [] : [apiKey],
    ...requestOf(plan, into),
    responses: named(responses),
  }
}

/** Adds to every response its `X-Request-ID`, which the log entries of the request carry. */
const named = (responses: Record<string, JsonSchema>) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, { headers, ...answer }]) => [
      status,
      { ...answer, headers: { ...requestId, ...(headers ?? {}) } },
    ]),
  )

export function openApi(
  plans: readonly Plan[],
  sections: ReadonlyMap<string, string>,
  info: Info,
  examples: Examples,
  report: Report,
): { document: JsonSchema; webhooks: JsonSchema | null } {
  const into = components(report)
  const paths: Record<string, JsonSchema> = {}
  const hasEvents = plans.some(({ annotation }) => annotation.response === eventSchema)
  const routes = plans.map(({ route, annotation, template }) => ({
    operationId: operationId(route.name),
    route: `${annotation.method} ${template.path}`,
  }))
  const origins = originsOf(examples, routes)
  for (const plan of plans) {
    const path = paths[plan.template.path] ?? {}
    const operation = { ...operationOf(plan, into), ...(hasEvents && callbacksOf(plan)) }
    const example = examples[operationId(plan.route.name)]
    path[plan.annotation.method.toLowerCase()] = example ? withExamples(operation, example, origins) : operation
    paths[plan.template.path] = path
  }
  const paid = { ...paymentParameters, ...paymentHeaders }
  const { PaymentSignature, PaymentRequired, PaymentResponse } = withPaymentExamples(paid, examples)
  const schemas = {
    ...Object.fromEntries(into.schemas),
    ...errorSchemas,
    ...paymentSchemas,
    ...(hasEvents && webhookSchemas(into.schemas)),
  }
  const named = withoutClashes(paths, Object.keys(schemas))
  const document = {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: [...new Set(plans.map(plan => plan.section))].map(name => {
      const description = sections.get(name)
      return { name, ...(description && { description }) }
    }),
    paths: named,
    components: {
      parameters: { ...sharedParameters, PaymentSignature },
      headers: { ...sharedHeaders, PaymentRequired, PaymentResponse },
      schemas: reachable(named, schemas),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            'A key of a project (`qtk_…`), or one of a service administrator. The role of a project’s key says what it may do: ' +
            '`viewer` reads, `project` also writes, `project_admin` also manages keys and configuration. The first key comes ' +
            'from `POST /v1/projects/register`. A key is for servers: it does not belong in a browser or an app.',
        },
      },
    },
  }
  return {
    document: withWireNames(document),
    webhooks: hasEvents ? withWireNames(webhooksDocument(info, schemas)) : null,
  }
}

/**
 * The webhooks are a document of their own: many generators make calls to this service of them, and do not compile what
 * they have made.
 */
function webhooksDocument({ title, version, license, contact }: Info, all: Record<string, JsonSchema>) {
  const sent = webhooks(all)
  return {
    openapi: '3.1.0',
    info: {
      title: `${title}: webhooks`,
      version,
      description: 'What the service sends to the endpoints of a project, and to the `callback_url` of a receipt.',
      ...(license !== undefined && { license }),
      ...(contact !== undefined && { contact }),
    },
    webhooks: sent,
    components: { schemas: reachable(sent, all) },
  }
}

/** Returns the schemas that a part of a document refers to, directly or through others, by name. */
function reachable(from: JsonSchema, all: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const found = new Set<string>()
  const visit = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      visit(all[name])
    }
  }
  visit(from)
  return Object.fromEntries([...found].sort().map(name => [name, all[name] ?? {}]))
}
