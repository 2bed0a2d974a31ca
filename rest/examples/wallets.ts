// The wallets of the examples: the same in every run, without value, and only for a local chain.
import { createHash } from 'node:crypto'
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { SiweMessage } from 'siwe'
import { createWalletClient, getAddress, http, isHex, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

export const accountOf = (name: string) =>
  privateKeyToAccount(`0x${createHash('sha256').update(`Quittance example: ${name}`).digest('hex')}`)
export type Account = ReturnType<typeof accountOf>

export const walletOf = (name: string) => accountOf(name).address.toLowerCase()

/** Returns an EIP-4361 message for the response of GET /v1/auth/nonce, and its signature. */
export async function signIn(account: Account, base: string, { nonce, domain }: { nonce: string; domain: string }) {
  const fields = { address: account.address, domain, nonce, uri: base, version: '1', chainId: foundry.id }
  const message = new SiweMessage({ ...fields, issuedAt: new Date().toISOString() }).prepareMessage()
  return { message, signature: await account.signMessage({ message }) }
}

/** Returns the PAYMENT-SIGNATURE for a PAYMENT-REQUIRED header, made by the official client. */
export async function paymentFor(account: Account, required: string | null): Promise<string> {
  const challenge = decodePaymentRequiredHeader(required ?? '')
  const allowedAssets = challenge.accepts.map(({ network, asset }) => ({ network, asset }))
  const client = new x402Client()
    .register('eip155:31337', new ExactEvmScheme(account))
    .setSpendControls({ allowedAssets })
  return encodePaymentSignatureHeader(await client.createPaymentPayload(challenge))
}

const abi = parseAbi(['function anchorEvidence(bytes32 bundleHash)'])

/** Sends the anchor transaction of a project that anchors itself; returns its hash. */
export async function anchorBy(
  account: Account,
  rpcUrl: string,
  contract: string,
  bundleHash: string,
): Promise<string> {
  if (!isHex(bundleHash)) throw new Error(`not a hash: ${bundleHash}`)
  const wallet = createWalletClient({ account, chain: foundry, transport: http(rpcUrl) })
  return wallet.writeContract({
    address: getAddress(contract),
    abi,
    functionName: 'anchorEvidence',
    args: [bundleHash],
  })
}
