// Translates a sentence into one command of the agents' command language, as the agent would, without running it.
import { z } from 'zod'
import { text, uuid } from '../../core/text.ts'
import type { Agent } from '../../generated/prisma/client.ts'
import type { Context } from '../../kit/context.ts'
import type { Model } from '../../ports/model.ts'
import { ask } from '../assistant/ask.ts'
import { demandModel } from '../assistant/assist.ts'
import { purseOf } from '../assistant/budget.ts'
import { ownModelOf } from './ai-config.ts'
import { commandNames, usages } from './commands.ts'

export const testAiInput = z.strictObject({
  agentId: uuid.describe('The agent’s UUID.'),
  testMessage: text(2_000).nullish().meta({ default: 'list' }).describe('A sentence that a user sends to the agent.'),
})

export type ParsedCommand = { command: string; arguments: string[] }
export type AiTest = {
  agent: Agent
  message: string
  parsed: ParsedCommand | null
  model: Pick<Model, 'provider' | 'name'> | null
}

const parsedCommand = z.strictObject({
  command: z.enum(commandNames),
  arguments: z.array(text()).max(4).default([]),
})

const instructions = `You turn what a user tells an agent into one command. The commands are:
${usages}
Answer with JSON alone, such as {"command":"get","arguments":["7c9e6679-7425-40de-944b-e07fc1f90ae7"]}, or with null when no command does what is asked.`

/** Errors: `ai_disabled`, `secrets_disabled` and those of `ask`. */
export async function testAi(context: Context, agent: Agent, message: string): Promise<AiTest> {
  if (agent.aiMode === 'simple') return { agent, message, parsed: commandOf(message.split(/\s+/)), model: null }
  const isShared = agent.aiMode === 'shared'
  const model = isShared ? demandModel(context) : context.ai.openModel(await ownModelOf(context, agent))
  const reply = await ask(context, {
    model,
    // Calls to an agent's own model are billed to the owner of its API key, so the service's budget does not apply.
    purse: isShared ? purseOf(context, context.ai, context.principal) : null,
    instructions: agent.aiSystemPrompt === null ? instructions : `${agent.aiSystemPrompt}\n\n${instructions}`,
    messages: [{ role: 'user', content: message }],
    tools: () => [],
  })
  return { agent, message, parsed: commandIn(reply), model }
}

const commandOf = ([command, ...words]: string[]): ParsedCommand | null =>
  parsedCommand.safeParse({ command: command?.toLowerCase(), arguments: words }).data ?? null

/** Parses the command in a model's reply, where other text may surround the JSON; null if it contains none. */
function commandIn(reply: string): ParsedCommand | null {
  try {
    const json: unknown = JSON.parse(reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1))
    return parsedCommand.safeParse(json).data ?? null
  } catch {
    return null
  }
}
