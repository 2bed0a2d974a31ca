// What GraphQL shows of wallet sign-in (EIP-4361): nonces, and what a wallet may do with its signature.
import { ownProject } from '../../core/principal.ts'
import { wholeNumber } from '../../kit/answers.ts'
import { builder } from '../../kit/builder.ts'
import { inputType } from '../../kit/input.ts'
import { declarationOf, perform } from '../../kit/verb.ts'
import { CreatedApiKeyType, CreatedProjectType } from '../keys/type.ts'
import { domainOf } from './message.ts'
import { mintApiKey, mintApiKeyInput } from './mint-key.ts'
import { giveNonce } from './nonce.ts'
import { registerProject, registerProjectInput } from './register.ts'
import { chainIdsOf } from './signature.ts'
import { unlinkWallet, unlinkWalletInput } from './unlink.ts'
import { verifyWallet, verifyWalletInput } from './verify.ts'

const NonceType = builder.objectRef<{ nonce: string; domain: string; chainIds: number[] }>('SignInNonce').implement({
  description: 'What an EIP-4361 message of this service must name.',
  fields: t => ({
    nonce: t.exposeString('nonce', { description: 'A UUID as 32 hex digits. Good for one use within 10 minutes.' }),
    domain: t.exposeString('domain', {
      description: 'The service’s own host, with its port where it is not the usual.',
    }),
    // Chain ids go beyond 32 bits.
    chainIds: t.expose('chainIds', {
      type: ['Float'],
      description:
        'Whole numbers: a wallet that is a contract signs in under one of these Chain IDs, a wallet that is a key under any.',
    }),
  }),
})

builder.queryField('signInNonce', t =>
  t.field({
    type: NonceType,
    description:
      'A fresh nonce to sign. A query, because REST has it as a GET, yet each call writes one and no answer may be cached. Public.',
    // Each is a row in the database, for anyone.
    extensions: { access: 'public', cost: 10 },
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
      'Creates a project that the signing wallet owns, with its first project_admin key. The message names this service’s domain, a URI of it or of a configured front end, version 1, a fresh nonce, and as Chain ID any for a wallet that is a key, one of the nonce’s `chainIds` for one that is a contract. Public. Errors: invalid_signature (with `chain_ids` where only a contract could have signed and the chain is not served), chain_unavailable, too_many_requests, validation_failed.',
    args: { input: t.arg({ type: RegisterInput, required: true }) },
    extensions: declarationOf(registerProject),
    resolve: (_, { input }, context) => perform(context, registerProject, input),
  }),
)

const VerificationType = builder
  .objectRef<{ linked: boolean; address: string; domain: string; chainId: number | null }>('WalletVerification')
  .implement({
    description: 'A wallet that proved itself.',
    fields: t => ({
      linked: t.exposeBoolean('linked', {
        description: 'With a key: true, it is linked to the key’s project. Else whether it belongs to any project.',
      }),
      address: t.exposeString('address', { description: 'The wallet, lower-case.' }),
      domain: t.exposeString('domain', { description: 'The service’s own host.' }),
      // Chain ids go beyond 32 bits.
      chainId: t.exposeFloat('chainId', {
        nullable: true,
        description: 'The whole number that the message names; null without a message.',
        extensions: { answer: wholeNumber },
      }),
    }),
  })

const VerifyInput = inputType('VerifyWalletInput', 'A message, or else address and nonce.', verifyWalletInput)

builder.mutationField('verifyWallet', t =>
  t.field({
    type: VerificationType,
    description:
      'Proves a wallet by an EIP-4361 message, or by a signature over the nonce alone (older form, for wallets that are keys). With a key that may write it also links the wallet to the key’s project; linking twice is harmless. Public. Errors: invalid_signature, forbidden, chain_unavailable, too_many_requests, validation_failed.',
    args: { input: t.arg({ type: VerifyInput, required: true }) },
    extensions: declarationOf(verifyWallet),
    resolve: (_, { input }, context) => perform(context, verifyWallet, input),
  }),
)

const MintInput = inputType('MintApiKeyInput', 'A key for the wallet that owns the project.', mintApiKeyInput)

builder.mutationField('mintApiKey', t =>
  t.field({
    type: CreatedApiKeyType,
    description:
      'A new project_admin key for the wallet that owns the project, when keys are lost. Public. Errors: invalid_signature, not_found (it owns no project, or not this one), too_many_keys, chain_unavailable, too_many_requests, validation_failed (it owns several and names none).',
    args: { input: t.arg({ type: MintInput, required: true }) },
    extensions: declarationOf(mintApiKey),
    resolve: (_, { input }, context) => perform(context, mintApiKey, input),
  }),
)

const LinkedWalletType = builder.prismaObject('LinkedWallet', {
  description: 'A wallet that proved itself for a project.',
  fields: t => ({
    address: t.exposeString('address', { description: 'Lower-case 0x.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was linked.' }),
  }),
})

builder.queryField('linkedWallets', t =>
  t.prismaField({
    type: [LinkedWalletType],
    description: 'Wallets of the own project, oldest first. Errors: unauthenticated, project_key_required.',
    authScopes: { access: 'read' },
    extensions: { access: 'read' },
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
  description: 'A wallet that was taken off the project.',
  fields: t => ({
    status: t.exposeString('status', { description: '`ok`.' }),
    address: t.exposeString('address', { description: 'Lower-case 0x.' }),
  }),
})

const UnlinkInput = inputType('UnlinkWalletInput', 'A wallet to take off the own project.', unlinkWalletInput)

builder.mutationField('unlinkWallet', t =>
  t.field({
    type: UnlinkedType,
    description:
      'Takes a wallet off the own project. Errors: forbidden, project_key_required, not_found, conflict (it owns the project), validation_failed.',
    args: { input: t.arg({ type: UnlinkInput, required: true }) },
    extensions: declarationOf(unlinkWallet),
    resolve: (_, { input }, context) => perform(context, unlinkWallet, input),
  }),
)
