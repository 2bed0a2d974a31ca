// The results of the check of a payment on its own chain, the policies that follow them, and the assets of chains.
import { z } from 'zod'

/** Every result of a check, with a sentence for people. */
const settlementStatuses = {
  confirmed: 'The payment took place exactly as stated, in a block that is final.',
  mismatch: 'The transaction took place, and did not make the stated payment.',
  not_found: 'No node knows the transaction in a block.',
  reverted: 'The transaction was reverted: nothing was paid by it.',
  not_final: 'The payment took place as stated, in a block that may still change.',
  ambiguous: 'The transaction made several payments like the stated one, and the receipt names none of them.',
  unknown_asset: 'No configuration says which asset of the chain the label means.',
  unsupported_chain: 'This service has no nodes of the chain.',
  unavailable: 'Not enough nodes gave an answer that can be believed.',
} as const
export type SettlementStatus = keyof typeof settlementStatuses
export const settlementStatusNames = Object.keys(settlementStatuses) as [SettlementStatus, ...SettlementStatus[]]

export const settlementStatus = z.enum(settlementStatusNames).meta({
  graphql: 'SettlementStatus',
  description: 'The result of the check of a payment on its own chain.',
  values: settlementStatuses,
})

/** The results that contradict the statement that money moved. */
export const contradicting = ['mismatch', 'not_found', 'reverted'] as const satisfies readonly SettlementStatus[]
export const isContradicting = (status: SettlementStatus | null): boolean => contradicting.some(one => one === status)

/** record: the result is noted and blocks nothing · require: only a confirmed payment is sealed · off: no check. */
export type SettlementPolicy = 'record' | 'require' | 'off'

/** An asset of an EVM chain by CAIP-19. `contract` is lower-case; null: the chain's own currency. */
export type ChainAsset = { id: string; caip2: string; contract: string | null; decimals: number }

const erc20 = /^(eip155:[1-9]\d{0,14})\/erc20:(0x[0-9a-f]{40})$/i
const native = /^(eip155:[1-9]\d{0,14})\/slip44:\d{1,10}$/i

/** Reads a CAIP-19 id of a token (ERC-20) or of a chain's own currency (SLIP-44); null for any other text. */
export function assetOf(id: string, decimals: number): ChainAsset | null {
  const [, tokenChain, contract] = erc20.exec(id) ?? []
  if (tokenChain !== undefined && contract !== undefined) {
    const caip2 = tokenChain.toLowerCase()
    return { id: `${caip2}/erc20:${contract.toLowerCase()}`, caip2, contract: contract.toLowerCase(), decimals }
  }
  const [, chain] = native.exec(id) ?? []
  return chain === undefined ? null : { id: id.toLowerCase(), caip2: chain.toLowerCase(), contract: null, decimals }
}
