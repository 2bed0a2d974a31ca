// Calls language models through the AI SDK, which is imported at the first question so that it does not slow the start.
// Base URL and API key are always passed, because the SDK reads missing ones from the environment.
import type { LanguageModel, ToolSet } from 'ai'
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import type { Conversation, Model, ModelConfig, ModelPart, ModelProvider } from '../ports/model.ts'
import { boundedFetch } from './bounded-fetch.ts'

type Opened = { apiKey: string; fetch: typeof fetch; baseURL: string; name: string }

const ownAddress: Record<Exclude<ModelProvider, 'openai-compatible'>, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

const providers: Record<ModelProvider, (options: Opened) => Promise<LanguageModel>> = {
  'openai-compatible': async ({ name, apiKey, ...options }) => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const key = apiKey === '' ? {} : { apiKey }
    return createOpenAICompatible({ ...options, ...key, name: 'model', includeUsage: true })(name)
  },
  openai: async ({ name, ...options }) => {
    const { createOpenAI } = await import('@ai-sdk/openai')
    // The chat interface, because with the newer one (responses) the provider stores every conversation by default.
    return createOpenAI(options).chat(name)
  },
  anthropic: async ({ name, ...options }) => {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic(options)(name)
  },
  google: async ({ name, ...options }) => {
    const { createGoogle } = await import('@ai-sdk/google')
    return createGoogle(options)(name)
  },
}

const tokens = z.int().min(0).max(1_000_000_000)
const usage = z.object({ inputTokens: tokens, outputTokens: tokens })

// Each streamed token arrives in an event of a few hundred bytes.
const bytesPerToken = 1_024
const leastBytes = 262_144

/** Returns a model. `allowPrivate` must be true only for an address that the operator configured. */
export function createModel({ provider, name, baseUrl, apiKey }: ModelConfig, allowPrivate: boolean): Model {
  const baseURL = baseUrl ?? (provider === 'openai-compatible' ? '' : ownAddress[provider])
  const open = (maxOutputTokens: number) => {
    const maxBytes = leastBytes + maxOutputTokens * bytesPerToken
    return providers[provider]({ name, baseURL, apiKey: apiKey ?? '', fetch: boundedFetch({ maxBytes, allowPrivate }) })
  }
  return { provider, name, converse: conversation => converse(open, conversation) }
}

async function* converse(
  open: (maxOutputTokens: number) => Promise<LanguageModel>,
  { instructions, messages, tools, maxSteps, maxOutputTokens, signal, before, after }: Conversation,
): AsyncGenerator<ModelPart> {
  const { APICallError, ToolChoiceViolationError, isStepCount, streamText, tool } = await import('ai')
  // The SDK would write its warnings to standard output.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const stops: unknown[] = []
  const set: ToolSet = Object.fromEntries(
    tools.map(({ name, description, input, run }) => [name, tool({ description, inputSchema: input, execute: run })]),
  )
  let step = -1
  let isOpen = false
  try {
    const { stream } = streamText({
      model: await open(maxOutputTokens),
      instructions,
      messages: [...messages],
      tools: set,
      toolCallConcurrency: 1,
      stopWhen: isStepCount(maxSteps),
      maxOutputTokens,
      maxRetries: 0,
      abortSignal: signal,
      telemetry: { isEnabled: false },
      // The SDK's default handler prints the error, which quotes the conversation.
      onError: () => undefined,
      prepareStep: async ({ messages: present, stepNumber }) => {
        try {
          await before(Buffer.byteLength(JSON.stringify(present)) + Buffer.byteLength(instructions))
        } catch (reason) {
          stops.push(reason)
          throw reason
        }
        isOpen = true
        return stepNumber === maxSteps - 1 ? { toolChoice: 'none' as const } : {}
      },
    })
    for await (const part of stream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'abort') throw new Error('aborted')
      if (part.type === 'start-step') yield { kind: 'text', step: ++step, text: '' }
      if (part.type === 'text-delta') yield { kind: 'text', step, text: part.text }
      if (part.type === 'tool-error') yield { kind: 'refused', tool: part.toolName }
      if (part.type !== 'finish-step') continue
      isOpen = false
      await after(usage.safeParse(part.usage).data ?? null)
    }
  } catch (error) {
    if (stops.length > 0) throw stops[0]
    // The provider refused the request or was not reached, so no tokens were used.
    const isRefused = APICallError.isInstance(error) && error.statusCode !== 200 && !signal.aborted
    if (isOpen) await after(isRefused ? { inputTokens: 0, outputTokens: 0 } : null)
    if (signal.aborted) throw signal.reason
    // In the last step, in which it may call none.
    if (ToolChoiceViolationError.isInstance(error)) throw new AppError('ai_no_answer')
    // Only the name and the status of the SDK's error are kept, because the error quotes the request and the response.
    const status = APICallError.isInstance(error) ? ` ${error.statusCode ?? ''}` : ''
    const cause = new Error(`${error instanceof Error ? error.name : 'Error'}${status}`)
    throw new AppError('ai_unavailable', undefined, { cause })
  }
}
