// GraphQL for wallet sign-in (EIP-4361): nonces, and the operations that a wallet's signature authorises.
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { restOnly } from '../../kit/enum-names.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { createdApiKey, createdProject } from '../keys/type.ts'
import { domainOf } from './message.ts'
import { mintApiKey } from './mint-key.ts'
import { giveNonce } from './nonce.ts'
import { registerProject } from './register.ts'
import { chainIdsOf } from './signature.ts'
import { unlinkWallet } from './unlink.ts'
import { verifyWallet } from './verify.ts'

type Nonce = { nonce: string; domain: string; chainIds: number[] }
const NonceType = builder.objectRef<Nonce>('SignInNonce').implement({
  description: 'Values for an EIP-4361 message to this service.',
  fields: t => ({
    nonce: t.exposeString('nonce', { description: 'A UUID as 32 hex digits. Valid for one use within 10 minutes.' }),
    domain: t.exposeString('domain', {
      description: 'The service’s host, with its port unless that is the default.',
    }),
    chainIds: t.expose('chainIds', {
      type: ['ChainId'],
      // As published.
      extensions: { answer: { type: 'number' } },
      description:
        'Whole numbers. A contract wallet signs in with one of these Chain IDs, an externally owned account with any Chain ID.',
    }),
  }),
})

const nonceOf = async (context: Context): Promise<Nonce> => ({
  nonce: await giveNonce(context),
  domain: domainOf(context),
  chainIds: chainIdsOf(context),
})

// Each call writes a row to the database, for any caller.
const usual = { access: 'public', errors: [], extensions: { cost: 10 } } as const

builder.queryField('signInNonce', t =>
  t.field({
    ...usual,
    type: NonceType,
    description:
      'Issues a nonce to sign. It is a query because REST serves it as a GET, but each call stores a new nonce, so responses must not be cached.',
    extensions: { ...usual.extensions, ...restOnly },
    resolve: (_, __, context) => nonceOf(context),
  }),
)

const NoncePayloadType = builder.objectRef<{ signInNonce: Nonce }>('CreateSignInNoncePayload').implement({
  description: 'The result of `createSignInNonce`.',
  fields: t => ({
    signInNonce: t.expose('signInNonce', {
      type: NonceType,
      description: 'The nonce, with the values that the message contains beside it.',
    }),
  }),
})

builder.mutationField('createSignInNonce', t =>
  t.field({
    ...usual,
    type: NoncePayloadType,
    nullable: true,
    description: 'Issues a nonce for a wallet to sign.',
    resolve: async (_, __, context) => ({ signInNonce: await nonceOf(context) }),
  }),
)

mutation('registerProject', {
  ...performs(registerProject),
  description:
    'Creates a project that the signing wallet owns, with its first PROJECT_ADMIN key. The message names this service’s domain, a URI of the service or of a configured front end, version 1, a fresh nonce, and a Chain ID: any for an externally owned account, one of the nonce’s `chainIds` for a contract wallet.',
  takes: 'A project to register with a wallet.',
  errors: [
    [
      'invalid_signature',
      'with `chain_ids` where only a contract could have signed and the service does not serve the chain',
    ],
    'chain_unavailable',
    'too_many_requests',
    'validation_failed',
  ],
  errorsInGraphql: ['forbidden'],
  extensions: { signatures: 1 },
  payload: createdProject,
})

mutation('verifyWallet', {
  ...performs(verifyWallet),
  description:
    'Verifies control of a wallet by an EIP-4361 message, or by a signature over the nonce alone (older form, for externally owned accounts). With an API key that may write, it also links the wallet to the key’s project; linking twice is harmless.',
  takes: 'A message, or else address and nonce.',
  errors: ['invalid_signature', 'forbidden', 'chain_unavailable', 'too_many_requests', 'validation_failed'],
  extensions: { signatures: 1 },
  payload: t => ({
    linked: t.exposeBoolean('linked', {
      description: 'With a key: true, linked to the key’s project. Otherwise: whether any project has the wallet.',
    }),
    address: t.expose('address', { type: 'Address', description: 'The wallet, lower-case.' }),
    domain: t.exposeString('domain', { description: 'The service’s host.' }),
    chainId: t.expose('chainId', {
      type: 'ChainId',
      nullable: true,
      description: 'The Chain ID of the message, a whole number; null without a message.',
    }),
  }),
})

mutation('mintApiKey', {
  ...performs(mintApiKey),
  description: 'Creates a PROJECT_ADMIN key for the wallet that owns the project, when keys are lost.',
  takes: 'A key for the wallet that owns the project.',
  errors: [
    'invalid_signature',
    ['not_found', 'the wallet owns no project, or not this project'],
    'too_many_keys',
    'chain_unavailable',
    'too_many_requests',
    ['validation_failed', 'the wallet owns several projects and the input names none'],
  ],
  errorsInGraphql: ['forbidden'],
  extensions: { signatures: 1 },
  payload: createdApiKey,
})

mutation('unlinkWallet', {
  ...performs(unlinkWallet),
  description: 'Unlinks a wallet from the caller’s project.',
  takes: 'A wallet to unlink from the project.',
  errors: ['project_key_required', 'not_found', ['conflict', 'the wallet owns the project'], 'validation_failed'],
  payload: t => ({
    unlinkedAddress: t.expose('address', { type: 'Address', description: 'The address of the wallet, lower-case.' }),
  }),
})
