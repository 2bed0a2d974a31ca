// Types of the generated route table: everything about a route that is known before the first request arrives.
import type { Access } from '../core/principal.ts'
import type { Rewrite } from './rewrite.ts'

export type Place = 'path' | 'query' | 'header' | 'body'

/** The location of a value in the request: `['body', 'items', 0, 'bundle_url']`, `['path', 'rid']`. */
export type Loc = readonly (string | number)[]

type Kind =
  | { kind: 'scalar'; name: string; format?: 'uuid' }
  | { kind: 'enum'; name: string; values: readonly string[] }
  | { kind: 'list'; of: InputType }
  /** `others`: the name in GraphQL of the member that has all members without a name of their own. */
  | { kind: 'object'; name: string; fields: readonly InputField[]; others?: string }

export type InputType = Kind & { nullable: boolean }

/** `name`: the wire name; `field`: the name in the GraphQL input object. */
type InputField = { name: string; field: string; type: InputType; required: boolean }

/** `variable`: name in the operation; `name`: wire name, different only for a header; `whole`: the entire body. */
export type Param = {
  variable: string
  name: string
  /** An older wire name that a body may use instead. */
  olderName?: string
  in: Place
  whole?: boolean
  /** A request gives one value of the list that the variable is. */
  single?: boolean
  type: InputType
  required: boolean
}

/** How a route pages: names of variables, which are those of the parameters too; `defaults`: when they are absent. */
export type Page = {
  number?: string
  offset?: string
  size: string
  defaults: Readonly<Record<string, number>>
  in: Place
}

export type Route = {
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** In the syntax of Express 5: `/v1/iso/receipts/:rid`. */
  path: string
  kind: 'json' | 'text' | 'redirect' | 'file' | 'events'
  status: number
  /** As the root field declares it, so that an unauthorised caller is refused before the body is read. */
  access: Access
  /** The response key of the one root field. */
  root: string
  params: readonly Param[]
  /**
   * Maps a GraphQL argument path to its location in the request: `'input.settlementTx'` to `['body', 'tip_tx_hash']`.
   */
  feeds: Readonly<Record<string, Loc>>
  /** The response key whose value is the id of a server-sent event and not part of its data. */
  eventId: string | null
  /** Response keys that are sent as response headers instead. */
  headers: readonly { key: string; header: string }[]
  rewrite: Rewrite | null
  /** A PUT has the members of the body that are accepted as the GET of the path answers them. */
  asRead?: readonly string[]
  page: Page | null
  document: string
}
