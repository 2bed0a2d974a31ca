// How final the block of an anchor is, for filters and types.
import { z } from 'zod'

export const finality = z.enum(['included', 'safe', 'final']).meta({
  graphql: 'Finality',
  description: 'How final the block is, by the chain’s finality policy.',
  values: {
    included: 'The block is in the chain.',
    safe: 'The chain’s nodes report the block as safe.',
    final: 'The block is final.',
  },
})
