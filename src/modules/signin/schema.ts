// GraphQL for wallet sign-in (EIP-4361): nonces, and the operations that a wallet's signature authorises.
import { ownProject } from '../../core/principal.ts'
import { wholeNumber } from '../../kit/answers.ts'
import { builder } from '../../kit/builder.ts'
import { inputType } from '../../kit/input.ts'
import { declarationOf, runVerb } from '../../kit/verb.ts'
import { CreatedApiKeyType, CreatedProjectType } from '../keys/type.ts'
import { domainOf } from './message.ts'
import { mintApiKey, mintApiKeyInput } from './mint-key.ts'
import { giveNonce } from './nonce.ts'
import { registerProject, registerProjectInput } from './register.ts'
import { chainIdsOf } from './signature.ts'
import { unlinkWallet, unlinkWalletInput } from './unlink.ts'
import { verifyWallet, verifyWalletInput } from './verify.ts'

const NonceType = builder.objectRef<{ nonce: string; domain: string; chainIds: number[] }>('SignInNonce').implement({
  description: 'Values for an EIP-4361 message to this service.',
  fields: t => ({
    nonce: t.exposeString('nonce', { description: 'A UUID as 32 hex digits. Valid for one use within 10 minutes.' }),
    domain: t.exposeString('domain', {
      description: 'The service’s host, with its port unless that is the default.',
    }),
    // Chain ids go beyond 32 bits.
    chainIds: t.expose('chainIds', {
      type: ['Float'],
      description:
        'Whole numbers. A contract wallet signs in with one of these Chain IDs, an externally owned account with any Chain ID.',
    }),
  }),
})

builder.queryField('signInNonce', t =>
  t.field({
    type: NonceType,
    description:
      'Issues a nonce to sign. It is a query because REST serves it as a GET, but each call stores a new nonce, so responses must not be cached.',
    // Each call writes a row to the database, for any caller.
    access: 'public',
    errors: [],
    extensions: { cost: 10 },
    resolve: async (_, __, context) => ({
      nonce: await giveNonce(context),
      domain: domainOf(context),
      chainIds: chainIdsOf(context),
    }),
  }),
)

const RegisterInput = inputType('RegisterProjectInput', 'A project to register with a wallet.', registerProjectInput)

builder.mutationField('registerProject', t =>
  t.field({
    type: CreatedProjectType,
    description:
      'Creates a project that the signing wallet owns, with its first project_admin key. The message names this service’s domain, a URI of the service or of a configured front end, version 1, a fresh nonce, and a Chain ID: any for an externally owned account, one of the nonce’s `chainIds` for a contract wallet. `forbidden` for a session.',
    args: { input: t.arg({ type: RegisterInput, required: true }) },
    ...declarationOf(registerProject),
    errors: [
      [
        'invalid_signature',
        'with `chain_ids` where only a contract could have signed and the service does not serve the chain',
      ],
      'chain_unavailable',
      'too_many_requests',
      'validation_failed',
    ],
    extensions: { signatures: 1 },
    resolve: (_, { input }, context) => runVerb(context, registerProject, input),
  }),
)

const VerificationType = builder
  .objectRef<{ linked: boolean; address: string; domain: string; chainId: number | null }>('WalletVerification')
  .implement({
    description: 'A wallet whose signature was verified.',
    fields: t => ({
      linked: t.exposeBoolean('linked', {
        description: 'With a key: true, linked to the key’s project. Otherwise: whether any project has the wallet.',
      }),
      address: t.exposeString('address', { description: 'The wallet, lower-case.' }),
      domain: t.exposeString('domain', { description: 'The service’s host.' }),
      // Chain ids go beyond 32 bits.
      chainId: t.exposeFloat('chainId', {
        nullable: true,
        description: 'The Chain ID of the message, a whole number; null without a message.',
        extensions: { answer: wholeNumber },
      }),
    }),
  })

const VerifyInput = inputType('VerifyWalletInput', 'A message, or else address and nonce.', verifyWalletInput)

builder.mutationField('verifyWallet', t =>
  t.field({
    type: VerificationType,
    description:
      'Verifies control of a wallet by an EIP-4361 message, or by a signature over the nonce alone (older form, for externally owned accounts). With an API key that may write, it also links the wallet to the key’s project; linking twice is harmless.',
    args: { input: t.arg({ type: VerifyInput, required: true }) },
    ...declarationOf(verifyWallet),
    errors: ['invalid_signature', 'forbidden', 'chain_unavailable', 'too_many_requests', 'validation_failed'],
    extensions: { signatures: 1 },
    resolve: (_, { input }, context) => runVerb(context, verifyWallet, input),
  }),
)

const MintInput = inputType('MintApiKeyInput', 'A key for the wallet that owns the project.', mintApiKeyInput)

builder.mutationField('mintApiKey', t =>
  t.field({
    type: CreatedApiKeyType,
    description:
      'Creates a project_admin key for the wallet that owns the project, when keys are lost. `forbidden` for a session.',
    args: { input: t.arg({ type: MintInput, required: true }) },
    ...declarationOf(mintApiKey),
    errors: [
      'invalid_signature',
      ['not_found', 'the wallet owns no project, or not this project'],
      'too_many_keys',
      'chain_unavailable',
      'too_many_requests',
      ['validation_failed', 'the wallet owns several projects and the input names none'],
    ],
    extensions: { signatures: 1 },
    resolve: (_, { input }, context) => runVerb(context, mintApiKey, input),
  }),
)

const LinkedWalletType = builder.prismaObject('LinkedWallet', {
  description: 'A wallet that is linked to a project.',
  fields: t => ({
    address: t.exposeString('address', { description: 'The address, lower-case.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was linked.' }),
  }),
})

builder.queryField('linkedWallets', t =>
  t.prismaField({
    type: [LinkedWalletType],
    description: 'Wallets linked to the caller’s project, oldest first.',
    access: 'read',
    errors: ['project_key_required'],
    resolve: (query, _, __, { db, principal }) =>
      db.linkedWallet.findMany({
        ...query,
        where: { projectId: ownProject(principal, 'A linked wallet') },
        orderBy: [{ createdAt: 'asc' }, { address: 'asc' }],
        take: 1000,
      }),
  }),
)

const UnlinkedType = builder.objectRef<{ status: string; address: string }>('UnlinkedWallet').implement({
  description: 'A wallet that was unlinked from the project.',
  fields: t => ({
    status: t.exposeString('status', { description: '`ok`.' }),
    address: t.exposeString('address', { description: 'The address, lower-case.' }),
  }),
})

const UnlinkInput = inputType('UnlinkWalletInput', 'A wallet to unlink from the project.', unlinkWalletInput)

builder.mutationField('unlinkWallet', t =>
  t.field({
    type: UnlinkedType,
    description: 'Unlinks a wallet from the caller’s project.',
    args: { input: t.arg({ type: UnlinkInput, required: true }) },
    ...declarationOf(unlinkWallet),
    errors: ['project_key_required', 'not_found', ['conflict', 'the wallet owns the project'], 'validation_failed'],
    resolve: (_, { input }, context) => runVerb(context, unlinkWallet, input),
  }),
)
