// /llms.txt (llmstxt.org): describes the API to language models, with the descriptions of OpenAPI and of the tools.

import { tools } from '../../rest/generated/tools.ts'
import openapi from '../../rest/openapi.json' with { type: 'json' }

type Operation = { summary?: string; tags: string[] }

const link = (name: string, url: string, notes: string) => `- [${name}](${url}): ${notes}`

/** Points to a route within the OpenAPI document, because a path with variables is no URL. */
const pointer = (path: string, method: string) =>
  `#/paths/${encodeURI(path.replaceAll('~', '~0').replaceAll('/', '~1'))}/${method}`

export function llmsText(publicBaseUrl: string, isIntrospectable: boolean): string {
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
  return `${[introduction(publicBaseUrl, isIntrospectable), ...sections.map(section => section.join('\n\n'))].join('\n\n')}\n`
}

const introduction = (base: string, isIntrospectable: boolean) => `# Quittance

> Keeps the evidence of payments that already happened on a blockchain: writes ISO 20022-style messages about them, seals them in a signed ZIP, anchors its hash on chain, and verifies it for anyone. It never moves a payment's money.

Amounts are decimal strings, never JSON numbers. A receipt is complete only when its status is \`anchored\`. Evidence is verified only when \`matches_onchain\` is true and \`errors\` is empty. Reading a receipt and verifying need no key; recording needs an API key in \`X-API-Key\`. A paid endpoint answers 402 with an x402 challenge, and charges once however often the same payment is sent.

## Interfaces

${[
  link('MCP', `${base}/mcp`, 'Tools over streamable HTTP; the key goes as X-API-Key or as Authorization: Bearer.'),
  link('OpenAPI', `${base}/openapi.json`, 'Every REST route with its rules, answers and errors.'),
  link('Webhooks', `${base}/webhooks.json`, 'What is sent to endpoints, as an OpenAPI document.'),
  link(
    'GraphQL',
    `${base}/graphql`,
    `The same operations and more${isIntrospectable ? '; introspection is open' : ''}.`,
  ),
  link('API pages', `${base}/docs`, 'The OpenAPI document for people.'),
  link('Paid services', `${base}/.well-known/x402`, 'The paid endpoints, how to call them, and the present prices.'),
  link('Signing keys', `${base}/.well-known/evidence-keys.json`, 'Trust these, never the copy in a bundle.'),
].join('\n')}

## MCP tools

${tools.map(({ name, description }) => link(name, `${base}/mcp`, description)).join('\n')}`
