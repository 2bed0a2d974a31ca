// What GraphQL shows of our facilitator: how it is set up, and what it says of a payment.
import { AppError } from '../../core/errors.ts'
import { evmAddress, wholeNumber } from '../../kit/answers.ts'
import { builder } from '../../kit/builder.ts'
import type { App } from '../../kit/context.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import type { PaymentToken } from '../../ports/payment-facilitator.ts'
import { maxTimeoutSeconds } from './pay.ts'
import { type PaymentVerdict, verifyPayment, verifyPaymentArguments } from './verify.ts'

type Setup = { network: `eip155:${string}`; asset: string; token: PaymentToken; payTo: string; facilitator: string }

const DomainType = builder.objectRef<PaymentToken>('TokenDomain').implement({
  description: 'The EIP-712 domain that signatures for the token are made for.',
  fields: t => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    version: t.exposeString('version', { description: 'Its version.' }),
  }),
})

const ConfigType = builder.objectRef<Setup>('FacilitatorConfig').implement({
  description: 'How payments are taken.',
  fields: t => ({
    x402Version: t.int({ description: 'Always 2.', resolve: () => 2 }),
    scheme: t.string({ description: 'Always `exact`.', resolve: () => 'exact' }),
    network: t.exposeString('network', { description: 'CAIP-2 id.' }),
    chainId: t.float({
      description: 'The chain’s id, a whole number.',
      extensions: { answer: wholeNumber },
      resolve: ({ network }) => Number(network.slice('eip155:'.length)),
    }),
    asset: t.exposeString('asset', {
      description: 'The token’s contract, lower-case.',
      extensions: { answer: evmAddress },
    }),
    assetDecimals: t.int({
      description: 'Digits after the point in a unit of the token.',
      resolve: ({ token }) => token.decimals,
    }),
    assetDomain: t.expose('token', { type: DomainType, description: 'What its signatures are made for.' }),
    payTo: t.exposeString('payTo', {
      description: 'Who is paid unless a price says otherwise, lower-case.',
      extensions: { answer: evmAddress },
    }),
    facilitator: t.exposeString('facilitator', {
      description: 'The account that settles and pays the gas, lower-case.',
      extensions: { answer: evmAddress },
    }),
    maxTimeoutSeconds: t.int({
      description: 'How long an authorization has to hold; 3,700 s are the most that is accepted.',
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
    description:
      'How payments are taken; never a key or a node. For service administrators. Errors: unauthenticated, forbidden, payments_disabled, chain_unavailable.',
    authScopes: { access: 'admin' },
    extensions: { access: 'admin' },
    resolve: (_, __, context) => setupOf(context),
  }),
)

const VerdictType = builder.objectRef<PaymentVerdict>('PaymentVerdict').implement({
  description: 'Whether a payment would be taken.',
  fields: t => ({
    valid: t.exposeBoolean('valid', { description: 'Whether it would.' }),
    payer: t.exposeString('payer', { nullable: true, description: 'Who signed it; null unless that is who pays.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why not, in the words of x402; null when valid.',
    }),
  }),
})

builder.queryField('verifyPayment', t =>
  t.field({
    type: VerdictType,
    description:
      'Whether a payment would be taken for these requirements. Records nothing and settles nothing. For service administrators. Errors: unauthenticated, forbidden, payment_malformed, payments_disabled, validation_failed, chain_unavailable.',
    authScopes: { access: 'admin' },
    args: argumentsOf(verifyPaymentArguments),
    extensions: { access: 'admin', input: verifyPaymentArguments },
    resolve: (_, args, context) => verifyPayment(context, parse(verifyPaymentArguments, args)),
  }),
)
