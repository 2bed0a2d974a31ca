// Payers of the test dollar: funded accounts that sign with the official x402 client, or by hand what that client
// refuses to sign.
import { randomBytes } from 'node:crypto'
import { x402Client } from '@x402/core/client'
import {
  decodePaymentRequiredHeader,
  decodePaymentSignatureHeader,
  encodePaymentSignatureHeader,
} from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { appendPaymentIdentifierToExtensions, PAYMENT_IDENTIFIER } from '@x402/extensions/payment-identifier'
import { Contract, type ContractRunner, type JsonRpcProvider, type Signature, Wallet } from 'ethers'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import testDollar from '../../contracts/TestDollar.json' with { type: 'json' }
import type { PaymentAuthorization, PaymentRequirement } from '../../src/ports/payment-facilitator.ts'

export const random32 = (): `0x${string}` => `0x${randomBytes(32).toString('hex')}`

export const dollars = (address: string, as: ContractRunner) => new Contract(address, testDollar.abi, as)

/** Creates a new payer; with `units`, one that owns this amount. */
export async function createPayer(node: JsonRpcProvider, token: string, units = 0n) {
  const privateKey = random32()
  const wallet = new Wallet(privateKey, node)
  if (units > 0n) {
    await node.send('anvil_setBalance', [wallet.address, '0xde0b6b3a7640000'])
    await (await wallet.sendTransaction({ to: token, data: mint(units) })).wait()
  }
  return { wallet, address: wallet.address.toLowerCase(), account: privateKeyToAccount(privateKey) }
}

export type Payer = Awaited<ReturnType<typeof createPayer>>

export const mint = (units: bigint) => new Contract('0x', testDollar.abi).interface.encodeFunctionData('mint', [units])

/** The official client, set up as in its documentation and allowed to pay with this token. */
export const clientOf = ({ account }: Payer, { network, asset }: Pick<PaymentRequirement, 'network' | 'asset'>) =>
  new x402Client()
    .register(network, new ExactEvmScheme(account))
    .setSpendControls({ allowedAssets: [{ network: 'eip155:*', asset }] })

export const challenge = (requirement: PaymentRequirement) => ({
  x402Version: 2,
  error: 'Payment required',
  resource: { url: 'http://localhost/paid', description: 'A test', mimeType: 'application/json' },
  accepts: [requirement],
})

/** Returns the PAYMENT-SIGNATURE of the official client; `extensions` are those of the challenge. */
export const pay = async (
  payer: Payer,
  requirement: PaymentRequirement,
  extensions?: Record<string, unknown>,
): Promise<string> =>
  encodePaymentSignatureHeader(
    await clientOf(payer, requirement).createPaymentPayload({
      ...challenge(requirement),
      ...(extensions && { extensions }),
    }),
  )

/**
 * Returns the same for a PAYMENT-REQUIRED header as received, with its extensions; `id` is the payer's payment
 * identifier.
 */
export async function answerTo(payer: Payer, required: string | null, id?: string): Promise<string> {
  const given = decodePaymentRequiredHeader(required ?? '')
  const [first] = given.accepts
  if (first === undefined) throw new Error('nothing is asked for')
  const { asset } = first
  const client = clientOf(payer, { network: 'eip155:31337', asset })
  const naming = id === undefined ? client : namingClient(client, id)
  return encodePaymentSignatureHeader(await naming.createPaymentPayload(given))
}

/** The same client, with this payment identifier on everything it buys. */
export const namingClient = (client: x402Client, id: string) =>
  client.registerExtension({
    key: PAYMENT_IDENTIFIER,
    enrichPaymentPayload: async payload => ({
      ...payload,
      extensions: appendPaymentIdentifierToExtensions(structuredClone(payload.extensions ?? {}), id),
    }),
  })

const fields = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'] as const
const transfer = fields.map(name => ({
  name,
  type: ['from', 'to'].includes(name) ? 'address' : name === 'nonce' ? 'bytes32' : 'uint256',
}))
const cancel = [
  { name: 'authorizer', type: 'address' },
  { name: 'nonce', type: 'bytes32' },
]

export const domainOf = (token: string) => ({
  name: 'Test Dollar',
  version: '1',
  chainId: 31337,
  verifyingContract: token,
})

export const signTransfer = (
  wallet: Wallet,
  token: string,
  authorization: PaymentAuthorization,
  kind = 'TransferWithAuthorization',
): Promise<string> => wallet.signTypedData(domainOf(token), { [kind]: transfer }, authorization)

export const signCancel = (wallet: Wallet, token: string, authorizer: string, nonce: string): Promise<string> =>
  wallet.signTypedData(domainOf(token), { CancelAuthorization: cancel }, { authorizer, nonce })

export const argumentsOf = (authorization: PaymentAuthorization) => fields.map(name => authorization[name])
export const split = ({ v, r, s }: Signature) => [v, r, s]

const authorized = z.object({
  signature: z.string(),
  authorization: z.object({
    from: z.string(),
    to: z.string(),
    value: z.string(),
    validAfter: z.string(),
    validBefore: z.string(),
    nonce: z.string(),
  }),
})

/** Returns what a PAYMENT-SIGNATURE contains. */
export const inside = (header: string) => authorized.parse(decodePaymentSignatureHeader(header).payload)
