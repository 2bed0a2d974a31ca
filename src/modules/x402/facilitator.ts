// GraphQL queries on the x402 facilitator: its configuration, and whether it would accept a payment.
import { AppError } from '../../core/errors.ts'
import { builder } from '../../kit/builder.ts'
import type { App } from '../../kit/context.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import type { PaymentToken } from '../../ports/payment-facilitator.ts'
import { maxTimeoutSeconds } from './quote.ts'
import { type PaymentVerdict, verifyPayment, verifyPaymentArguments } from './verdict.ts'

type Setup = { network: `eip155:${string}`; asset: string; token: PaymentToken; payTo: string; facilitator: string }

const DomainType = builder.objectRef<PaymentToken>('TokenDomain').implement({
  description: 'The EIP-712 domain of signatures for the token.',
  fields: t => ({
    name: t.exposeString('name', { description: 'Name of the domain.' }),
    version: t.exposeString('version', { description: 'Version of the domain.' }),
  }),
})

const ConfigType = builder.objectRef<Setup>('FacilitatorConfig').implement({
  description: 'The configuration of the x402 facilitator.',
  fields: t => ({
    x402Version: t.int({ description: 'Always 2.', resolve: () => 2 }),
    scheme: t.string({ description: 'Always `exact`.', resolve: () => 'exact' }),
    network: t.exposeString('network', { description: 'CAIP-2 id.' }),
    chainId: t.field({
      type: 'ChainId',
      description: 'The chain’s id, a whole number.',
      resolve: ({ network }) => Number(network.slice('eip155:'.length)),
    }),
    asset: t.expose('asset', { type: 'Address', description: 'The token’s contract, lower-case.' }),
    assetDecimals: t.int({
      description: 'Number of decimals of the token.',
      resolve: ({ token }) => token.decimals,
    }),
    assetDomain: t.expose('token', { type: DomainType, description: 'The EIP-712 domain of the token.' }),
    payTo: t.expose('payTo', {
      type: 'Address',
      description: 'Address of the recipient unless a price names another, lower-case.',
    }),
    facilitator: t.expose('facilitator', {
      type: 'Address',
      description: 'The account that sends settlements and pays their gas, lower-case.',
    }),
    maxTimeoutSeconds: t.int({
      description: 'Validity in seconds that a challenge requests for an authorization; at most 3,700 s are accepted.',
      resolve: () => maxTimeoutSeconds,
    }),
  }),
})

async function setupOf({ facilitator, paymentsTo: payTo }: App): Promise<Setup> {
  if (facilitator === null) throw new AppError('payments_disabled')
  const { network, asset, address } = facilitator
  return { network, asset, token: await facilitator.token(), payTo, facilitator: address }
}

builder.queryField('facilitatorConfig', t =>
  t.field({
    type: ConfigType,
    description: 'The configuration of the x402 facilitator, without keys and node URLs.',
    access: 'admin',
    errors: ['payments_disabled', 'chain_unavailable'],
    resolve: (_, __, context) => setupOf(context),
  }),
)

const VerdictType = builder.objectRef<PaymentVerdict>('PaymentVerdict').implement({
  description: 'Whether a payment would be accepted.',
  fields: t => ({
    valid: t.exposeBoolean('valid', { description: 'Whether the payment would be accepted.' }),
    payer: t.expose('payer', {
      type: 'Address',
      nullable: true,
      description: 'The payer; null unless its signature is valid.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Error code of x402 for the refusal; null when valid.',
    }),
  }),
})

builder.queryField('verifyPayment', t =>
  t.field({
    type: VerdictType,
    description:
      'Checks whether a payment would be accepted for these requirements. Records nothing and settles nothing.',
    args: argumentsOf(verifyPaymentArguments),
    access: 'admin',
    input: verifyPaymentArguments,
    errors: ['payment_malformed', 'payments_disabled', 'validation_failed', 'chain_unavailable'],
    resolve: (_, args, context) => verifyPayment(context, parse(verifyPaymentArguments, args)),
  }),
)
