// Measures what the limits on a GraphQL document add to a request, beside parsing and validation.
import { parse, validate } from 'graphql'
import { expansionsOf } from '../src/graphql/bounds.ts'
import { createDocuments } from '../src/graphql/documents.ts'
import { schema } from '../src/graphql/schema.ts'
import { costOf } from '../src/kit/operation-cost.ts'

const millisecondsEach = 1_000
const source =
  '{ receipts(first: 20) { nodes { id status amount artifacts { nodes { type url sha256 } } anchors { anchorTx blockNumber } project { name } } } }'

/** Returns microseconds for each call. */
function timeOf(run: () => unknown): number {
  for (let warm = 0; warm < 2_000; warm += 1) run()
  const begun = performance.now()
  let calls = 0
  for (; performance.now() - begun < millisecondsEach; calls += 1) run()
  return ((performance.now() - begun) * 1_000) / calls
}

const document = parse(source)
const documents = createDocuments(schema, [])
const known = () => documents.operation(documents.read(source), undefined, {})
known()

const parsing = timeOf(() => parse(source))
const validation = timeOf(() => validate(schema, document))
const added = {
  bounds: timeOf(() => expansionsOf(document)),
  cost: timeOf(() => costOf(schema, document, undefined, {})),
}
console.log(`       parsed in ${parsing.toFixed(1)} µs, validated in ${validation.toFixed(1)} µs`)
console.log(
  `       bounded in ${added.bounds.toFixed(1)} µs, its cost counted in ${added.cost.toFixed(1)} µs, the first time`,
)
console.log(`       ${timeOf(known).toFixed(1)} µs for all four together when the document is known`)
