// The settings of anchoring: the chains, and the account that sends the transactions.
import { z } from 'zod'
import { secret } from './secret.ts'
import {
  atLeastOne,
  evmAddress,
  incomplete,
  isAnyOf,
  list,
  nodeUrls,
  orNull,
  privateKey,
  type RawSettings,
} from './values.ts'

/** `acme=eip155:99999`: a name of a chain in receipts, and the chain’s CAIP-2 id. */
const aliases = list.transform((entries, { addIssue }) =>
  entries.map((entry): readonly [name: string, id: string] => {
    const [, name, id] = /^([^=]*[^=\s])=([-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32})$/.exec(entry) ?? []
    if (name === undefined || id === undefined) addIssue('must be names and CAIP-2 ids, such as acme=eip155:99999')
    return [name ?? '', id ?? '']
  }),
)

export const anchoringVariables = {
  /** Path of the JSON file that configures the anchoring chains. */
  CHAINS_FILE: orNull(z.string()),
  ANCHOR_CHAIN: z
    .string()
    .regex(/^eip155:\d+$/, 'must be a CAIP-2 id such as eip155:14')
    .optional(),
  ANCHOR_RPC_URL: nodeUrls,
  ANCHOR_CONTRACT: evmAddress.optional(),
  /** Signs platform anchors, on every chain. */
  ANCHOR_PRIVATE_KEY: secret(orNull(privateKey)),
  ANCHOR_CONFIRMATIONS: atLeastOne.default(12),
  /** Path of the JSON file that configures the chains on which payments are checked. */
  PAYMENT_CHAINS_FILE: orNull(z.string()),
  CHAIN_ALIASES: aliases.default([]),
}
const variables = z.object(anchoringVariables)

/** The settings of a single chain, for use without CHAINS_FILE. */
export const ownChain = ['ANCHOR_CHAIN', 'ANCHOR_RPC_URL', 'ANCHOR_CONTRACT'] as const

export const anchoringFaults = (raw: RawSettings): string[] =>
  raw.CHAINS_FILE !== undefined && isAnyOf(raw, ownChain)
    ? ['CHAINS_FILE and ANCHOR_CHAIN exclude each other']
    : incomplete(raw, ownChain, 'a chain of your own needs all of these')

/** Returns the single anchoring chain. Null, as well as `CHAINS_FILE`: the embedded chain. */
export const readChain = (data: z.output<typeof variables>) =>
  data.ANCHOR_CHAIN && data.ANCHOR_RPC_URL && data.ANCHOR_CONTRACT
    ? {
        caip2: data.ANCHOR_CHAIN,
        rpcUrls: data.ANCHOR_RPC_URL,
        contract: data.ANCHOR_CONTRACT,
        confirmations: data.ANCHOR_CONFIRMATIONS,
      }
    : null
