// The shape of the generated route table: everything a request needs that is known before the first one arrives.
import type { Access } from '../core/principal.ts'

export type Place = 'path' | 'query' | 'header' | 'body'

/** Where a value stands in the request: `['body', 'items', 0, 'bundle_url']`, `['path', 'rid']`. */
export type Loc = readonly (string | number)[]

type Kind =
  | { kind: 'scalar'; name: string; format?: 'uuid' }
  | { kind: 'enum'; name: string; values: readonly string[] }
  | { kind: 'list'; of: InputType }
  | { kind: 'object'; name: string; fields: readonly InputField[] }

export type InputType = Kind & { nullable: boolean }

/** `name` is the wire's, `field` the one in the GraphQL input object. */
export type InputField = { name: string; field: string; type: InputType; required: boolean }

/** `variable` is the operation's; `name` the wire's: the same, except for a header. `whole`: the body itself. */
export type Param = {
  variable: string
  name: string
  /** Under which a body may have it instead. */
  olderName?: string
  in: Place
  whole?: boolean
  type: InputType
  required: boolean
}

export type Route = {
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As Express 5 writes it: `/v1/iso/receipts/:rid`. */
  path: string
  kind: 'json' | 'text' | 'redirect' | 'file' | 'events'
  status: number
  /** What the root field declares, so that a stranger is refused before the body is read. */
  access: Access
  /** The response key of the one root field. */
  root: string
  params: readonly Param[]
  /** GraphQL argument path to its place in the request: `'input.tipTxHash'` to `['body', 'tip_tx_hash']`. */
  feeds: Readonly<Record<string, Loc>>
  /** The response key that is the id of a server-sent event and no part of its data. */
  eventId: string | null
  /** Response keys that travel as response headers instead. */
  headers: readonly { key: string; header: string }[]
  /** Response keys that lead to objects whose null members are left out. */
  sparse: readonly (readonly string[])[]
  document: string
}
