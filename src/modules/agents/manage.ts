// Creates, changes and deletes agents: records of a project's programs, each of which pays with a wallet of its own.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { amount } from '../../core/amount.ts'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import { ownedBy, ownProject, type Principal } from '../../core/principal.ts'
import { chainText, text, uuid } from '../../core/text.ts'
import { type Agent, Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../kit/context.ts'
import { type VerbTransaction, verb } from '../../kit/verb.ts'

const agentStatuses = ['active', 'paused', 'disabled'] as const
export type AgentStatus = (typeof agentStatuses)[number]

const mostOthers = 4_000

const pricingRules = z
  .strictObject({
    maxPerCall: amount.nullish().describe('The most that one call may cost; no limit unless given.'),
    maxPerDay: amount.nullish().describe('The most that all calls of one day in UTC may cost; no limit unless given.'),
    others: z
      .record(z.string(), z.unknown())
      .nullish()
      .meta({ graphql: 'JSONObject', takesOthers: true })
      .describe('Rules of other names, which older clients send: they are kept and limit nothing.'),
  })
  .refine(
    ({ others }) => JSON.stringify(others ?? null).length <= mostOthers,
    `Rules of other names must have at most ${mostOthers} characters as JSON.`,
  )
  .meta({
    graphql: 'AgentPricingRules',
    description: 'Spending limits of the agent’s wallet at this service, in units of the payment token.',
  })

const called = 'Name of the agent.'
const paysWith = 'The wallet that the agent pays with. The service never requests its private key.'
const xmtpAddress = chainText().nullish().describe('Address for messages to the agent over XMTP.')
const rules = pricingRules
  .nullish()
  .describe('Spending limits: payments of the agent’s wallet beyond them are refused before anything is charged.')

const createAgentInput = z.strictObject({
  name: text().describe(called),
  walletAddress: chainText().describe(paysWith),
  xmtpAddress,
  pricingRules: rules,
})

const updateAgentInput = z.strictObject({
  id: uuid.describe('The agent’s UUID.'),
  name: text().optional().describe(called),
  status: z
    .enum(agentStatuses)
    .optional()
    .describe('ACTIVE, PAUSED or DISABLED: payments of the wallet of an agent that is not active are refused.'),
  walletAddress: chainText().optional().describe(paysWith),
  xmtpAddress: chainText().nullish().describe('Address for messages to the agent over XMTP; null: none.'),
  pricingRules: pricingRules.nullish().describe('Spending limits, which replace the earlier ones; null: none.'),
})

export const agentById = z.strictObject({ id: uuid.describe('The agent’s UUID.') })

/** Maximum number of agents of one project. */
export const mostAgents = 200

/** Returns the filter for agents of the principal's project, or for all if administrator. Throws `unauthenticated`. */
export const visibleAgents = (principal: Principal): Prisma.AgentWhereInput => ({
  deletedAt: null,
  ...ownedBy(principal),
})

/** Throws `not_found`. */
export async function agentOf({ db, principal }: Context, id: string): Promise<Agent> {
  const agent = await db.agent.findFirst({ where: { id, ...visibleAgents(principal) } })
  if (agent === null) throw notFound('agent')
  return agent
}

/** Locks the agent until the transaction ends, and returns it. Throws `not_found`. */
export async function lockedAgent({ db, sql }: VerbTransaction, id: string, principal: Principal): Promise<Agent> {
  await sql('select id from agents where id = $1::uuid for no key update', [id])
  const agent = await db.agent.findFirst({ where: { id, ...visibleAgents(principal) } })
  if (agent === null) throw notFound('agent')
  return agent
}

export const nothingToChange = () => invalid([{ path: ['input'], message: 'No change was given.', type: 'missing' }])

const limitsOf = (input: z.output<typeof pricingRules>) => ({
  maxPerCall: input.maxPerCall ?? null,
  maxPerDay: input.maxPerDay ?? null,
  otherRules: input.others ? (input.others as Prisma.InputJsonObject) : Prisma.DbNull,
})

/** Returns the changes with member names in snake case, as the audit trail writes them. */
const inSnakeCase = (changes: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(changes).map(([member, value]) => [
      member.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      value,
    ]),
  )

/** Errors: `project_key_required`, `too_many_agents`, `validation_failed`. */
export const createAgent = verb({
  name: 'agent.create',
  access: 'write',
  input: createAgentInput,
  async run({ sql, db }, { pricingRules, xmtpAddress, ...input }, { principal }) {
    const projectId = ownProject(principal, 'An agent')
    // Without the lock, two concurrent calls could both count below the limit and together exceed it.
    await sql('select id from projects where id = $1::uuid for no key update', [projectId])
    const present = await db.agent.count({ where: { projectId, deletedAt: null } })
    if (present >= mostAgents) throw new AppError('too_many_agents')
    const stated = { ...input, xmtpAddress: xmtpAddress ?? null, ...limitsOf(pricingRules ?? {}) }
    const agent = await db.agent.create({ data: { id: randomUUID(), projectId, ...stated } })
    const entry = { objectType: 'agent', objectId: agent.id, projectId, details: inSnakeCase(stated) }
    return { result: agent, audit: [entry] }
  },
})

/** Members that are absent stay as they are. Errors: `not_found`, `validation_failed`. */
export const updateAgent = verb({
  name: 'agent.update',
  access: 'write',
  input: updateAgentInput,
  async run(tx, { id, pricingRules, ...input }, { principal }) {
    const { projectId } = await lockedAgent(tx, id, principal)
    const plain = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    const changes = { ...plain, ...(pricingRules !== undefined && limitsOf(pricingRules ?? {})) }
    if (Object.keys(changes).length === 0) throw nothingToChange()
    const result = await tx.db.agent.update({ where: { id }, data: changes })
    return { result, audit: [{ objectType: 'agent', objectId: id, projectId, details: inSnakeCase(changes) }] }
  },
})

/** Marks the agent as deleted; its anchors and payments stay. Errors: `not_found`. */
export const deleteAgent = verb({
  name: 'agent.delete',
  access: 'write',
  input: agentById,
  async run(tx, { id }, { principal }) {
    const { projectId } = await lockedAgent(tx, id, principal)
    await tx.db.agentAiKey.deleteMany({ where: { agentId: id } })
    await tx.db.agent.update({ where: { id }, data: { deletedAt: new Date() } })
    return { result: { id }, audit: [{ objectType: 'agent', objectId: id, projectId }] }
  },
})
