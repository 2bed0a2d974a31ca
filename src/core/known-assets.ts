// The assets that a label means on a chain without configuration. No configuration gives such a label another meaning:
// a token of a project's own making could then be confirmed as a dollar.
import { invisible } from './identity.ts'
import known from './known-assets.json' with { type: 'json' }
import { assetOf, type ChainAsset } from './settlement.ts'

export type LabelledAsset = { label: string; caip19: string; decimals: number }

export const knownAssets: readonly LabelledAsset[] = known.assets

/** Wide letters and what cannot be seen make no other label for who reads it. */
const folded = (label: string) => label.normalize('NFKC').replace(invisible, '').trim().toLowerCase()

const isOn = (caip2: string, label: string) => {
  const wanted = folded(label)
  return (one: LabelledAsset) => folded(one.label) === wanted && assetOf(one.caip19, 0)?.caip2 === caip2
}

/** Returns the asset that a label means on a chain: as known, in any case, or else as configured. */
export function assetNamed(
  label: string,
  caip2: string,
  known: readonly LabelledAsset[],
  configured: readonly LabelledAsset[],
): ChainAsset | null {
  const own = configured.find(one => one.label === label && assetOf(one.caip19, 0)?.caip2 === caip2)
  const found = known.find(isOn(caip2, label)) ?? own
  return found === undefined ? null : assetOf(found.caip19, found.decimals)
}

/** Returns the places of the configured assets that contradict a fixed meaning of their label, with that meaning. */
export const contradictions = (configured: readonly LabelledAsset[], fixed: readonly LabelledAsset[]) =>
  configured.flatMap(({ label, caip19, decimals }, index) => {
    const asset = assetOf(caip19, decimals)
    const meant = asset && fixed.find(isOn(asset.caip2, label))
    const isSame = !meant || (assetOf(meant.caip19, 0)?.id === asset.id && meant.decimals === decimals)
    return isSame ? [] : [{ index, meant }]
  })
