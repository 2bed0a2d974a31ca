// Decides whether the project or the service anchors a receipt, and on which chains: the project's, else the
// organisation's, else the service's first chain.
import type { App } from '../../kit/context.ts'
import type { ProjectConfig } from '../projects/config.ts'
import type { Organisation } from '../settings/organisation.ts'

export function anchoringOf(
  { chains: [first] }: Pick<App, 'chains'>,
  { anchoring: { executionMode, chains } }: ProjectConfig,
  { anchoring: ours }: Organisation,
): { isTenant: boolean; chains: readonly string[] } {
  const named = chains.map(({ name }) => name)
  const chosen = [named, ours.chains].find(names => names.length > 0)
  return { isTenant: executionMode === 'tenant', chains: chosen ?? [first.name] }
}
