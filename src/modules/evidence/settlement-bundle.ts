// Builds the bundle of a later result of the check of a payment: settlement.json, with the receipt's own data.
import type { Signer } from '../../ports/signer.ts'
import type { NewArtifact } from '../artifacts/store.ts'
import type { ReceiptFacts } from '../iso20022/facts.ts'
import { filesOf, settlementFile, signed } from './bundle.ts'
import { writeManifest } from './manifest.ts'

export async function buildSettlementBundle(
  receipt: ReceiptFacts,
  settlement: unknown,
  signer: Signer,
): Promise<{ artifact: NewArtifact; bundleHash: string }> {
  const files = [...filesOf(receipt), settlementFile(settlement)]
  const { bytes, bundleHash } = await signed(files, signer, listed => writeManifest(receipt, signer.keyId, listed))
  const artifact = {
    owner: { receiptId: receipt.id },
    type: 'settlement',
    version: 'evidence.2',
    name: 'settlement.zip',
    mediaType: 'application/zip',
    signedBy: signer.keyId,
    bytes,
  }
  return { artifact, bundleHash }
}
