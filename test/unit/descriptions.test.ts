// The descriptions of the schema use the words of GraphQL: a field, an argument or a value that they name exists.
import { getIntrospectionQuery, graphqlSync } from 'graphql'
import { expect, it } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'

// Words that are no name of the schema although they look like one.
const exceptions = {
  // Members of the REST API in an object of JSON.
  max_per_call: ['Agent'],
  max_per_day: ['Agent'],
  // Values of texts.
  none: ['ComplianceCheck'],
  public: ['ServiceActor'],
  safe: ['EvidenceChain'],
  bundle_hash_ambiguous: ['Query', 'VerifyLocator', 'VerifyLocatorInput'],
  evt_: ['ReplayWebhookEventsInput', 'WebhookEvent'],
  whsec_: ['Project', 'WebhookEndpoint'],
  // A member of the extensions of an error, and a member of a request.
  chain_ids: ['Mutation'],
  query: ['ErrorCode'],
  // Meta fields and a setting.
  __schema: ['ErrorCode'],
  __type: ['ErrorCode'],
  __typename: ['ErrorCode'],
  GRAPHQL_DOCUMENTS_FILE: ['ErrorCode'],
  // A method of wallets.
  personal_sign: ['MintApiKeyInput', 'RegisterProjectInput', 'SignInInput', 'VerifyWalletInput'],
  // The meanings of error codes are those of the REST API too.
  project_admin: ['ErrorCode'],
}

type Named = { name?: string; description?: string | null; [member: string]: unknown }

/** Returns the named parts of an introspection, each with the type or directive that it belongs to. */
function parts(value: unknown, owner: string | null = null): { owner: string; part: Named }[] {
  if (Array.isArray(value)) return value.flatMap(one => parts(one, owner))
  if (typeof value !== 'object' || value === null) return []
  const part: Named = { ...value }
  const of = owner ?? part.name ?? null
  const own = of === null ? [] : [{ owner: of, part }]
  return [...own, ...Object.values(part).flatMap(member => parts(member, of))]
}

it('no description has a word that GraphQL does not know', () => {
  const all = parts(graphqlSync({ schema, source: getIntrospectionQuery() }).data)
  const names = new Set(all.map(({ part }) => part.name))
  const isUnknown = (word: string) =>
    /^\w+$/.test(word) &&
    !names.has(word) &&
    (word.includes('_') || (word === word.toLowerCase() && names.has(word.toUpperCase())))
  const unknown = all.flatMap(({ owner, part: { description } }) => {
    const words = [...(description ?? '').matchAll(/`([^`]+)`|\b([a-z0-9]+_\w*)/g)]
    return words.map(([, quoted, bare]) => `${quoted ?? bare} ${owner}`)
  })
  const excepted = Object.entries(exceptions).flatMap(([word, owners]) => owners.map(owner => `${word} ${owner}`))
  const found = new Set(unknown.filter(at => isUnknown(at.split(' ')[0] ?? '')))
  expect([...found].sort()).toEqual(excepted.sort())
})
