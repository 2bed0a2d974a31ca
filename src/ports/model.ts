// A language model as the service asks it: a conversation with tools, in a bounded number of steps.
import type { z } from 'zod'

export const modelProviders = ['openai-compatible', 'openai', 'anthropic', 'google'] as const
export type ModelProvider = (typeof modelProviders)[number]

export type ModelConfig = {
  provider: ModelProvider
  name: string
  /** Null: the provider's own address. */
  baseUrl: string | null
  apiKey: string | null
}

export type ModelMessage = { role: 'user' | 'assistant'; content: string }

export type ModelTool = {
  name: string
  description: string
  input: z.ZodObject
  /** Is given what `input` parses of the model's words. What it answers goes to the model as JSON. Must not throw. */
  run(input: unknown): Promise<unknown>
}

export type Usage = { inputTokens: number; outputTokens: number }

export type Conversation = {
  instructions: string
  messages: readonly ModelMessage[]
  tools: readonly ModelTool[]
  /** How often the model is asked at most; the last time without tools. */
  maxSteps: number
  /** Of each step. */
  maxOutputTokens: number
  signal: AbortSignal
  /** Is awaited before the model is asked, with how many bytes it is to read. What it throws ends the conversation. */
  before(bytes: number): Promise<void>
  /** Is awaited after each step: null when the provider did not say what was used. */
  after(usage: Usage | null): Promise<void>
}

/** Words of the given step, from 0, the first of each being empty; or a call of a tool that was not run, because its input is not as `input` says. */
export type ModelPart = { kind: 'text'; step: number; text: string } | { kind: 'refused'; tool: string }

export type Model = {
  provider: ModelProvider
  name: string
  /** Throws `ai_unavailable`, the reason of the signal, and what `before` throws. Nothing it throws quotes the conversation. */
  converse(conversation: Conversation): AsyncIterable<ModelPart>
}
