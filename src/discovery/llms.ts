// /llms.txt (llmstxt.org): what there is, for language models, out of the descriptions that OpenAPI and the tools have.

import { tools } from '../../rest/generated/tools.ts'
import openapi from '../../rest/openapi.json' with { type: 'json' }

type Operation = { summary?: string; tags: string[] }

const link = (name: string, url: string, notes: string) => `- [${name}](${url}): ${notes}`

/** Where the description of a route stands, which a path with variables is not. */
const pointer = (path: string, method: string) =>
  `#/paths/${encodeURI(path.replaceAll('~', '~0').replaceAll('/', '~1'))}/${method}`

export function llmsText(publicBaseUrl: string): string {
  const description = `${publicBaseUrl}/openapi.json`
  const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries<Operation>(methods).map(([method, { summary = '', tags }]) => ({ path, method, summary, tags })),
  )
  const sections = openapi.tags.map(({ name, description: about = '' }) => [
    `## ${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    ...(about === '' ? [] : [about]),
    operations
      .filter(({ tags }) => tags.includes(name))
      .map(({ path, method, summary }) =>
        link(`${method.toUpperCase()} ${path}`, `${description}${pointer(path, method)}`, `${summary}.`),
      )
      .join('\n'),
  ])
  return `${[introduction(publicBaseUrl), ...sections.map(section => section.join('\n\n'))].join('\n\n')}\n`
}

const introduction = (base: string) => `# Quittance

> Keeps the evidence of payments that already happened on a blockchain: writes ISO 20022-style messages about them, seals them in a signed ZIP, anchors its hash on chain, and verifies it for anyone. It never moves a payment's money.

Amounts are decimal strings, never JSON numbers. A receipt is complete only when its status is \`anchored\`. Evidence is verified only when \`matches_onchain\` is true and \`errors\` is empty. Reading a receipt and verifying need no key; recording needs an API key in \`X-API-Key\`. What is paid for answers 402 with an x402 challenge, and is charged once however often the same payment is sent.

## Ways in

${[
  link('MCP', `${base}/mcp`, 'Tools over streamable HTTP; the key goes as X-API-Key or as Authorization: Bearer.'),
  link('OpenAPI', `${base}/openapi.json`, 'Every REST route with its rules, answers and errors.'),
  link('GraphQL', `${base}/graphql`, 'The same and more; introspection is open.'),
  link('API pages', `${base}/docs`, 'The OpenAPI document for people.'),
  link('Paid services', `${base}/.well-known/x402`, 'What can be bought, how to ask for it, and the present prices.'),
  link('Signing keys', `${base}/.well-known/evidence-keys.json`, 'Trust these, never the copy in a bundle.'),
].join('\n')}

## MCP tools

${tools.map(({ name, description }) => link(name, `${base}/mcp`, description)).join('\n')}`
