// The port to a language model: a conversation with tools, in a bounded number of steps.
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

type ModelMessage = { role: 'user' | 'assistant'; content: string }

export type ModelTool = {
  name: string
  description: string
  input: z.ZodObject
  /** Receives the model's arguments as parsed by `input`. Its result goes to the model as JSON. Must not throw. */
  run(input: unknown): Promise<unknown>
}

export type Usage = { inputTokens: number; outputTokens: number }

export type Conversation = {
  instructions: string
  messages: readonly ModelMessage[]
  tools: readonly ModelTool[]
  /** The most requests to the model; the last is sent without tools. */
  maxSteps: number
  /** Limit of each step. */
  maxOutputTokens: number
  signal: AbortSignal
  /** Is awaited before each request to the model, with the request's size in bytes. An error ends the conversation. */
  before(bytes: number): Promise<void>
  /** Is awaited after each step: null when the provider did not report the usage. */
  after(usage: Usage | null): Promise<void>
}

/** Text of a step, counted from 0 (its first text is empty); or a tool call that was not run, as `input` refused it. */
export type ModelPart = { kind: 'text'; step: number; text: string } | { kind: 'refused'; tool: string }

export type Model = {
  provider: ModelProvider
  name: string
  /**
   * Throws `ai_unavailable`, `ai_no_answer`, the reason of the signal, and what `before` throws. No error quotes the
   * conversation.
   */
  converse(conversation: Conversation): AsyncIterable<ModelPart>
}
