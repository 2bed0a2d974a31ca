// GraphiQL for this service. Runs in the browser; bundle.ts bundles it.
import { GraphiQL } from 'graphiql'
import 'graphiql/graphiql.css'
import { buildSchema, getOperationAST, parse } from 'graphql'
import { createClient } from 'graphql-sse'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

// The service may be below a path, such as https://example.com/quittance.
const at = path => new URL(path, document.currentScript.src).href
const [graphql, events, schemaFile] = ['../graphql', 'stream', 'schema.graphql'].map(at)

const example = `# Set your key under "Headers": { "X-API-Key": "qtk_…" }
query Receipts {
  receipts(first: 10) {
    nodes {
      id
      status
      amount
      currency
      anchors { anchorTx blockNumber }
      artifacts { nodes { type url } }
    }
  }
}
`

async function answer(request, headers) {
  const response = await fetch(graphql, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body: JSON.stringify(request),
  })
  return response.json()
}

const stream = (request, headers) => createClient({ url: events, headers, retryAttempts: 0 }).iterate(request)

function fetcher(request, { headers = {} } = {}) {
  const operation = getOperationAST(parse(request.query), request.operationName)
  return operation?.operation === 'subscription' ? stream(request, headers) : answer(request, headers)
}

const root = createRoot(document.body)
const show = schema =>
  root.render(
    createElement(
      GraphiQL,
      { fetcher, schema, defaultQuery: example, shouldPersistHeaders: true },
      createElement(GraphiQL.Logo, null, 'Quittance'),
    ),
  )

// Null keeps GraphiQL from sending its introspection query, because its answer is ten times as large as
// /graphql/schema.graphql.
show(null)
showSchema()

async function showSchema() {
  const response = await fetch(schemaFile)
  // A service that hides its schema has no such file.
  if (response.ok) show(buildSchema(await response.text(), { assumeValid: true }))
}
