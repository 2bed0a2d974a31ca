// The settings of payments to this service by x402.
import { z } from 'zod'
import { secret } from './secret.ts'
import { atLeastOne, evmAddress, incomplete, nodeUrls, privateKey, type RawSettings } from './values.ts'

const accounts = {
  X402_NETWORK: z
    .string()
    .regex(/^eip155:[1-9]\d{0,14}$/, 'must be a CAIP-2 id such as eip155:8453')
    .optional(),
  X402_RPC_URL: nodeUrls,
  X402_ASSET: evmAddress.optional(),
  X402_PAY_TO: evmAddress.optional(),
  X402_FACILITATOR_PRIVATE_KEY: secret(privateKey.optional()),
}
export const paymentVariables = { ...accounts, X402_CONFIRMATIONS: atLeastOne.default(12) }
const variables = z.object(paymentVariables)

export const paymentFaults = (raw: RawSettings): string[] =>
  incomplete(raw, Object.keys(accounts), 'payments need all of these')

/** Null: payments use the test dollar of the embedded chain, if that chain is used; else nothing can be paid for. */
export const readPayments = (data: z.output<typeof variables>) =>
  data.X402_NETWORK && data.X402_RPC_URL && data.X402_ASSET && data.X402_PAY_TO && data.X402_FACILITATOR_PRIVATE_KEY
    ? {
        network: data.X402_NETWORK,
        rpcUrls: data.X402_RPC_URL,
        asset: data.X402_ASSET,
        payTo: data.X402_PAY_TO,
        privateKey: data.X402_FACILITATOR_PRIVATE_KEY,
        confirmations: data.X402_CONFIRMATIONS,
      }
    : null
