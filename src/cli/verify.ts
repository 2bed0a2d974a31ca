// `quittance verify`: checks an evidence bundle against a key document, and its anchor against nodes. Exit code 0 only
// when all checks passed.
import { z } from 'zod'
import { hash32 } from '../core/text.ts'
import { address, command, confirmations, httpUrl, readArguments } from './command.ts'
import { openPaymentChain, openQueriedChain } from './verify/chain.ts'
import { readInputBundle } from './verify/input-bundle.ts'
import { judge } from './verify/judge.ts'
import { readKeyDocument } from './verify/key-document.ts'
import { asJson, asText } from './verify/report.ts'

const usageOf = (program: string) => `usage: ${program} <bundle> --keys <keys.json> [--rpc <url>]… [options]

  <bundle>             evidence.zip, a folder with its files, or - for standard input
  --keys <file>        the service's /.well-known/evidence-keys.json, from a source you trust
  --rpc <url>          a node of the anchor's chain; of several, more than half must agree
  --payment-rpc <url>  a node of the payment's own chain, for a bundle with a proof of the payment
  --txid <0x…>         the anchor's transaction, for a node whose logs cannot be searched
  --chain-id <n>       the chain that the nodes must serve, in place of those in the key document
  --contract <0x…>     the contract whose events count, in place of the one in the key document
  --confirmations <n>  blocks until an anchor counts as final, in place of the key document's rule
  --json               the result as JSON

Without --rpc the bundle, its signature and its files are checked, and the anchor is not.
Exit code: 0 when all requested checks pass, 1 when any does not, 2 for wrong usage.`

const options = {
  keys: { type: 'string' },
  rpc: { type: 'string', multiple: true },
  'payment-rpc': { type: 'string', multiple: true },
  'chain-id': { type: 'string' },
  contract: { type: 'string' },
  txid: { type: 'string' },
  confirmations: { type: 'string' },
  json: { type: 'boolean' },
} as const

const chainId = z
  .string()
  .regex(/^(eip155:)?[1-9]\d{0,14}$/, 'must be a chain id such as 14 or eip155:14')
  .transform(id => (id.startsWith('eip155:') ? id : `eip155:${id}`))

// A node that is named twice counts once.
const nodeUrls = z
  .array(httpUrl)
  .max(16, 'may be given at most 16 times')
  .default([])
  .transform(urls => [...new Set(urls)])

const shape = z
  .object({
    keys: z.string('is missing: it names the file with the keys you trust'),
    rpc: nodeUrls,
    'payment-rpc': nodeUrls,
    'chain-id': chainId.optional(),
    contract: address.optional(),
    txid: hash32.optional(),
    confirmations: confirmations.optional(),
    json: z.boolean().default(false),
  })
  .superRefine(({ rpc, ...rest }, { addIssue }) => {
    for (const name of ['chain-id', 'contract', 'txid', 'confirmations'] as const) {
      if (rpc.length === 0 && rest[name] !== undefined) {
        addIssue({ code: 'custom', path: [name], message: 'has no effect without --rpc' })
      }
    }
  })

/** `program`: as the user wrote it. */
export const run = (args: readonly string[], program = 'quittance verify'): Promise<number> =>
  command(usageOf(program), args, async () => {
    const { values, positionals } = readArguments(args, options, shape, ['bundle'])
    const [path = ''] = positionals
    const bundle = await readInputBundle(path)
    const { keys, chains } = await readKeyDocument(values.keys)
    const { rpc: rpcUrls, contract, txid } = values
    const wish = { rpcUrls, chainId: values['chain-id'], contract, confirmations: values.confirmations }
    const chain = rpcUrls.length === 0 ? null : await openQueriedChain(chains, wish)
    const payments = await openPaymentChain(values['payment-rpc'], chains)
    const judgement = await judge(bundle, keys, chain, txid ?? null, payments)
    console.log(values.json ? asJson(judgement) : asText(judgement))
    return judgement.isGood ? 0 : 1
  })
