// The GraphQL server: yoga at /graphql, with subscriptions over server-sent events in both modes of graphql-sse.
import type { Request, Response } from 'express'
import { createYoga } from 'graphql-yoga'
import type { Logger } from 'pino'
import type { Context } from '../kit/context.ts'
import type { Begun } from './begin.ts'
import { counted } from './counted.ts'
import type { Documents } from './documents.ts'
import { maskedError } from './errors.ts'
import { schema } from './schema.ts'
import { streams } from './stream.ts'

/** `begun`: the operation of the request is charged already. */
type ServerContext = { req: Request; res: Response; begun?: Begun }

/** `contextOf` only returns an existing context: if it threw, yoga and its plugins would print the stack. */
export function graphqlServer(contextOf: (res: Response) => Context, documents: Documents, log: Logger) {
  return createYoga<ServerContext, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    context: ({ res }) => contextOf(res),
    // Express has limited the body already; yoga's own limit costs half of the throughput.
    maxRequestBodySize: false,
    // Yoga's own cache is bounded by number of documents, not by bytes.
    parserAndValidationCache: false,
    maskedErrors: { maskError: error => maskedError(error, log) },
    // CORS is applied in Express to GraphQL and REST alike; yoga's own would allow the credentials of a browser.
    cors: false,
    landingPage: false,
    graphiql: false,
    logging: false,
    plugins: [streams(), counted(documents, log)],
  })
}
