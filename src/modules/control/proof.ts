// The kept signature by which a wallet was linked to a project.
import type { WalletProofKind } from '../../generated/prisma/client.ts'
import type { Block } from '../../ports/chain.ts'

/** `at`: of a contract, the chain (CAIP-2) and the block at which it accepted the signature. */
export type Checked =
  | { method: 'eip191'; at: null }
  | { method: 'eip1271' | 'eip6492'; at: Block & { network: string } }

/** Address and signature in lower-case; `message` exactly as it was signed. */
export type KeptProof = Checked & { kind: WalletProofKind; address: string; message: string; signature: string }
