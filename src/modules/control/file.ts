// control.json of a bundle: why the receiver's wallet is that of the project which recorded the receipt.
import { z } from 'zod'
import { canonicalJson } from '../../core/canonical.ts'
import type { WalletProofMethod } from '../../generated/prisma/client.ts'

export const controlName = 'control.json'

/** A kept proof as bundles state it. All hex is lower-case; the message is exactly as it was signed. */
export type WalletProof = {
  address: string
  message: string
  signature: string
  method: WalletProofMethod
  /** CAIP-2 id of the chain of a contract, and the block at which it accepted the signature; null for a key's. */
  network: string | null
  blockNumber: number | null
  blockHash: string | null
  linkedAt: Date
}

const common = {
  version: z.literal(1),
  wallet: z.string().regex(/^0x[0-9a-f]{40}$/),
  project: z.strictObject({ id: z.guid() }),
  message: z.string().min(1).max(4_096),
  signature: z.string().regex(/^0x([0-9a-f]{2}){0,4096}$/),
  /** When the service had checked the signature. */
  linked_at: z.iso.datetime({ precision: 3 }),
}

const controlSchema = z.discriminatedUnion('method', [
  z.strictObject({
    ...common,
    method: z.literal('eip191'),
    chain: z.null(),
    block_number: z.null(),
    block_hash: z.null(),
  }),
  z.strictObject({
    ...common,
    method: z.enum(['eip1271', 'eip6492']),
    chain: z.string().regex(/^eip155:[1-9]\d{0,15}$/),
    block_number: z.int().nonnegative(),
    block_hash: z.string().regex(/^0x[0-9a-f]{64}$/),
  }),
])

export type Control = z.output<typeof controlSchema>

export const controlFile = (projectId: string, proof: WalletProof): { name: string; bytes: Buffer } => ({
  name: controlName,
  bytes: canonicalJson({
    version: 1,
    wallet: proof.address,
    project: { id: projectId },
    message: proof.message,
    signature: proof.signature,
    method: proof.method,
    chain: proof.network,
    block_number: proof.blockNumber,
    block_hash: proof.blockHash,
    linked_at: proof.linkedAt.toISOString(),
  }),
})

/** Returns what these bytes state, or null when they are no control.json of version 1. Never throws. */
export function readControl(bytes: Buffer): Control | null {
  try {
    return controlSchema.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}
