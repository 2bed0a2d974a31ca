// A span for each SQL statement of a pool: its name or its kind and table, never its text or values.
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { currentScope, type Span } from '../core/scope.ts'

type Ended = (error: unknown) => void

export function traceStatements(pool: pg.Pool): void {
  pool.on('connect', client => {
    const query: (...args: unknown[]) => unknown = client.query.bind(client)
    Object.assign(client, { query: (...args: unknown[]) => traced(query, args) })
  })
  const connect = pool.connect.bind(pool)
  // The pool would call it in the scope of whoever gives the connection back.
  const bound = (callback?: Parameters<typeof connect>[0]) =>
    callback === undefined ? connect() : connect(AsyncLocalStorage.bind(callback))
  Object.assign(pool, { connect: bound })
}

function traced(query: (...args: unknown[]) => unknown, args: unknown[]): unknown {
  const parent = currentScope()?.span
  const [statement] = args
  if (!parent || isCursor(statement)) return query(...args)
  const summary = summaryOf(statement)
  const span = parent.child(summary, 'client', { 'db.system.name': 'postgresql', 'db.query.summary': summary })
  const ended = endOf(span)
  const callback = args.at(-1)
  if (typeof callback === 'function')
    return query(...args.slice(0, -1), (error: unknown, ...rest: unknown[]) => {
      ended(error)
      callback(error, ...rest)
    })
  const answer = query(...args)
  if (answer instanceof Promise) answer.then(() => ended(null), ended)
  return answer
}

const endOf =
  (span: Span): Ended =>
  error => {
    if (error) span.fail(error instanceof Error && 'code' in error ? String(error.code) : 'error')
    span.end()
  }

const isCursor = (statement: unknown) => typeof statement === 'object' && statement !== null && 'submit' in statement

const verbs = /^\s*(select|insert|update|delete|with|begin|commit|rollback|set|listen|lock)\b/i
const table = /\b(?:from|into|update|join)\s+(?:only\s+)?"?(?:public"?\."?)?([a-z_]{1,63})\b/i

/** Such as `record-receipts`, the name of a prepared statement, or `SELECT receipts`. */
function summaryOf(statement: unknown): string {
  const { name, text } =
    typeof statement === 'string' ? { name: undefined, text: statement } : (statement as pg.QueryConfig)
  // The name of a read that was compiled to SQL is a hash.
  if (name !== undefined) return /^[a-z-]{1,60}$/.test(name) ? name : 'compiled read'
  const verb = verbs.exec(text)?.[1]?.toUpperCase() ?? 'SQL'
  const about = table.exec(text)?.[1]
  return about === undefined || verb === 'BEGIN' ? verb : `${verb} ${about}`
}
