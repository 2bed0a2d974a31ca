// `quittance deploy`: deploys the anchor contract to a chain and prints its configuration. Anchors nothing.
import { formatEther, getCreateAddress, keccak256, Wallet } from 'ethers'
import { z } from 'zod'
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import { readDotEnv } from '../dot-env.ts'
import { EnvError, readEnv } from '../env.ts'
import { CommandError, command, confirmations, httpUrl, readArguments, UsageError } from './command.ts'
import { type Deployable, openDeployable } from './deploy/node.ts'

const usage = `usage: ANCHOR_PRIVATE_KEY=0x… quittance deploy --rpc <url> [--confirmations <n>]

  --rpc <url>          a node of the chain
  --confirmations <n>  wait until the contract's block is this deep (default 1); also the finality in the
                       entry for CHAINS_FILE (default 12)

Deploys contracts/EvidenceAnchor.json, compares the code on chain, and prints an entry for CHAINS_FILE. The key is
read from the environment, the file .env, or the file that ANCHOR_PRIVATE_KEY_FILE names; it pays for the deployment,
and has no rights over the contract, which has no owner.
Exit code: 0 when the contract is deployed, 1 when it is not, 2 for wrong usage.`

const options = { rpc: { type: 'string' }, confirmations: { type: 'string' } } as const
const shape = z.object({
  rpc: z.string('is missing: it names a node of the chain').pipe(httpUrl),
  confirmations: confirmations.optional(),
})

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    const { values } = readArguments(args, options, shape)
    const wallet = new Wallet(privateKey())
    const node = await openDeployable(values.rpc)
    const { raw, txid, nonce } = await signed(wallet, node)
    const contract = getCreateAddress({ from: wallet.address, nonce }).toLowerCase()
    // Printed before the transaction is sent, so that it can be looked up whatever happens then.
    line('transaction', txid)
    await node.send(raw)
    const { blockNumber, gasUsed } = await node.mined(txid, values.confirmations ?? 1)
    if ((await node.code(contract)) !== evidenceAnchor.deployedBytecode) {
      throw new CommandError(`The code at ${contract} is not that of contracts/EvidenceAnchor.json: do not use it.`)
    }
    line('address', contract)
    line('block', `${blockNumber}`)
    if (gasUsed !== null) line('gas', `${gasUsed}`)
    line('code', 'as in contracts/EvidenceAnchor.json')
    const entry = {
      name: node.caip2,
      caip2: node.caip2,
      rpc_urls: [values.rpc],
      contract,
      finality: { confirmations: values.confirmations ?? 12 },
      deployed_at_block: blockNumber,
    }
    console.log(`\nFor CHAINS_FILE, a JSON array of such entries; set its name to one that people know:\n`)
    console.log(JSON.stringify(entry, null, 2))
    return 0
  })

const line = (name: string, value: string) => console.log(`${name.padEnd(12)} ${value}`)

/** Leaves out the settings of the service, which may be incomplete where only a contract is deployed. */
const forms = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => /^ANCHOR_PRIVATE_KEY(_FILE)?$/.test(name)))

function privateKey(): string {
  try {
    const { ANCHOR_PRIVATE_KEY } = readEnv(forms(process.env), forms(readDotEnv(process.env)))
    if (ANCHOR_PRIVATE_KEY !== null) return ANCHOR_PRIVATE_KEY
  } catch (error) {
    if (error instanceof EnvError) throw new UsageError(error.message.trim())
    throw error
  }
  throw new UsageError('ANCHOR_PRIVATE_KEY is not set: the key that pays for the deployment.')
}

async function signed(wallet: Wallet, node: Deployable) {
  const { gasLimit, fees, balance, nonce } = await node.offer(wallet.address, evidenceAnchor.bytecode)
  const most = gasLimit * fees.perGas
  const cost = `${formatEther(most)} (in ether’s unit)`
  if (balance < most) {
    const has = `it has ${formatEther(balance)}`
    throw new CommandError(`${wallet.address} cannot pay on ${node.caip2}: this may cost ${cost}, and ${has}.`)
  }
  line('chain', node.caip2)
  line('from', wallet.address.toLowerCase())
  line('at most', cost)
  const { perGas, priority } = fees
  const fee =
    priority === null
      ? { type: 0, gasPrice: perGas }
      : { type: 2, maxFeePerGas: perGas, maxPriorityFeePerGas: priority }
  const raw = await wallet.signTransaction({
    ...fee,
    chainId: BigInt(node.caip2.slice('eip155:'.length)),
    data: evidenceAnchor.bytecode,
    gasLimit,
    nonce,
  })
  return { raw, txid: keccak256(raw), nonce }
}
