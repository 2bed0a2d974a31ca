// Decides whether the project or the service anchors a receipt, and on which chains: the project's, else the
// organisation's, else the service's first chain.
import type { App } from '../../kit/context.ts'
import { configOf, type ProjectConfig } from '../projects/config.ts'
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

/** Returns the present configurations of the receipts' projects, by receipt. */
export async function projectConfigs(
  { pool }: Pick<App, 'pool'>,
  receiptIds: readonly string[],
): Promise<Map<string, ProjectConfig>> {
  const { rows } = await pool.query<{ id: string; config: unknown }>(
    `select r.id, c.config from receipts r join projects p on p.id = r.project_id
     join project_configs c on c.version = p.config_version where r.id = any($1::uuid[])`,
    [receiptIds],
  )
  return new Map(rows.map(row => [row.id, configOf(row)]))
}
