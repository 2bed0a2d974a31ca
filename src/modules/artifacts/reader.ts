// The receipt back from any message: every OnChainPayment in it, with the exact values, strictly by the schema
// (onchain-payment-1.xsd).
import { z } from 'zod'
import { readXml, type XmlNode } from './read-xml.ts'
import { onChainPaymentNamespace } from './supplementary.ts'

/** A payment on a blockchain as a message states it. Texts are exact, white space and control characters included. */
export type OnChainPayment = {
  /** UUID, lower-case. */
  receiptId: string
  reference: string
  chain: string
  txHash: string
  /** Plain decimal in units of the asset: at most 20 integer and 18 fraction digits. */
  amount: string
  /** Whether the message's standard amount is the whole of it or was truncated toward zero. */
  amountInBand: 'exact' | 'truncated'
  /** A label, not an ISO 4217 code. */
  asset: string
  payer: string
  payee: string
  /** 0x and 64 hex digits. */
  resourceHash: string | null
  recordedAt: Date
  /** The id of the receipt this payment refunds. */
  refundOf: string | null
  /** Where the evidence bundle is anchored; null when the message was made before that. */
  anchor: { chain: string; txHash: string; blockNumber: string; anchoredAt: Date; bundleHash: string } | null
}

const present = { error: ({ input }: { input?: unknown }) => (input === undefined ? 'is missing' : undefined) }

const plain = (pattern: RegExp, kind: string) =>
  z
    .strictObject({ attributes: z.strictObject({}), text: z.string().regex(pattern, `is not ${kind}`) }, present)
    .transform(({ text }) => text)

const uuid = plain(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'a lower-case UUID')
const hash32 = plain(/^0x[0-9a-f]{64}$/, '0x and 64 lower-case hex digits')
const blockNumber = plain(/^[0-9]{1,30}$/, 'a block number')
const time = plain(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, 'a UTC time with milliseconds').transform(
  (text, context) => {
    const date = new Date(text)
    // The pattern lets 30 February through, which Date would take for 2 March.
    if (!Number.isNaN(date.getTime()) && date.toISOString() === text) return date
    context.addIssue('is not a time that exists')
    return z.NEVER
  },
)

const exactText = z
  .strictObject({ attributes: z.strictObject({ enc: z.literal('json').optional() }), text: z.string() }, present)
  .transform(({ attributes, text }, context) => {
    if (attributes.enc === undefined) return text
    const value = decoded(text)
    if (value !== null) return value
    context.addIssue('is not a JSON string literal')
    return z.NEVER
  })

function decoded(literal: string): string | null {
  try {
    return z.string().parse(/^".*"$/s.test(literal) ? JSON.parse(literal) : null)
  } catch {
    return null
  }
}

const amount = z.strictObject(
  {
    attributes: z.strictObject({ inBand: z.literal(['exact', 'truncated']) }),
    text: z.string().regex(/^[0-9]{1,20}(\.[0-9]{1,18})?$/, 'is not a plain decimal'),
  },
  present,
)

const anchorParts = z.strictObject({
  Chain: exactText,
  TxHash: exactText,
  BlockNumber: blockNumber,
  AnchoredAt: time,
  BundleHash: hash32,
})

// The schema is a sequence: the order of the keys is the order of the elements.
const paymentParts = z.strictObject({
  ReceiptId: uuid,
  Reference: exactText,
  Chain: exactText,
  TxHash: exactText,
  Amount: amount,
  Asset: exactText,
  Payer: exactText,
  Payee: exactText,
  ResourceHash: hash32.optional(),
  RefundOf: uuid.optional(),
  RecordedAt: time,
  Anchor: anchorParts.optional(),
})

/** Every OnChainPayment of the message in document order; none is an empty list. Throws an Error naming the fault. */
export const readOnChainPayments = (xml: string): OnChainPayment[] => paymentsIn(readXml(xml))

/** The same for a part of a message that is already read. */
export function paymentsIn(node: XmlNode): OnChainPayment[] {
  if (node.name !== 'OnChainPayment' || node.namespace !== onChainPaymentNamespace) {
    return node.children.flatMap(paymentsIn)
  }
  const parsed = paymentParts.safeParse(contentOf(node, Object.keys(paymentParts.shape)))
  if (parsed.success) return [paymentOf(parsed.data)]
  const [issue] = parsed.error.issues
  const path = [node.name, ...(issue?.path ?? [])].filter(part => part !== 'text')
  throw new Error(`${path.join('/')}: ${issue?.message}`)
}

type Content = { text: string; attributes: XmlNode['attributes'] } | { [name: string]: Content }

/** The children by name, each of them known and in its place. */
function contentOf(node: XmlNode, names: string[]): Content {
  const fault = (what: string) => new Error(`${node.name}: ${what}`)
  if (Object.keys(node.attributes).length > 0) throw fault('has an attribute that is not known')
  if (/[^ \t\r\n]/.test(node.text)) throw fault('has text between its elements')
  let last = -1
  for (const child of node.children) {
    const place = child.namespace === onChainPaymentNamespace ? names.indexOf(child.name) : -1
    if (place === -1) throw fault(`has an element that is not known: ${child.name}`)
    if (place <= last) throw fault(`has ${child.name} twice or out of its order`)
    last = place
  }
  return Object.fromEntries(node.children.map(child => [child.name, leafOrAnchor(child)]))
}

function leafOrAnchor(node: XmlNode): Content {
  if (node.name === 'Anchor') return contentOf(node, Object.keys(anchorParts.shape))
  if (node.children.length > 0) throw new Error(`${node.name}: has elements inside, not a text alone`)
  return { text: node.text, attributes: node.attributes }
}

const paymentOf = ({ Anchor, Amount, ...parts }: z.output<typeof paymentParts>): OnChainPayment => ({
  receiptId: parts.ReceiptId,
  reference: parts.Reference,
  chain: parts.Chain,
  txHash: parts.TxHash,
  amount: Amount.text,
  amountInBand: Amount.attributes.inBand,
  asset: parts.Asset,
  payer: parts.Payer,
  payee: parts.Payee,
  resourceHash: parts.ResourceHash ?? null,
  recordedAt: parts.RecordedAt,
  refundOf: parts.RefundOf ?? null,
  anchor: Anchor
    ? {
        chain: Anchor.Chain,
        txHash: Anchor.TxHash,
        blockNumber: Anchor.BlockNumber,
        anchoredAt: Anchor.AnchoredAt,
        bundleHash: Anchor.BundleHash,
      }
    : null,
})
