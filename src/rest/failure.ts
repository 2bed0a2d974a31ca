// Writes every error of the REST API in its wire format.
import { STATUS_CODES } from 'node:http'
import type { NextFunction, Request, Response } from 'express'
import type { GraphQLField } from 'graphql'
import { AppError } from '../core/errors.ts'
import { noteCode } from '../core/scope.ts'
import { appErrorIn } from '../kit/app-error-in.ts'
import { sendJson, sendText } from './answer.ts'
import type { WireIssue } from './faults.ts'
import { snakeCase } from './names.ts'
import type { Result } from './prepared.ts'
import { requestIdOf } from './request-id.ts'
import type { Loc, Route } from './route.ts'

export type Log = { error(details: object, message: string): void }

const problemType = 'application/problem+json'

// A body of 256 KiB can contain tens of thousands of mistakes; the response need not list them all.
export const maxIssues = 100

export function sendIssues(res: Response, issues: readonly WireIssue[]): void {
  noteCode('validation_failed')
  sendJson(res, 422, { detail: issues.slice(0, maxIssues) })
}

/** Returns the error that represents all: one that a caller may see, in preference to one that is masked. */
export const worst = (errors: readonly Error[]) => errors.find(error => appErrorIn(error) !== null) ?? errors[0]

/** Whether the route demands more than its root field: then what a caller may not read looks like what is missing. */
export const hidesRefusals = ({ access }: Route, root: GraphQLField<unknown, unknown> | null): boolean =>
  root !== null && root.extensions.access !== access

/** Returns the error that is sent instead of the result; logs the other errors that no caller may see. */
export function failing({ errors = [] }: Result, log: Log, isHidden = false): unknown {
  const reported = worst(errors)
  for (const error of errors) {
    if (error !== reported && appErrorIn(error) === null) log.error({ err: error }, 'a resolver failed')
  }
  return isHidden && appErrorIn(reported)?.code === 'forbidden' ? new AppError('not_found') : reported
}

/** Returns where an issue of a resolver's input is in the request. `path` may omit the argument `input`. */
export function wireLoc(path: Loc, feeds: Route['feeds']): Loc {
  for (const whole of [path, ['input', ...path]]) {
    for (let length = whole.length; length > 0; length--) {
      const name = whole.slice(0, length).join('.')
      const place = Object.hasOwn(feeds, name) ? feeds[name] : undefined
      if (place) return [...place, ...whole.slice(length).map(wireName)]
    }
  }
  return ['body', ...(path[0] === 'input' ? path.slice(1) : path).map(wireName)]
}

/** Returns the message of such an issue, with the arguments that it names called as the request calls them. */
export const wireMessage = (message: string, path: Loc, feeds: Route['feeds']): string =>
  message.replace(/`([a-z]\w*)`/g, (_, name: string) => `\`${wireLoc([...path.slice(0, -1), name], feeds).at(-1)}\``)

const wireName = (key: string | number) => (typeof key === 'number' ? key : snakeCase(key))

function fieldsOf(error: AppError): Record<string, string> {
  const fields: Record<string, string> = { ...error.headers }
  if (error.retryAfterSeconds !== null) fields['Retry-After'] = String(error.retryAfterSeconds)
  return fields
}

/** Answers with an error that a caller may see. */
export function sendAppError(req: Request, res: Response, error: AppError, feeds: Route['feeds'] = {}): void {
  const { status, code, message, body } = error
  const request_id = requestIdOf(req, res)
  noteCode(code)
  res.vary('Accept')
  if (code === 'validation_failed') {
    const issues = error.issues.length > 0 ? error.issues : [{ path: [], message, type: 'value_error' }]
    sendIssues(
      res,
      issues.map(({ path, message, type }) => ({
        loc: wireLoc(path, feeds),
        msg: wireMessage(message, path, feeds),
        type,
      })),
    )
  } else if (req.headers.accept?.includes(problemType)) {
    const problem = {
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      detail: message,
      code,
      request_id,
      ...body,
    }
    const fields = { 'Cache-Control': 'no-store', ...fieldsOf(error) }
    sendText(res, status, `${problemType}; charset=utf-8`, JSON.stringify(problem), fields)
  } else {
    sendJson(res, status, { detail: code, message, request_id, ...body }, fieldsOf(error))
  }
}

/** Answers with any error; logs and masks an error that no caller may see. */
export function sendFailure(req: Request, res: Response, error: unknown, log: Log, feeds?: Route['feeds']): void {
  const known = appErrorIn(error)
  if (known === null || known.code === 'internal_error') {
    log.error({ err: error, requestId: requestIdOf(req, res) }, 'request failed')
  }
  if (res.headersSent) res.destroy()
  else sendAppError(req, res, known ?? new AppError('internal_error'), feeds)
}

/** The error handler of the application, for what is thrown outside a route. */
export const answerErrors =
  (log: Log) =>
  (error: unknown, req: Request, res: Response, _next: NextFunction): void => {
    // A path that cannot be decoded matches no resource.
    sendFailure(req, res, error instanceof URIError ? new AppError('not_found') : error, log)
  }
