// The status of an anchor: what became of its transaction, and how final the block is.
import { z } from 'zod'

export const anchorStatus = z.enum(['waiting', 'external', 'sent', 'included', 'safe', 'final']).meta({
  graphql: 'AnchorStatus',
  description: 'Status of an anchor.',
  values: {
    waiting: 'Not sent yet.',
    external: 'The project sends it, in tenant mode.',
    sent: 'In a transaction that is in no block yet.',
    included: 'In a block of the chain.',
    safe: 'In a block that the chain’s nodes report as safe.',
    final: 'In a final block, by the chain’s finality policy.',
  },
})
export type AnchorStatus = z.output<typeof anchorStatus>

type Stored<State> = { state: State | 'confirmed'; finality: 'included' | 'safe' | 'final' | null }

/**
 * Returns the status of what is in a transaction, or of the transaction itself. A block that just became final is safe
 * until all that follows from it is stored.
 */
export function statusInChain<State>({ state, finality }: Stored<State>): State | 'included' | 'safe' | 'final' {
  if (state === 'confirmed') return 'final'
  return finality === 'final' ? 'safe' : (finality ?? state)
}

/** The same in SQL, of the texts in these columns. */
export const statusInChainInSql = (state: string, finality: string): string =>
  `case when ${state} = 'confirmed' then 'final' else coalesce(case ${finality} when 'final' then 'safe' else ${finality}::text end, ${state}::text) end`
