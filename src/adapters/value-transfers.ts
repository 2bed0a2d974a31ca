// Reads the transfers of value that the contracts of a transaction made, which only a node that traces can tell.
import { z } from 'zod'
import type { ChainNode } from './chain-node.ts'

const address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/i)
  .toLowerCase()
const value = z
  .string()
  .regex(/^0x[0-9a-f]+$/i)
  .transform(BigInt)

type Frame = {
  type: string
  from: string
  to?: string | null | undefined
  value?: bigint | null | undefined
  error?: string | null | undefined
  calls?: readonly Frame[] | null | undefined
}
const frame: z.ZodType<Frame> = z.object({
  type: z.string().toUpperCase(),
  from: address,
  to: address.nullish(),
  value: value.nullish(),
  error: z.string().nullish(),
  get calls() {
    return z.array(frame).nullish()
  },
})

// A transaction may nest 1,024 calls, and a block has gas for tens of thousands.
const mostTransfers = 10_000
const movesValue = ['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT']
// They run the code of another account with the caller's value, and move nothing.
const movesNothing = ['DELEGATECALL', 'STATICCALL', 'CALLCODE']

/** `amount`: decimal digits. */
type Transfer = { index: number; from: string; to: string; amount: string }

/**
 * Returns the transfers in the order of execution, without those of calls that failed. Amounts are text, so that
 * answers can be compared. Throws where the node does not trace.
 */
export async function valueTransfersOf(node: ChainNode, txid: string): Promise<Transfer[]> {
  const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: false } }
  const traced = frame.safeParse(await node.send('debug_traceTransaction', [txid, options]))
  if (!traced.success) throw new Error('its answer to debug_traceTransaction is no call')
  const transfers: Transfer[] = []
  const waiting: Frame[] = [traced.data]
  while (waiting.length > 0) {
    const { type, from, to, value, error, calls } = waiting.pop() as Frame
    if (error != null) continue
    const amount = value ?? 0n
    if (amount > 0n && to != null && !movesNothing.includes(type)) {
      if (!movesValue.includes(type)) throw new Error('a call is of a type that is not known')
      if (transfers.length >= mostTransfers) throw new Error('the transaction has too many transfers of value')
      transfers.push({ index: transfers.length, from, to, amount: `${amount}` })
    }
    waiting.push(...(calls ?? []).toReversed())
  }
  return transfers
}
