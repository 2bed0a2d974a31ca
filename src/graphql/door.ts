// The GraphQL door: yoga at /graphql with GraphiQL, subscriptions over server-sent events in both modes of graphql-sse.
import { AsyncLocalStorage } from 'node:async_hooks'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import type { Request, Response } from 'express'
import { GraphQLError, parse } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import { AppError } from '../core/errors.ts'
import { appErrorIn } from '../kit/app-error-in.ts'
import type { Context } from '../kit/context.ts'
import { compiledQuery } from '../kit/prepared.ts'
import { onePaidField } from './one-paid-field.ts'
import { schema } from './schema.ts'
import { streams } from './stream.ts'

/** The request in whose course something is logged: yoga masks errors without saying whose they are. */
export const requestIds = new AsyncLocalStorage<string>()

type ServerContext = { req: Request; res: Response }

/** `contextOf` only hands over what was made before: yoga and its plugins would print the stack of what it threw. */
export function graphqlDoor(contextOf: (res: Response) => Context, log: Logger) {
  return createYoga<ServerContext, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    context: ({ res }) => contextOf(res),
    // Express has limited the body already; yoga's own limit costs half of the throughput.
    maxRequestBodySize: false,
    maskedErrors: { maskError: error => told(error, log) },
    landingPage: false,
    renderGraphiQL,
    graphiql: {
      title: 'Quittance',
      defaultQuery: example,
      subscriptionsProtocol: 'GRAPHQL_SSE',
      shouldPersistHeaders: true,
    },
    logging: false,
    plugins: [streams(), compiled],
  })
}

const example = `# Set your key under "Headers": { "X-API-Key": "qtk_…" }
query Receipts {
  receipts(first: 10) {
    nodes {
      id
      status
      amount
      currency
      anchors { txid blockNumber }
      artifacts { type url }
    }
  }
}
`

// About 600 fields. A longer document is not asked by a person or a dashboard, and takes seconds to validate.
const maxTokens = 2_000

const compiled: Plugin = {
  onParse({ setParseFn }) {
    setParseFn((source, options) => parse(source, { ...options, maxTokens }))
  },
  onValidate({ addValidationRule }) {
    addValidationRule(onePaidField)
    // These do not pass the masking, and would carry a code of yoga's own.
    return ({ valid, result }) => {
      if (!valid) for (const error of result) error.extensions = { ...error.extensions, code: 'invalid_graphql' }
    }
  },
  onExecute({ args, setExecuteFn }) {
    const query = compiledQuery(args.schema, args.document, args.operationName ?? undefined)
    if (query !== null)
      setExecuteFn(({ rootValue, contextValue, variableValues }) => query(rootValue, contextValue, variableValues))
  },
}

/** What a caller may see of an error: our own codes, and mistakes in his document. Everything else is logged and masked. */
function told(error: unknown, log: Logger): GraphQLError {
  const known = appErrorIn(error)
  const at = error instanceof GraphQLError ? error : null
  if (known !== null) {
    if (known.status >= 500) log.error({ err: error, requestId: requestIds.getStore() }, known.code)
    return asGraphql(known, at)
  }
  if (at !== null && at.originalError === undefined) {
    const { message, nodes, source, positions, path, extensions } = at
    return new GraphQLError(message, {
      nodes,
      source,
      positions,
      path,
      extensions: { ...extensions, code: 'invalid_graphql' },
    })
  }
  const requestId = requestIds.getStore()
  log.error({ err: at?.originalError ?? error, path: at?.path, requestId }, 'a resolver failed')
  return asGraphql(new AppError('internal_error'), at)
}

function asGraphql(error: AppError, at: GraphQLError | null): GraphQLError {
  const { code, status, issues, retryAfterSeconds, body, isWhole } = error
  const retry = retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) }
  const http = isWhole ? { status, headers: { ...retry, ...error.headers } } : undefined
  return new GraphQLError(error.message, {
    nodes: at?.nodes,
    path: at?.path,
    extensions: { code, ...body, ...(issues.length > 0 && { issues }), ...(http && { http }) },
  })
}
