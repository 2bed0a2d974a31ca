// Selects the content of a client: the requested operations, and the schemas that they and the handwritten code use.
import { type Description, type Operation, refName, type Schema } from './description.ts'

export type Selection = {
  /** Null: all. */
  families: readonly string[] | null
  auth: 'api_key' | 'none'
  includeX402: boolean
}

/** The family that every client needs, because the handwritten code follows and downloads receipts. */
export const alwaysIn = 'receipts'
/** Types that the handwritten code uses. */
const ofHandMadePart = [
  'ReceiptResponse',
  'ReceiptEvent',
  'ValidationError',
  'ReceiptWebhook',
  'ReceiptRefundedWebhook',
  'PaymentSettledWebhook',
  'AgentAnchoredWebhook',
  'EndpointTestWebhook',
]

export const familiesOf = ({ operations }: Description): string[] => [
  ...new Set(operations.map(({ family }) => family)),
]

export function select({ operations, schemas }: Description, { families, auth, includeX402 }: Selection): Description {
  const kept = operations.filter(
    ({ family, needsKey, isPaid }) =>
      (families === null || family === alwaysIn || families.includes(family)) &&
      (auth === 'api_key' || !needsKey) &&
      (includeX402 || !isPaid),
  )
  const reached = new Set<string>()
  const reach = (name: string): void => {
    const schema = schemas.get(name)
    if (schema === undefined) throw new Error(`the document has no schema ${name}`)
    if (reached.has(name)) return
    reached.add(name)
    for (const next of namesIn(schema)) reach(next)
  }
  for (const name of [...ofHandMadePart, ...kept.flatMap(typesOf)]) reach(name)
  return { operations: kept, schemas: new Map([...schemas].filter(([name]) => reached.has(name))) }
}

/** Returns the names of the schemas that an operation refers to directly. */
export const typesOf = ({ query, body, answer, paging }: Operation): string[] => [
  ...(query ? [query.type] : []),
  ...(body ? [body.type] : []),
  ...(answer.kind === 'json' ? [answer.type] : []),
  ...(answer.kind === 'events' ? ['ReceiptEvent'] : []),
  ...(paging ? [paging.item] : []),
]

function namesIn({ $ref, properties = {}, items, anyOf = [], allOf = [], oneOf = [] }: Schema): string[] {
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...allOf, ...oneOf]
  return [...($ref === undefined ? [] : [refName($ref)]), ...inner.flatMap(namesIn)]
}
