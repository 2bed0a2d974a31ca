// Answers as they are kept: what is final, what of it is sent again, and that no raw API key is among it.
import type { Response } from 'express'
import { z } from 'zod'
import { errorCodes } from '../core/errors.ts'

export type Answer = { status: number; headers: Record<string, string>; body: Buffer }

// The rest belongs to one exchange (request id, limits, connection), or must not be kept (X-API-Key).
const keptHeaders = [
  'Content-Type',
  'Content-Disposition',
  'Content-Security-Policy',
  'Location',
  'Cache-Control',
  'ETag',
  'Allow',
  'Vary',
  'PAYMENT-RESPONSE',
  'Receipt-Matched-By',
]

// Refused before anything was carried out.
const refusals = new Set([400, 401, 402, 403, 405, 413, 415, 422, 429, 499])
const isRefusal = (status: number) => status >= 500 || refusals.has(status)

/** Codes whose answer a retry would get again; what `Retry-After` comes with passes by itself. */
const isFinal = new Map<string, boolean>(
  Object.entries(errorCodes).map(([code, known]) => [
    code,
    !isRefusal(known.status) && !('retryAfterSeconds' in known),
  ]),
)

const graphqlErrors = z.object({ errors: z.array(z.object({ extensions: z.object({ code: z.string() }) })) })

/** GraphQL answers 200 to what failed; its codes say how. */
function isRefusedIn(text: string): boolean {
  const { success, data } = graphqlErrors.safeParse(JSON.parse(text))
  return success && data.errors.some(({ extensions }) => !isFinal.get(extensions.code))
}

const rpcAnswer = z.object({
  jsonrpc: z.literal('2.0'),
  result: z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) }).optional(),
})
const toolError = z.object({ detail: z.string() })

/** So does MCP, where an error is the text of a result; a challenge of x402 has no code. */
function isRefusedCall(text: string): boolean {
  const { success, data } = rpcAnswer.safeParse(JSON.parse(text))
  if (!success) return false
  if (data.result?.isError !== true) return data.result === undefined
  const told = toolError.safeParse(JSON.parse(data.result.content[0]?.text ?? 'null'))
  return !told.success || !isFinal.get(told.data.detail)
}

const rawKey = /qtk_[A-Za-z0-9_-]{51}/
const rawKeyValue = new RegExp(`"${rawKey.source}"`, 'g')
const rawKeyInText = new RegExp(rawKey.source, 'g')

/** A key was shown once: where it was the value stands null, and inside a text what it was. */
const withoutKeys = (json: string) => json.replace(rawKeyValue, 'null').replace(rawKeyInText, 'an API key, shown once')

/** Null where a retry is to be carried out again. `several`: it asked for more than one thing, of which one may be done. */
export function keptAnswer(res: Response, body: Buffer, several = false): Answer | null {
  const status = res.statusCode
  if (isRefusal(status) || res.hasHeader('Retry-After')) return null
  // What was refused with one payment may be had with another, and for who has a key the payment is no part of what makes a request the same.
  if (status >= 400 && res.req.headers['payment-signature'] !== undefined) return null
  const headers: Record<string, string> = {}
  for (const name of keptHeaders) {
    const value = res.getHeader(name)
    if (value !== undefined) headers[name] = String(value)
  }
  if (/json/.test(headers['Content-Type'] ?? '')) {
    const text = body.toString('utf8')
    if (!several && text.includes('"errors"') && isRefusedIn(text)) return null
    if (text.includes('"jsonrpc":"2.0"') && isRefusedCall(text)) return null
    return { status, headers, body: rawKey.test(text) ? Buffer.from(withoutKeys(text)) : body }
  }
  return rawKey.test(body.toString('latin1')) ? null : { status, headers, body }
}

export function replay(res: Response, { status, headers, body }: Answer): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.setHeader('Idempotency-Replayed', 'true')
  res.status(status).end(body)
}
