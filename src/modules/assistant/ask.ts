// Sends a conversation to a model, within the limits on time, length and concurrency that apply to every model.
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { createSemaphore } from '../../kit/semaphore.ts'
import { semaphoreLimits } from '../../kit/semaphore-limits.ts'
import type { Conversation, Model, ModelTool } from '../../ports/model.ts'
import type { Purse } from './budget.ts'

const semaphore = perApp(() => ({
  service: createSemaphore(semaphoreLimits.questions),
  own: createSemaphore(semaphoreLimits.questionsToOwnModels),
}))

/** More characters than a real token has; a provider that sends more ignores the limit on output tokens. */
const charactersPerToken = 16

export type Listener = {
  /** Receives the text as it arrives, also text between tool calls. */
  onText?(text: string): void
  /** Aborted when no caller waits for the answer any more. */
  gone?: AbortSignal
}

export type Question = Listener &
  Pick<Conversation, 'instructions' | 'messages'> & {
    model: Model
    /** Null: the model is an agent's own, and is billed to the owner of its API key. */
    purse: Purse | null
    /** Returns the tools; calling `fail` ends the conversation with the error. */
    tools(fail: (error: unknown) => void): ModelTool[]
    /** Receives the name of a tool that the model called with invalid input. */
    refused?(tool: string): void
  }

/**
 * Returns the text of the model's last step. Errors: `ai_unavailable`, `ai_no_answer`, `ai_budget_spent`,
 * `too_many_requests`, `caller_gone`.
 */
export function ask(context: Context, question: Question): Promise<string> {
  const { service, own } = semaphore(context)
  return (question.purse === null ? own : service).run(context.allowance, () => converse(context, question))
}

async function converse({ ai, allowance }: Context, question: Question): Promise<string> {
  const { model, purse, instructions, messages, tools, onText, refused, gone } = question
  const stop = new AbortController()
  const leave = () => stop.abort(new AppError('caller_gone'))
  const late = () => stop.abort(new AppError('ai_unavailable', `The answer took more than ${ai.timeoutMs / 1_000} s.`))
  const timer = setTimeout(late, ai.timeoutMs)
  const callers = [allowance.signal, gone].filter(signal => signal != null)
  for (const signal of callers) {
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  }
  let reply = ''
  let step = 0
  let length = 0
  try {
    const parts = model.converse({
      ...{ instructions, messages, tools: tools(error => stop.abort(error)), signal: stop.signal },
      ...{ maxSteps: ai.maxSteps, maxOutputTokens: ai.maxOutputTokens },
      before: async bytes => purse?.before(bytes),
      after: async usage => purse?.after(usage),
    })
    for await (const part of parts) {
      if (part.kind === 'refused') {
        refused?.(part.tool)
        continue
      }
      length += part.text.length
      if (length > ai.maxSteps * ai.maxOutputTokens * charactersPerToken) stop.abort(new AppError('ai_unavailable'))
      stop.signal.throwIfAborted()
      reply = part.step === step ? reply + part.text : part.text
      step = part.step
      if (part.text !== '') onText?.(part.text)
    }
    stop.signal.throwIfAborted()
  } finally {
    clearTimeout(timer)
    // Ends the request, so that what the provider still sends is not read.
    stop.abort()
    for (const signal of callers) signal.removeEventListener('abort', leave)
  }
  if (reply.trim() === '') throw new AppError('ai_no_answer')
  return reply.toWellFormed()
}
