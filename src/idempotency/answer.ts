// The stored form of responses: which are final, which headers are replayed, and the removal of raw API keys.
import type { Response } from 'express'
import { z } from 'zod'
import { errorCodes } from '../core/errors.ts'
import { secretForm } from '../core/secrets.ts'

export type Answer = { status: number; headers: Record<string, string>; body: Buffer }

// Other headers belong to one exchange (request id, rate limits, connection) or must not be stored (X-API-Key).
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
  'Receipt-Differs',
  'Quittance-Notice',
]

// Statuses of requests that were refused before anything was carried out.
const refusals = new Set([400, 401, 402, 403, 405, 413, 415, 422, 429, 499])
const isRefusal = (status: number) => status >= 500 || refusals.has(status)

/** True for error codes that a retry would receive again; an error with `Retry-After` is temporary. */
const isFinal = new Map<string, boolean>(
  Object.entries(errorCodes).map(([code, known]) => [
    code,
    !isRefusal(known.status) && !('retryAfterSeconds' in known),
  ]),
)

const graphqlErrors = z.object({ errors: z.array(z.object({ extensions: z.object({ code: z.string() }) })) })

/** True for a GraphQL response with a refusal that is not final. Its status is 200, so its error codes decide. */
function isRefusedIn(text: string): boolean {
  const { success, data } = graphqlErrors.safeParse(JSON.parse(text))
  return success && data.errors.some(({ extensions }) => !isFinal.get(extensions.code))
}

const rpcAnswer = z.object({
  jsonrpc: z.literal('2.0'),
  result: z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) }).optional(),
})
const toolError = z.object({ detail: z.string() })

/** The same for an MCP response, whose error is the text of a result; an x402 challenge has no code. */
function isRefusedCall(text: string): boolean {
  const { success, data } = rpcAnswer.safeParse(JSON.parse(text))
  if (!success) return false
  if (data.result?.isError !== true) return data.result === undefined
  const parsed = toolError.safeParse(JSON.parse(data.result.content[0]?.text ?? 'null'))
  return !parsed.success || !isFinal.get(parsed.data.detail)
}

const secretValue = new RegExp(`"(?:${secretForm.source})"`, 'g')
const secretInText = new RegExp(secretForm.source, 'g')

/** Removes API keys and webhook secrets, which are not stored: a value becomes null, and one inside a text a note. */
const withoutSecrets = (json: string) => json.replace(secretValue, 'null').replace(secretInText, 'a secret, not stored')

/**
 * Returns the response to store; null if a retry is to be carried out again. `several`: the request has several root
 * fields, of which some may have been carried out.
 */
export function keptAnswer(res: Response, body: Buffer, several = false): Answer | null {
  const status = res.statusCode
  if (isRefusal(status) || res.hasHeader('Retry-After')) return null
  // A request refused with one payment may succeed with another, and for a caller with a key the payment is not part of
  // the request's identity.
  if (status >= 400 && res.req.headers['payment-signature'] !== undefined) return null
  const headers: Record<string, string> = {}
  for (const name of keptHeaders) {
    const value = res.getHeader(name)
    if (value !== undefined) headers[name] = String(value)
  }
  if (/json/.test(headers['Content-Type'] ?? '')) {
    // Every answer has it; that of a file differs.
    delete headers['Content-Security-Policy']
    const text = body.toString('utf8')
    if (!several && text.includes('"errors"') && isRefusedIn(text)) return null
    if (text.includes('"jsonrpc":"2.0"') && isRefusedCall(text)) return null
    return { status, headers, body: secretForm.test(text) ? Buffer.from(withoutSecrets(text)) : body }
  }
  return secretForm.test(body.toString('latin1')) ? null : { status, headers, body }
}

export function replay(res: Response, { status, headers, body }: Answer): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.setHeader('Idempotency-Replayed', 'true')
  res.setHeader('Content-Length', body.length)
  res.status(status).end(body)
}
