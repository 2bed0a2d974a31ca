// The forms of the answers of EVM nodes about transactions and their blocks, which nodes spell in different ways.
import { z } from 'zod'
import { address, bytes, word } from './chain-node.ts'

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]+$/i)
  .transform(BigInt)
const count = quantity.refine(value => value <= Number.MAX_SAFE_INTEGER).transform(Number)
// As numbers of transfers are written and stored.
const mostIndex = 2 ** 31 - 1
const index = count.refine(value => value <= mostIndex)
// Nodes leave out what others write as null.
const quantityOrNull = quantity.nullish().transform(value => value ?? null)

const receiptShape = z.object({
  transactionHash: word,
  transactionIndex: index,
  blockHash: word,
  blockNumber: count,
  status: count,
  gasUsed: quantity,
  effectiveGasPrice: quantityOrNull,
  // The fee of roll-ups of the OP stack for their data.
  l1Fee: quantityOrNull,
  logs: z.array(z.object({ address, topics: z.array(word).max(4), data: bytes, logIndex: index })),
})
export type Receipt = z.output<typeof receiptShape>
// Some nodes have a receipt of a transaction that is in no block yet.
export const receiptOrNone = z
  .union([z.null(), z.undefined().transform(() => null), z.object({ blockHash: z.null() }).transform(() => null)])
  .or(receiptShape)

export const transactionShape = z.object({
  hash: word,
  from: address,
  to: address.nullish(),
  value: quantity,
  input: bytes,
})
const blockShape = z.object({ number: count, hash: word, timestamp: count, transactions: z.array(z.unknown()) })
/** Beside what is parsed, the answer as the node wrote it: a proof is made of all its fields. */
const withWhole = <Parsed extends object>(shape: z.ZodType<Parsed>) =>
  z.unknown().transform((whole, { issues }) => {
    const { data, error } = shape.safeParse(whole)
    if (error !== undefined) issues.push(...error.issues.map(issue => ({ ...issue, input: undefined })))
    return data === undefined ? z.NEVER : { ...data, whole }
  })
export const blockAnswer = withWhole(blockShape)
export const receiptsAnswer = withWhole(z.array(receiptShape).transform(receipts => ({ receipts })))

export type BlockAnswer = z.output<typeof blockAnswer>

export type ReceiptsAnswer = z.output<typeof receiptsAnswer>

/** The facts of a transaction that the check of a payment uses. */
export function factsOf(transaction: unknown): unknown {
  const { data } = transactionShape.safeParse(transaction)
  return data && [data.hash, data.from, data.to ?? null, `${data.value}`, data.input === '0x']
}

/** Text that is equal where nodes say the same. */
export const factsIn = (answer: unknown): string =>
  JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
