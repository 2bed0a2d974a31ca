// Reads the files that configure the anchoring chains and the chains of payments.
import { readFile } from 'node:fs/promises'
import { parseUnits } from 'ethers'
import { z } from 'zod'
import { DuplicateMember, parseJson } from '../core/json.ts'
import { text, withoutMark } from '../core/text.ts'
import type { ChainConfig } from './ethers-chain.ts'
import type { WalletConfig } from './ethers-wallet.ts'
import type { PaymentChainConfig } from './evm-payment-chain.ts'

const httpUrl = z.string().refine(value => URL.canParse(value) && /^https?:\/\//.test(value), 'must be an http(s) URL')

const finality = z.union(
  [z.enum(['safe', 'finalized']), z.strictObject({ confirmations: z.int().min(1).max(10_000) })],
  {
    error: 'must be "safe", "finalized" or {"confirmations": n}',
  },
)

const entry = z.strictObject({
  name: text(),
  caip2: z.string().regex(/^eip155:[1-9]\d{0,14}$/, 'must be a CAIP-2 id such as eip155:14'),
  rpc_urls: z.array(httpUrl).min(1).max(16),
  quorum: z.int().min(1).optional(),
  contract: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits'),
  finality,
  explorer_base_url: httpUrl.transform(url => url.replace(/\/+$/, '')).optional(),
  deployed_at_block: z.int().min(0).optional(),
  max_fee_gwei: z
    .string()
    .regex(/^(?=.*[1-9])\d{1,9}(\.\d{1,9})?$/, 'must be a decimal string above 0')
    .optional(),
  replace_after_seconds: z.int().min(1).optional(),
})

// The anchoring chains' file may be the file of payment chains too: its further members mean nothing for payments.
const paymentEntry = entry.partial({ contract: true })

const fileOf = <Entry extends z.ZodType>(of: Entry) => z.array(of).min(1, 'must name at least one chain')

const string = z.string().optional().catch(undefined)
/**
 * Reads as much of an entry as is valid, so that contradictions and duplicates are reported together with invalid
 * values.
 */
const validParts = z.object({
  name: string.transform(name => name?.trim()),
  caip2: string,
  rpc_urls: z.array(httpUrl.transform(url => new URL(url).href)).catch([]),
  quorum: z.number().optional().catch(undefined),
})

function contradictions(content: unknown): string[] {
  const entries =
    z.array(validParts.catch({ name: undefined, caip2: undefined, rpc_urls: [] })).safeParse(content).data ?? []
  const duplicates = <T>(items: readonly T[], path: (at: number) => string) =>
    items.flatMap((item, at) =>
      item !== undefined && items.indexOf(item) < at ? `${path(at)} is the same as ${path(items.indexOf(item))}` : [],
    )
  return [
    ...entries.flatMap(({ quorum = 0, rpc_urls }, at) => [
      // A node that is listed twice would count twice in the quorum.
      ...duplicates(rpc_urls, item => `${at}.rpc_urls.${item}`),
      ...(rpc_urls.length > 0 && quorum > rpc_urls.length
        ? [`${at}.quorum must be at most the number of rpc_urls`]
        : []),
    ]),
    ...duplicates(
      entries.map(({ name }) => name),
      at => `${at}.name`,
    ),
    // Two entries on one network would share the nonces of one signer.
    ...duplicates(
      entries.map(({ caip2 }) => caip2),
      at => `${at}.caip2`,
    ),
  ]
}

const defaultMaxFeePerGas = parseUnits('300', 'gwei')
const defaultReplaceAfterMs = 60_000

type Settings = {
  CHAINS_FILE: string | null
  chain: (Pick<ChainConfig, 'rpcUrls' | 'contract'> & { caip2: string; confirmations: number }) | null
  ANCHOR_PRIVATE_KEY: string | null
}

/** Returns the chains of the settings: those of the file, or the one of `ANCHOR_CHAIN`; empty when neither is set. */
export async function configuredChains({
  chain,
  CHAINS_FILE,
  ANCHOR_PRIVATE_KEY: privateKey,
}: Settings): Promise<{ chains: ChainConfig[] } | { faults: string[] }> {
  if (CHAINS_FILE !== null) return readChainsFile(CHAINS_FILE, privateKey)
  if (chain === null) return { chains: [] }
  const { caip2, rpcUrls, contract, confirmations } = chain
  return {
    chains: [{ name: caip2, caip2, rpcUrls, contract, finality: { confirmations }, account: accountWith(privateKey) }],
  }
}

/**
 * Returns a fault for each change that processes cannot take over while they run: anchors refer to a chain by its name,
 * and those that wait for their block refer to its contract.
 */
export function unchangeable(before: readonly ChainConfig[], after: readonly ChainConfig[]): string[] {
  const gone = before.flatMap(({ name, caip2, contract }) => {
    const now = after.find(chain => chain.name === name)
    if (now === undefined) return [`CHAINS_FILE no longer names the chain ${name}: restart the processes`]
    return now.caip2 === caip2 && now.contract === contract
      ? []
      : [`CHAINS_FILE gives the chain ${name} another caip2 or contract: restart the processes`]
  })
  const [[first], [now]] = [before, after]
  return gone.length > 0 || first?.name === now?.name
    ? gone
    : [`CHAINS_FILE begins with ${now?.name}, and the default chain is ${first?.name}: restart the processes`]
}

/** Returns the account for a chain whose limits are not configured, with the default limits; null without a key. */
export const accountWith = (privateKey: string | null): WalletConfig | null =>
  privateKey === null ? null : { privateKey, maxFeePerGas: defaultMaxFeePerGas, replaceAfterMs: defaultReplaceAfterMs }

/** Returns the entries of a file, or a readable line for each of its faults. */
async function readEntries<Entry extends z.ZodType>(
  setting: string,
  path: string,
  of: Entry,
): Promise<{ entries: z.output<Entry>[] } | { faults: string[] }> {
  let content: unknown
  try {
    content = parseJson(withoutMark(await readFile(path, 'utf8')))
  } catch (error) {
    if (error instanceof DuplicateMember) return { faults: [`${setting} is ambiguous: ${error.message}`] }
    return { faults: [`${setting} cannot be read${readFault(error)}`] }
  }
  const { success, data, error } = fileOf(of).safeParse(content)
  const issues = success ? [] : error.issues.map(({ path: at, message }) => `${at.join('.')} ${message}`.trim())
  const faults = [...issues, ...contradictions(content)].map(fault => `${setting} ${fault}`)
  return data === undefined || faults.length > 0 ? { faults } : { entries: data }
}

/** Returns the chains of payments, or a readable line for each fault of the file. */
export async function readPaymentChainsFile(
  path: string,
): Promise<{ chains: PaymentChainConfig[] } | { faults: string[] }> {
  const read = await readEntries('PAYMENT_CHAINS_FILE', path, paymentEntry)
  if ('faults' in read) return read
  return {
    chains: read.entries.map(({ name, caip2, rpc_urls: rpcUrls, quorum, finality, explorer_base_url: explorer }) => ({
      name,
      caip2,
      rpcUrls,
      ...(quorum !== undefined && { quorum }),
      finality,
      explorerBaseUrl: explorer ?? null,
    })),
  }
}

/** Returns the chains, or a readable line for each fault of the file. `privateKey` signs on all chains. */
export async function readChainsFile(
  path: string,
  privateKey: string | null,
): Promise<{ chains: ChainConfig[] } | { faults: string[] }> {
  const read = await readEntries('CHAINS_FILE', path, entry)
  if ('faults' in read) return read
  return {
    chains: read.entries.map(chain => ({
      name: chain.name,
      caip2: chain.caip2,
      rpcUrls: chain.rpc_urls,
      ...(chain.quorum !== undefined && { quorum: chain.quorum }),
      contract: chain.contract.toLowerCase(),
      finality: chain.finality,
      explorerBaseUrl: chain.explorer_base_url ?? null,
      deployedAtBlock: chain.deployed_at_block ?? 0,
      account:
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

// The error message of JSON.parse quotes the file, which may contain secrets.
function readFault(error: unknown): string {
  if (!(error instanceof SyntaxError)) return `: ${error instanceof Error ? error.message : error}`
  return ` as JSON${/ at position .*$/.exec(error.message)?.[0] ?? ''}`
}
