// Encodes and strictly decodes the three headers of x402 version 2: base64 of JSON.
import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { encodePaymentRequiredHeader, encodePaymentResponseHeader } from '@x402/core/http'
import {
  declarePaymentIdentifierExtension,
  isValidPaymentId,
  PAYMENT_IDENTIFIER,
} from '@x402/extensions/payment-identifier'
import { z } from 'zod'
import type { PaymentFacilitator, PaymentPayload, RequestedRequirement } from '../ports/payment-facilitator.ts'

const mostCharacters = 16 * 1024

const bytesOf = (pattern: RegExp, what: string) =>
  z
    .string()
    .regex(pattern, `must be 0x and ${what} as hex digits`)
    .transform(hex => hex.toLowerCase())
const address = bytesOf(/^0x[0-9a-fA-F]{40}$/, '20 bytes')
const nonce = bytesOf(/^0x[0-9a-fA-F]{64}$/, '32 bytes')
const signature = bytesOf(/^0x([0-9a-fA-F]{2})+$/, 'bytes')
const uint256 = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/, { error: 'must be a decimal string without leading zeros', abort: true })
  .refine(digits => BigInt(digits) < 1n << 256n, 'must be below 2^256')

const authorization = z.object({
  from: address,
  to: address,
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce,
})

// All members of the requirement that the client chose are kept, because the whole must equal the one that was offered.
const accepted = z.looseObject({ asset: address, payTo: address })

// Official clients echo the extensions of a challenge, including those that they do not know.
const extension = 'private-answer'
const secret = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'must be the secret of the challenge')
  .optional()
const identifier = z
  .string()
  .refine(isValidPaymentId, 'must be 16 to 128 letters, digits, hyphens and underscores')
  .nullish()
const extensions = z
  .object({
    [extension]: z.object({ info: z.object({ secret }) }).optional(),
    [PAYMENT_IDENTIFIER]: z.object({ info: z.object({ id: identifier }) }).optional(),
  })
  .optional()

const header = z
  .object({ x402Version: z.literal(2), accepted, payload: z.object({ signature, authorization }), extensions })
  .transform(({ accepted, payload, extensions }) => ({
    accepted,
    ...payload,
    secret: extensions?.[extension]?.info.secret,
    identifier: extensions?.[PAYMENT_IDENTIFIER]?.info.id ?? undefined,
  }))

const payload = z.object({
  accepted,
  signature,
  authorization,
  secret: z.string().optional(),
  identifier: z.string().optional(),
})

const requirement = accepted.extend({
  scheme: z.string(),
  network: z.string(),
  amount: uint256.refine(digits => digits !== '0', 'must be above 0'),
  maxTimeoutSeconds: z.int().min(1),
})

/** Returns the first fault without the value, because the client is not trusted. */
const faultOf = ({ issues: [first] }: z.ZodError) =>
  `${[first?.path.join('.'), first?.message].filter(Boolean).join(' ')}.`

function read(json: unknown): { payload: PaymentPayload } | { fault: string } {
  const { success, data, error } = header.safeParse(json)
  return success ? { payload: data } : { fault: `: ${faultOf(error)}` }
}

function readRequirement(entry: unknown): { requested: RequestedRequirement } | { fault: string } {
  const { success, data, error } = requirement.safeParse(entry)
  return success ? { requested: data } : { fault: faultOf(error) }
}

function decode(text: string): { payload: PaymentPayload } | { fault: string } {
  if (text.length > mostCharacters) return { fault: ' is longer than 16 KiB.' }
  const bytes = Buffer.from(text, 'base64url')
  // Clients use either alphabet, with or without padding. Node ignores characters that are not base64.
  const plain = text
    .replace(/={1,2}$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  if (bytes.length === 0 || bytes.toString('base64url') !== plain || !isUtf8(bytes)) {
    return { fault: ' is not base64 of UTF-8.' }
  }
  let json: unknown
  try {
    json = JSON.parse(bytes.toString('utf8'))
  } catch {
    return { fault: ' is not base64 of JSON.' }
  }
  return read(json)
}

type Codec = Pick<
  PaymentFacilitator,
  'decode' | 'read' | 'readRequirement' | 'restore' | 'encodeRequired' | 'encodeResponse'
>

export const codecFor = (network: PaymentFacilitator['network']): Codec => ({
  decode,
  read,
  readRequirement,
  restore: stored => payload.parse(stored),
  encodeRequired: challenge => {
    const secret = randomBytes(16).toString('base64url')
    const schema = { type: 'object', properties: { secret: { type: 'string' } }, required: ['secret'] }
    const offered = {
      ...challenge.extensions,
      [extension]: { info: { secret }, schema },
      [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(),
    }
    const body = { x402Version: 2, ...challenge, extensions: offered }
    return { header: encodePaymentRequiredHeader(body), body }
  },
  encodeResponse: response =>
    encodePaymentResponseHeader(
      'errorReason' in response
        ? { success: false, transaction: '', network, ...response }
        : { success: true, network, ...response },
    ),
})
