import { assetOf } from '../../core/settlement.ts'
import type { WalletCoverage } from '../../generated/prisma/client.ts'

/** Returns the token's contract. */
export function tokenOf({ assetId, decimals }: Pick<WalletCoverage, 'assetId' | 'decimals'>): string {
  const contract = assetOf(assetId, decimals)?.contract
  if (contract == null) throw new Error(`${assetId} is no token`)
  return contract
}
