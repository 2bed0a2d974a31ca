// Checks a kept proof without a chain: what the signature itself shows.
import { hashMessage } from 'ethers'
import type { SiweMessage } from 'siwe'
import { isErc6492Signature } from 'viem/utils'
import type { WalletProofKind, WalletProofMethod } from '../../generated/prisma/client.ts'
import { parseMessage } from './message.ts'
import { signerOf } from './signature.ts'

export type Claim = {
  /** Lower-case. */
  address: string
  message: string
  /** 0x and lower-case hex. */
  signature: string
  method: WalletProofMethod
  /** CAIP-2 id of the chain of a contract; null for a key's signature. */
  network: string | null
  linkedAt: Date
}

/** `domain`: the host that the wallet signed in to; null for a nonce alone, which names none. */
type Finding = { fault: string } | { kind: WalletProofKind; domain: string | null }

const nonceAlone = /^[0-9a-f]{32}$/

// The message is at most ten minutes old, a nonce too, and clocks differ.
const mostApartMs = 30 * 60_000

/**
 * Returns why the proof does not hold, in a sentence, or what it shows. A contract's acceptance is not asked for here:
 * of its proof only the text is checked.
 */
export function checkProof(claim: Claim): Finding {
  const { address, message, signature, method } = claim
  const isOfKey = method === 'eip191'
  if (isOfKey && signerOf(hashMessage(message), signature) !== address)
    return { fault: 'The signature is not one that the wallet’s key made for this text.' }
  if (isErc6492Signature(`0x${signature.slice(2)}`) !== (method === 'eip6492'))
    return { fault: 'The form of the signature is not that of its method.' }
  if (nonceAlone.test(message))
    return isOfKey ? { kind: 'nonce', domain: null } : { fault: 'A contract signs no nonce alone.' }
  const parsed = parsedOf(message)
  if (parsed === null) return { fault: 'The signed text is no EIP-4361 message.' }
  if (parsed.address.toLowerCase() !== address) return { fault: 'The signed message names another wallet.' }
  if (!isOfKey && claim.network !== `eip155:${parsed.chainId}`)
    return { fault: 'The signed message names another chain than that of the contract.' }
  const issuedAt = Date.parse(parsed.issuedAt ?? '')
  if (!(Math.abs(issuedAt - claim.linkedAt.getTime()) <= mostApartMs))
    return { fault: 'The signed message was issued at another time than the wallet was linked.' }
  return { kind: 'eip4361', domain: parsed.domain }
}

function parsedOf(message: string): SiweMessage | null {
  try {
    return parseMessage(message)
  } catch {
    return null
  }
}
