// A payment to record, as the verb takes it.
import { randomBytes } from 'node:crypto'
import type { Recording } from '../../src/modules/receipts/record-input.ts'

const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`

/** Returns a recording with values of its own, for the functions below the verb. */
export const recording = (projectId: string, change: Partial<Recording['input']> = {}): Recording => ({
  projectId,
  actor: 'key:1',
  origin: null,
  input: {
    settlementTx: hex(32),
    chain: 'base',
    amount: '1',
    currency: 'USDC',
    senderWallet: hex(20),
    receiverWallet: hex(20),
    reference: hex(8),
    ...change,
  },
})
