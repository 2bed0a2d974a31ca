// The check of control.json: the receiver's wallet was the project's when it was linked, by its own signature.
import { hashMessage } from 'ethers'
import { z } from 'zod'
import { isChainFault } from '../../core/errors.ts'
import { addressKey, chainKey, knownChains } from '../../core/identity.ts'
import type { Chain } from '../../ports/chain.ts'
import { checkProof } from '../control/check.ts'
import { type Control, controlName, readControl } from '../control/file.ts'
import type { BundleParts } from '../evidence/bundle.ts'
import type { Manifest } from '../evidence/manifest.ts'
import { bundleChecks } from './bundle-checks.ts'
import { type Check, type Finding, failed, passed, skipped } from './check.ts'
import type { Evidence } from './evidence.ts'

const fileIn = ({ files }: BundleParts, name: string): Buffer | undefined =>
  files.find(file => file.name === name)?.bytes

/** Returns the receiver and the chain of the payment. The bundle's JSON files are canonical, and of any shape. */
function paymentIn(parts: BundleParts): { receiver: string | null; chain: string | null } {
  const read = tip.safeParse(JSON.parse(fileIn(parts, 'tip.json')?.toString('utf8') ?? 'null'))
  if (!read.success) return { receiver: null, chain: null }
  return { receiver: addressKey(read.data.receiver_wallet), chain: chainKey(read.data.chain, knownChains) }
}

const tip = z.object({ receiver_wallet: z.string(), chain: z.string() })

function judge(control: Control, parts: BundleParts, manifest: Manifest, contractAccepts: boolean | null): Finding {
  const { wallet: address, message, signature, method, chain: network, block_number: block, linked_at: at } = control
  const payment = paymentIn(parts)
  if (payment.receiver !== address) return failed('It is about another wallet than the receiver’s.')
  if (manifest.version !== 2 || manifest.project.id !== control.project.id)
    return failed('It is about another project than the one that recorded the receipt.')
  const finding = checkProof({ address, message, signature, method, network, linkedAt: new Date(at) })
  if ('fault' in finding) return failed(finding.fault)
  const what = finding.domain === null ? 'a nonce, which names neither it nor a service' : `in to ${finding.domain}`
  if (method === 'eip191') return passed(`${address} signed ${what}, at ${at}.`)
  // A verifier does not know every name of a chain.
  if (payment.chain?.startsWith('eip155:') && payment.chain !== network)
    return failed('It is about a contract on another chain than that of the payment.')
  const where = `at block ${block} of ${network}`
  if (contractAccepts === false) return failed(`The contract ${address} does not accept the signature ${where}.`)
  return contractAccepts
    ? passed(`${address} signed ${what}: as a contract, it accepts the signature ${where}.`)
    : skipped(`A contract accepted it ${where}, as the service states: a node with the state of that block shows it.`)
}

export const controlCheck: Check = {
  id: 'control_invalid',
  title: 'The receiver’s wallet is the project’s, by its signature',
  run({ bundle, manifest, contractAccepts }) {
    if (!bundle?.ok) return skipped('There is no readable bundle.')
    const file = fileIn(bundle.parts, controlName)
    if (file === undefined) return skipped('The bundle does not state it.')
    if (manifest === null) return skipped('There is no valid manifest.')
    const control = readControl(file)
    if (control === null) return failed(`${controlName} is not of version 1.`)
    return judge(control, bundle.parts, manifest, contractAccepts)
  },
}

// Only a contract that a trusted key vouches for is asked, because anybody could name one that costs the nodes much.
const vouched = bundleChecks.filter(({ id }) => ['signature_invalid', 'file_hash_mismatch'].includes(id))

/**
 * Asks the chain of control.json, at the block that it names, whether the contract accepts the signature. Null: it was
 * not asked, or has no answer; few nodes keep the state of old blocks.
 */
export async function askContract(evidence: Evidence, chains: readonly Chain[]): Promise<boolean | null> {
  const file = evidence.bundle?.ok ? fileIn(evidence.bundle.parts, controlName) : undefined
  const control = file === undefined ? null : readControl(file)
  if (control === null || control.method === 'eip191') return null
  const chain = chains.find(({ caip2 }) => caip2 === control.chain)
  const isVouchedFor = vouched.every(({ run }) => run(evidence).status === 'passed')
  if (chain === undefined || !isVouchedFor) return null
  const { wallet, message, signature, block_number: blockNumber, block_hash: blockHash } = control
  try {
    return await chain.isSignedBy(wallet, hashMessage(message), signature, { blockNumber, blockHash })
  } catch (error) {
    if (isChainFault(error)) return null
    throw error
  }
}
