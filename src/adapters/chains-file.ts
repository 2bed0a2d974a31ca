// The file that names the anchoring chains.
import { readFile } from 'node:fs/promises'
import { parseUnits } from 'ethers'
import { z } from 'zod'
import { text } from '../core/text.ts'
import type { ChainConfig } from './ethers-chain.ts'

const httpUrl = z.string().refine(value => URL.canParse(value) && /^https?:\/\//.test(value), 'must be an http(s) URL')

const finality = z.union(
  [z.enum(['safe', 'finalized']), z.strictObject({ confirmations: z.int().min(1).max(10_000) })],
  {
    error: 'must be "safe", "finalized" or {"confirmations": n}',
  },
)

const entry = z
  .strictObject({
    name: text(),
    caip2: z.string().regex(/^eip155:[1-9]\d{0,15}$/, 'must be a CAIP-2 id such as eip155:14'),
    rpc_urls: z.array(httpUrl).min(1).max(16),
    quorum: z.int().min(1).optional(),
    contract: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits'),
    finality,
    explorer_base_url: httpUrl.transform(url => url.replace(/\/+$/, '')).optional(),
    deployed_at_block: z.int().min(0).optional(),
    max_fee_gwei: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a decimal string')
      .optional(),
    replace_after_seconds: z.int().min(1).optional(),
  })
  .refine(({ quorum = 1, rpc_urls }) => quorum <= rpc_urls.length, {
    path: ['quorum'],
    error: 'must be at most the number of rpc_urls',
  })

const each = <T>(key: (item: T) => string, error: string) =>
  [(items: T[]) => new Set(items.map(key)).size === items.length, error] as const

// Two entries on one network would share the nonces of one signer.
const file = z
  .array(entry)
  .min(1, 'must name at least one chain')
  .refine(...each(({ name }: z.output<typeof entry>) => name, 'must have each name once'))
  .refine(...each(({ caip2 }: z.output<typeof entry>) => caip2, 'must have each caip2 once'))

export const defaultMaxFeePerGas = parseUnits('300', 'gwei')
export const defaultReplaceAfterMs = 60_000

/** The chains, or every fault of the file as a line for people. `privateKey` signs on all of them. */
export async function readChainsFile(
  path: string,
  privateKey: string | null,
): Promise<{ chains: ChainConfig[] } | { faults: string[] }> {
  let content: unknown
  try {
    content = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    return { faults: [`CHAINS_FILE cannot be read as JSON: ${error instanceof Error ? error.message : error}`] }
  }
  const { success, data, error } = file.safeParse(content)
  if (!success) return { faults: error.issues.map(({ path: at, message }) => `CHAINS_FILE ${at.join('.')} ${message}`) }
  return {
    chains: data.map(chain => ({
      name: chain.name,
      caip2: chain.caip2,
      rpcUrls: chain.rpc_urls,
      ...(chain.quorum !== undefined && { quorum: chain.quorum }),
      contract: chain.contract.toLowerCase(),
      finality: chain.finality,
      explorerBaseUrl: chain.explorer_base_url ?? null,
      deployedAtBlock: chain.deployed_at_block ?? 0,
      sender:
        privateKey === null
          ? null
          : {
              privateKey,
              maxFeePerGas:
                chain.max_fee_gwei === undefined ? defaultMaxFeePerGas : parseUnits(chain.max_fee_gwei, 'gwei'),
              replaceAfterMs:
                chain.replace_after_seconds === undefined ? defaultReplaceAfterMs : chain.replace_after_seconds * 1_000,
            },
    })),
  }
}
