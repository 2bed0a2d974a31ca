// Reads the exact values back from any message: every OnChainPayment in it, and the sums of a statement from its
// OnChainStatement. Accepts only what the schema (onchain-payment-1.xsd) allows.
import { z } from 'zod'
import { type SettlementStatus, settlementStatusNames } from '../../core/settlement.ts'
import type { PaymentGrade } from '../../core/what-is-proven.ts'
import type { FiatEquivalent } from './facts.ts'
import { readXml, type XmlNode } from './read-xml.ts'
import type { InBand } from './slots.ts'
import { onChainPaymentNamespace } from './supplementary.ts'

/** A payment on a blockchain as a message states it. Texts are exact, white space and control characters included. */
export type OnChainPayment = {
  /** UUID, lower-case. */
  receiptId: string
  /** The project that recorded the payment; null in messages that do not name the project. */
  project: { id: string; ownerWallet: string | null } | null
  reference: string
  chain: string
  /** The transaction that moved the money; null for a refund that is only announced. */
  txHash: string | null
  /** Plain decimal in units of the asset: at most 20 integer and 18 fraction digits. */
  amount: string
  /** Whether the message's standard amount is exact, is less, or is more because the smallest amount is. */
  amountInBand: InBand
  /** A label, not an ISO 4217 code. */
  asset: string
  payer: string
  /** The party to which the project stated that the payer's wallet belongs; null where it listed no such wallet. */
  payerParty: OnChainParty | null
  payee: string
  payeeParty: OnChainParty | null
  /** 0x and 64 hex digits. */
  resourceHash: string | null
  /** How the service knows the payment; null in messages that do not say it, whose payments were stated too. */
  grade: PaymentGrade | null
  /** When the payment took place, as the project stated it. */
  statedAt: Date | null
  /** The check of the payment on its own chain; null where there was none. */
  settlement: OnChainSettlement | null
  recordedAt: Date
  /** The value of the payment in a currency, as the service computed it; null in messages that state no value. */
  fiatEquivalent: FiatEquivalent | null
  /** When the payment was booked; null in messages made before the booking or without a booking time. */
  bookedAt: Date | null
  /** The refunded receipt, its transaction, and its amount; null when the payment is no refund. */
  refundOf: { receiptId: string; txHash: string; amount: string } | null
  /** The anchor of the evidence bundle; null when the message was made before the anchoring. */
  anchor: { chain: string; txHash: string; blockNumber: string; anchoredAt: Date; bundleHash: string } | null
}

type OnChainSettlement = {
  status: SettlementStatus
  checkedAt: Date
  /** CAIP-19. */
  assetId: string | null
  /** Null unless the transaction is in a block. */
  block: { number: string; hash: string; time: Date } | null
  transferIndex: string | null
  /** Sender of the transaction, and its fee in the smallest unit of the chain's own currency. */
  sentBy: string | null
  fee: string | null
}

export type OnChainParty = {
  name: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
  /** ISO 17442. */
  lei: string | null
  /** Whether the wallet was linked to the project by a signature; otherwise the project only stated whose it is. */
  isProven: boolean
}

/** One page of a statement, as its message states it. Texts are exact, as in OnChainPayment. */
export type OnChainStatement = {
  /** UUID, lower-case; the same on every page. */
  statementId: string
  from: Date
  /** The first moment after the period. */
  to: Date
  /** Counted from 1. */
  page: number
  pages: number
  /** In the order of the message's Stmt or Rpt elements. Empty in an empty statement: its one element is no account. */
  accounts: OnChainAccount[]
}

/**
 * The payments of one wallet in one asset on one chain that are on this page: opening + credits - debits = closing. All
 * four are plain decimals of any size in units of the asset, with at most 18 fraction digits; only the balances can be
 * negative, with a `-`.
 */
export type OnChainAccount = {
  wallet: string
  chain: string
  /** A label, not an ISO 4217 code. */
  asset: string
  opening: string
  credits: string
  debits: string
  closing: string
  entries: number
  /** Whether the message's standard balances and sums equal these or are computed from truncated amounts. */
  inBand: 'exact' | 'truncated'
}

const present = { error: ({ input }: { input?: unknown }) => (input === undefined ? 'is missing' : undefined) }

const bare = <Text extends string>(content: z.ZodType<Text>) =>
  z.strictObject({ attributes: z.strictObject({}), text: content }, present).transform(({ text }) => text)
const plain = (pattern: RegExp, kind: string) => bare(z.string().regex(pattern, `is not ${kind}`))

const uuid = plain(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'a lower-case UUID')
const hash32 = plain(/^0x[0-9a-f]{64}$/, '0x and 64 lower-case hex digits')
const blockNumber = plain(/^[0-9]{1,30}$/, 'a block number')
const time = bare(z.iso.datetime({ precision: 3, error: 'is not a UTC time with milliseconds' })).transform(
  text => new Date(text),
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

const inBand = z.strictObject({ inBand: z.literal(['exact', 'truncated']) })
const amountInBand = z.strictObject({ inBand: z.literal(['exact', 'truncated', 'raised']) })
const amount = z.strictObject(
  {
    attributes: amountInBand,
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

const equivalentParts = z.strictObject({
  Amount: plain(/^[0-9]{1,20}(\.[0-9]{1,18})?$/, 'a plain decimal'),
  Currency: plain(/^[A-Z]{3}$/, 'a currency code'),
  Rate: plain(/^[0-9]+(\.[0-9]+)?$/, 'a plain decimal'),
  RateOf: exactText,
  Source: exactText,
  AsOf: time,
})

const partyParts = z.strictObject({
  Name: exactText.optional(),
  Country: plain(/^[A-Z]{2}$/, 'a country code').optional(),
  Lei: plain(/^[A-Z0-9]{18}[0-9]{2}$/, 'an LEI').optional(),
  Proof: bare(z.enum(['signature', 'none'], 'is not a proof')),
})

const natural = plain(/^(0|[1-9][0-9]{0,77})$/, 'a number')

const settlementParts = z.strictObject({
  Status: bare(z.enum(settlementStatusNames, 'is not the result of a check')),
  CheckedAt: time,
  AssetId: exactText.optional(),
  BlockNumber: natural.optional(),
  BlockHash: hash32.optional(),
  BlockTime: time.optional(),
  TransferIndex: natural.optional(),
  SentBy: exactText.optional(),
  Fee: natural.optional(),
})

/** The elements that contain other elements. */
const groups: Readonly<Record<string, z.ZodObject>> = {
  PayerParty: partyParts,
  PayeeParty: partyParts,
  Anchor: anchorParts,
  FiatEquivalent: equivalentParts,
  Settlement: settlementParts,
}

// The schema is a sequence: the order of the keys is the order of the elements.
const paymentParts = z.strictObject({
  ReceiptId: uuid,
  ProjectId: uuid.optional(),
  ProjectOwner: exactText.optional(),
  Reference: exactText,
  Chain: exactText,
  TxHash: exactText.optional(),
  Amount: amount,
  Asset: exactText,
  Payer: exactText,
  PayerParty: partyParts.optional(),
  Payee: exactText,
  PayeeParty: partyParts.optional(),
  ResourceHash: hash32.optional(),
  RefundOf: uuid.optional(),
  RefundedTxHash: exactText.optional(),
  RefundedAmount: plain(/^[0-9]{1,20}(\.[0-9]{1,18})?$/, 'a plain decimal').optional(),
  Grade: bare(z.enum(['stated', 'observed', 'proved'], 'is not a grade')).optional(),
  StatedAt: time.optional(),
  Settlement: settlementParts.optional(),
  RecordedAt: time,
  FiatEquivalent: equivalentParts.optional(),
  BookedAt: time.optional(),
  Anchor: anchorParts.optional(),
})

const sum = plain(/^[0-9]+(\.[0-9]{1,18})?$/, 'a plain decimal')
const signedSum = plain(/^-?[0-9]+(\.[0-9]{1,18})?$/, 'a plain decimal, signed or not')
// Nine digits are enough: the largest accepted message cannot contain a billion entries.
const count = plain(/^(0|[1-9][0-9]{0,8})$/, 'a count').transform(Number)
const pageNumber = plain(/^[1-9][0-9]{0,8}$/, 'the number of a page').transform(Number)

const statementParts = z.strictObject({
  StatementId: uuid,
  From: time,
  To: time,
  Page: pageNumber,
  Pages: pageNumber,
})

const accountParts = z.strictObject({
  Wallet: exactText,
  Chain: exactText,
  Asset: exactText,
  Opening: signedSum,
  Credits: sum,
  Debits: sum,
  Closing: signedSum,
  Entries: count,
})

const treeOf = (message: string | XmlNode): XmlNode => (typeof message === 'string' ? readXml(message) : message)

/**
 * Returns every OnChainPayment of a message, which is text or a part of a parsed tree, in document order; [] when there
 * is none. Throws an Error that names the fault.
 */
export const readOnChainPayments = (message: string | XmlNode): OnChainPayment[] =>
  elementsIn(treeOf(message), 'OnChainPayment').map(paymentOf)

/**
 * Returns the OnChainStatement of a message, which is text or a parsed tree; null when there is none. Throws an Error
 * that names the fault, also when there are two.
 */
export function readOnChainStatement(message: string | XmlNode): OnChainStatement | null {
  const [found, second] = elementsIn(treeOf(message), 'OnChainStatement')
  if (second !== undefined) throw new Error('OnChainStatement: occurs twice')
  return found === undefined ? null : statementOf(found)
}

const isOurs = (node: XmlNode, name: string): boolean =>
  node.name === name && node.namespace === onChainPaymentNamespace

/** Returns the elements of this name in our namespace, in document order. */
function elementsIn(node: XmlNode, name: string, found: XmlNode[] = []): XmlNode[] {
  if (isOurs(node, name)) found.push(node)
  else for (const child of node.children) elementsIn(child, name, found)
  return found
}

/** Parses `content` by the schema; an error message calls the element `where`. */
function parsedAs<Parts>(schema: z.ZodType<Parts>, content: unknown, where: string): Parts {
  const parsed = schema.safeParse(content)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = [where, ...(issue?.path ?? [])].filter(part => part !== 'text')
  throw new Error(`${path.join('/')}: ${issue?.message}`)
}

type Content = { text: string; attributes: XmlNode['attributes'] } | { [name: string]: Content }

/** Returns the children by name. Throws unless each child is known, occurs once and is in schema order. */
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
  return Object.fromEntries(node.children.map(child => [child.name, leafOrGroup(child)]))
}

function leafOrGroup(node: XmlNode): Content {
  const group = groups[node.name]
  if (group !== undefined) return contentOf(node, Object.keys(group.shape))
  if (node.children.length > 0) throw new Error(`${node.name}: has elements inside, not a text alone`)
  return { text: node.text, attributes: node.attributes }
}

function statementOf(node: XmlNode): OnChainStatement {
  // The accounts come last.
  const first = node.children.findIndex(child => isOurs(child, 'Account'))
  const children = first === -1 ? node.children : node.children.slice(0, first)
  const content = contentOf({ ...node, children }, Object.keys(statementParts.shape))
  const parts = parsedAs(statementParts, content, node.name)
  return {
    statementId: parts.StatementId,
    from: parts.From,
    to: parts.To,
    page: parts.Page,
    pages: parts.Pages,
    accounts: node.children.slice(children.length).map(accountOf),
  }
}

function accountOf(node: XmlNode, index: number): OnChainAccount {
  if (!isOurs(node, 'Account')) throw new Error(`OnChainStatement: has ${node.name} after its accounts`)
  const where = `OnChainStatement/Account ${index + 1}`
  const content = contentOf({ ...node, name: where, attributes: {} }, Object.keys(accountParts.shape))
  const parts = parsedAs(accountParts, content, where)
  return {
    wallet: parts.Wallet,
    chain: parts.Chain,
    asset: parts.Asset,
    opening: parts.Opening,
    credits: parts.Credits,
    debits: parts.Debits,
    closing: parts.Closing,
    entries: parts.Entries,
    inBand: parsedAs(inBand, node.attributes, where).inBand,
  }
}

type Refund = Pick<z.output<typeof paymentParts>, 'TxHash' | 'RefundOf' | 'RefundedTxHash' | 'RefundedAmount'>

/** In messages older than RefundedTxHash, the TxHash of a refund is the transaction of the refunded payment. */
function transactionsOf(where: string, amount: string, { TxHash, RefundOf, RefundedTxHash, RefundedAmount }: Refund) {
  const refunded = RefundedTxHash ?? TxHash
  if (RefundOf === undefined ? TxHash === undefined : refunded === undefined)
    throw new Error(`${where}/TxHash: is missing`)
  if (RefundOf === undefined && (RefundedTxHash ?? RefundedAmount) !== undefined)
    throw new Error(`${where}/RefundOf: is missing`)
  return {
    txHash: RefundOf !== undefined && RefundedTxHash === undefined ? null : (TxHash ?? null),
    refundOf:
      RefundOf === undefined || refunded === undefined
        ? null
        : { receiptId: RefundOf, txHash: refunded, amount: RefundedAmount ?? amount },
  }
}

const partyOf = (parts: z.output<typeof partyParts> | undefined): OnChainParty | null =>
  parts === undefined
    ? null
    : {
        name: parts.Name ?? null,
        country: parts.Country ?? null,
        lei: parts.Lei ?? null,
        isProven: parts.Proof === 'signature',
      }

function settlementOf(parts: z.output<typeof settlementParts>): OnChainSettlement {
  const { BlockNumber: number, BlockHash: hash, BlockTime: at } = parts
  return {
    status: parts.Status,
    checkedAt: parts.CheckedAt,
    assetId: parts.AssetId ?? null,
    block: number !== undefined && hash !== undefined && at !== undefined ? { number, hash, time: at } : null,
    transferIndex: parts.TransferIndex ?? null,
    sentBy: parts.SentBy ?? null,
    fee: parts.Fee ?? null,
  }
}

function paymentOf(node: XmlNode): OnChainPayment {
  const content = contentOf(node, Object.keys(paymentParts.shape))
  const { Anchor, Amount, FiatEquivalent: equivalent, ...parts } = parsedAs(paymentParts, content, node.name)
  return {
    receiptId: parts.ReceiptId,
    project: parts.ProjectId === undefined ? null : { id: parts.ProjectId, ownerWallet: parts.ProjectOwner ?? null },
    reference: parts.Reference,
    chain: parts.Chain,
    ...transactionsOf(node.name, Amount.text, parts),
    amount: Amount.text,
    amountInBand: Amount.attributes.inBand,
    asset: parts.Asset,
    payer: parts.Payer,
    payerParty: partyOf(parts.PayerParty),
    payee: parts.Payee,
    payeeParty: partyOf(parts.PayeeParty),
    resourceHash: parts.ResourceHash ?? null,
    grade: parts.Grade ?? null,
    statedAt: parts.StatedAt ?? null,
    settlement: parts.Settlement ? settlementOf(parts.Settlement) : null,
    recordedAt: parts.RecordedAt,
    fiatEquivalent: equivalent
      ? {
          amount: equivalent.Amount,
          currency: equivalent.Currency,
          rate: equivalent.Rate,
          rateOf: equivalent.RateOf,
          source: equivalent.Source,
          asOf: equivalent.AsOf,
        }
      : null,
    bookedAt: parts.BookedAt ?? null,
    anchor: Anchor
      ? {
          chain: Anchor.Chain,
          txHash: Anchor.TxHash,
          blockNumber: Anchor.BlockNumber,
          anchoredAt: Anchor.AnchoredAt,
          bundleHash: Anchor.BundleHash,
        }
      : null,
  }
}
