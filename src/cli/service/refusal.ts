// Recognises refusals of a service, over GraphQL and REST, and words each as a sentence.
import { z } from 'zod'
import { visible } from '../../core/visible.ts'
import { CommandError } from '../command.ts'

const graphqlRefusal = z.object({
  errors: z.array(z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() })),
})
const restRefusal = z.object({ message: z.string() })
const invalidBody = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
})

/** Returns the first error of a GraphQL response; null when it has none. */
export function refusalIn(content: unknown): { message: string; code: string | null } | null {
  const [first] = graphqlRefusal.safeParse(content).data?.errors ?? []
  return first ? { message: first.message, code: first.extensions?.code ?? null } : null
}

/** Returns the error with a sentence for the user of the command. */
export function refused(url: string, status: number, content: unknown): CommandError {
  const graphql = refusalIn(content)
  if (status === 401 || graphql?.code === 'unauthenticated') {
    return new CommandError(`${url} does not accept this key: it is unknown, revoked or expired.`)
  }
  const [invalid] = invalidBody.safeParse(content).data?.detail ?? []
  const words = graphql?.message ?? restRefusal.safeParse(content).data?.message
  const message = words ?? (invalid && `${invalid.loc.join('.')}: ${invalid.msg}`)
  if (message !== undefined) return new CommandError(`${url} refuses: ${visible(message.slice(0, 500))}`)
  if (status >= 300 && status < 400) {
    return new CommandError(
      `${url} answers with a redirect (${status}), which is not followed: give the address it leads to.`,
    )
  }
  return new CommandError(`${url} answers ${status}: is it a Quittance service?`)
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns in a few words why a request had no response. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  if (['AbortError', 'TimeoutError'].includes(error.name)) return 'no answer in time'
  return visible(error.message || ('code' in error && String(error.code)) || 'no answer').slice(0, 200)
}
