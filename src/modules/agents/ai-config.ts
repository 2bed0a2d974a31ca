// Configures how an agent understands a sentence: by the command language alone, by the service's model, or by the
// agent's own model, whose API key is stored encrypted and never shown.
import { z } from 'zod'
import { AppError, invalid } from '../../core/errors.ts'
import { httpUrl, lines, text, uuid } from '../../core/text.ts'
import type { Agent } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { type VerbTransaction, verb } from '../../kit/verb.ts'
import { type ModelConfig, type ModelProvider, modelProviders } from '../../ports/model.ts'
import type { Vault } from '../../ports/vault.ts'
import { lockedAgent, nothingToChange } from './manage.ts'

const aiModes = ['simple', 'shared', 'custom'] as const
export type AiMode = (typeof aiModes)[number]

const provider = z.enum(modelProviders)
/** In the words of earlier clients, too. */
const providerInput = z
  .enum([...modelProviders, 'custom'])
  .transform((input): ModelProvider => (input === 'custom' ? 'openai-compatible' : input))

/** Every key of the project can read this URL, so it must contain no secret. HTTPS protects the model's API key. */
const endpoint = httpUrl.refine(
  value => {
    if (!URL.canParse(value)) return true
    const { protocol, hostname, username, password, search, hash } = new URL(value)
    const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
    return username + password + search + hash === '' && (protocol === 'https:' || isLocal)
  },
  { error: 'Must be an https URL without user, query and fragment.', params: { type: 'url_parsing' } },
)

const configureAgentAiInput = z.strictObject({
  id: uuid.describe('The agent’s UUID.'),
  aiMode: z
    .enum(aiModes)
    .optional()
    .describe('SIMPLE: the command language; SHARED: the service’s model; CUSTOM: a model of its own.'),
  aiSystemPrompt: lines(4_000)
    .nullish()
    .describe('Added to the instructions of the model, up to 4,000 characters; null: nothing.'),
  aiProvider: providerInput
    .nullish()
    .describe('Provider of the model in mode CUSTOM: OPENAI_COMPATIBLE, OPENAI, ANTHROPIC or GOOGLE.'),
  aiModel: text(200).nullish().describe('Name of the model in mode custom.'),
  aiEndpoint: endpoint
    .nullish()
    .describe('API URL of the model in mode CUSTOM, a public https address; required for OPENAI_COMPATIBLE.'),
  aiApiKey: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, 'Must be 1 to 500 visible ASCII characters.')
    .nullish()
    .meta({ graphql: 'String', minLength: 1, maxLength: 500, writeOnly: true })
    .describe(
      'API key for the model in mode custom. The key is encrypted and never shown; it is deleted when mode, provider or endpoint change and no key is sent.',
    ),
})

type Changes = Partial<Pick<Agent, 'aiMode' | 'aiSystemPrompt' | 'aiProvider' | 'aiModel' | 'aiEndpoint'>>

const ownerOf = (agentId: string) => `agent-ai-key:${agentId}`

/** Members that are absent stay; null unsets. Errors: `not_found`, `validation_failed`, `secrets_disabled`. */
export const configureAgentAi = verb({
  name: 'agent.configure_ai',
  access: 'write',
  input: configureAgentAiInput,
  async run(tx, { id, aiApiKey, ...input }, { principal, vault }) {
    const agent = await lockedAgent(tx, id, principal)
    const changes: Changes = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    if (Object.keys(changes).length === 0 && aiApiKey === undefined) throw nothingToChange()
    const next = { ...agent, ...changes }
    demandComplete(next, aiApiKey ?? null)
    // Otherwise any caller with write access could set an endpoint of their own and receive the stored key.
    const isElsewhere = next.aiProvider !== agent.aiProvider || next.aiEndpoint !== agent.aiEndpoint
    const forgets = next.aiMode !== 'custom' || isElsewhere
    if (aiApiKey != null) await keep(tx, vault, id, aiApiKey)
    else if (forgets || aiApiKey === null) await tx.db.agentAiKey.deleteMany({ where: { agentId: id } })
    const result = await tx.db.agent.update({ where: { id }, data: changes })
    const details = {
      ...{ ai_mode: next.aiMode, ai_provider: next.aiProvider, ai_model: next.aiModel, ai_endpoint: next.aiEndpoint },
      ...(aiApiKey !== undefined && { ai_api_key: aiApiKey === null ? 'deleted' : 'set' }),
    }
    return { result, audit: [{ objectType: 'agent', objectId: id, projectId: agent.projectId, details }] }
  },
})

/** Throws `validation_failed`. */
function demandComplete({ aiMode, aiProvider, aiModel, aiEndpoint }: Agent, aiApiKey: string | null): void {
  const missing = (name: string) => ({ path: ['input', name], message: 'Required in mode custom.', type: 'missing' })
  if (aiMode === 'custom') {
    const issues = [
      ...(aiProvider === null ? [missing('aiProvider')] : []),
      ...(aiModel === null ? [missing('aiModel')] : []),
      ...(aiProvider === 'openai-compatible' && aiEndpoint === null ? [missing('aiEndpoint')] : []),
    ]
    if (issues.length > 0) throw invalid(issues)
  } else if (aiApiKey !== null) {
    throw invalid([{ path: ['input', 'aiApiKey'], message: 'Only mode custom uses an API key.', type: 'value_error' }])
  }
}

async function keep({ db }: VerbTransaction, vault: Vault | null, agentId: string, key: string): Promise<void> {
  if (vault === null) throw new AppError('secrets_disabled')
  const { wrappedBy, wrappedKey, ciphertext } = vault.seal(ownerOf(agentId), key)
  const data = { wrappedBy, wrappedKey: new Uint8Array(wrappedKey), ciphertext: new Uint8Array(ciphertext) }
  await db.agentAiKey.upsert({ where: { agentId }, create: { agentId, ...data }, update: data })
}

/**
 * Returns the model of an agent in mode custom. One statement reads endpoint and key, because with two statements a new
 * key could be sent to the old endpoint. Throws `secrets_disabled` when the present settings cannot decrypt the key.
 */
export async function ownModelOf({ db, vault }: App, { id }: Pick<Agent, 'id'>): Promise<ModelConfig> {
  const { aiKey: sealed, ...agent } = await db.agent.findUniqueOrThrow({ where: { id }, include: { aiKey: true } })
  const config = { provider: providerOf(agent), name: agent.aiModel ?? '', baseUrl: agent.aiEndpoint }
  if (sealed === null) return { ...config, apiKey: null }
  try {
    if (vault === null) throw new Error('there is no SECRETS_KEY')
    return { ...config, apiKey: vault.open(ownerOf(id), sealed) }
  } catch (cause) {
    throw new AppError('secrets_disabled', 'The stored API key cannot be read. Set it again.', { cause })
  }
}

const providerOf = ({ aiProvider }: Agent): ModelProvider => provider.parse(aiProvider)

/** Rewraps stored API keys with the present key of SECRETS_KEY, so that older keys can be removed from the settings. */
export async function rewrapAgentKeys({ db, vault, log }: App): Promise<void> {
  if (vault === null) return
  const others = { wrappedBy: { not: vault.present } }
  const sealed = await db.agentAiKey.findMany({ where: others, take: 1_000 })
  for (const { agentId, wrappedBy, wrappedKey, ciphertext } of sealed) {
    try {
      const next = vault.rewrap(ownerOf(agentId), { wrappedBy, wrappedKey, ciphertext })
      const data = { wrappedBy: next.wrappedBy, wrappedKey: new Uint8Array(next.wrappedKey) }
      // Leaves an API key alone that was set again in the meantime.
      await db.agentAiKey.updateMany({ where: { agentId, wrappedBy, ciphertext }, data })
    } catch (error) {
      log.error({ err: error, agentId }, 'a stored API key of an agent cannot be decrypted')
    }
  }
  if (sealed.length > 0)
    log.info({ left: await db.agentAiKey.count({ where: others }) }, 'stored API keys of agents were rewrapped')
}
