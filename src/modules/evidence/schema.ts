// The GraphQL types, query and mutation of the signing keys.
import { builder } from '../../kit/builder.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import type { Chain } from '../../ports/chain.ts'
import { signingKeys } from './keys.ts'
import { retireSigningKey } from './retire-key.ts'

const SigningKeyType = builder.prismaObject('SigningKey', {
  description: 'An Ed25519 key that has signed bundles.',
  fields: t => ({
    keyId: t.exposeString('keyId', {
      description:
        'The SHA-256 of the key’s SPKI DER: 64 hex digits. Bundles that were made before ids were whole name the first 16.',
    }),
    algorithm: t.string({ description: 'Always Ed25519.', resolve: () => 'Ed25519' }),
    publicKeyPem: t.exposeString('publicKeyPem', { description: 'SPKI in PEM.' }),
    validFrom: t.expose('validFrom', {
      type: 'DateTime',
      description: 'Bundles anchored before this time do not verify with the key.',
    }),
    validTo: t.expose('validTo', {
      type: 'DateTime',
      nullable: true,
      description: 'Bundles made or anchored after this time do not verify with the key; null while it is in use.',
    }),
  }),
})

const finalityOf = ({ finality }: Chain) =>
  typeof finality === 'string' ? finality : `${finality.confirmations} confirmations`

const EvidenceChain = builder.objectRef<Chain>('EvidenceChain').implement({
  description: 'A chain on which this service searches for anchors.',
  fields: t => ({
    name: t.exposeString('name', { description: 'Name of the chain, as in anchors.' }),
    caip2: t.exposeString('caip2', { nullable: true, description: 'CAIP-2 id, for instance `eip155:14`.' }),
    contract: t.expose('contract', { type: 'Address', description: 'The evidence anchor contract, lower-case.' }),
    finality: t.string({
      description: 'When a block is final: `safe` or `finalized` as its nodes report, or a number of confirmations.',
      resolve: finalityOf,
    }),
    deployedAtBlock: t.exposeInt('deployedAtBlock', { description: 'First block worth searching for anchors.' }),
    explorerBaseUrl: t.expose('explorerBaseUrl', {
      type: 'URL',
      nullable: true,
      description: 'Base URL of the chain’s block explorer.',
    }),
  }),
})

const SigningKeySet = builder.objectRef<object>('SigningKeySet').implement({
  description: 'Every key that has ever signed bundles, and the chains that carry their hashes.',
  fields: t => ({
    chains: t.field({
      type: [EvidenceChain],
      description: 'The chains, the default chain first.',
      resolve: (_, __, { chains }) => [...chains],
    }),
    keys: t.prismaField({
      type: [SigningKeyType],
      description: 'The keys, oldest first.',
      resolve: (_query, _, __, context) => signingKeys(context),
    }),
  }),
})

builder.queryField('evidenceKeys', t =>
  t.field({
    type: SigningKeySet,
    description: 'The keys with which bundles are verified, and the chains that carry their anchors.',
    access: 'public',
    errors: [],
    resolve: () => ({}),
  }),
)

mutation('retireSigningKey', {
  ...performs(retireSigningKey),
  description:
    'Ends the validity of a signing key: a bundle that is not anchored before that moment does not verify with the key.',
  takes: 'The signing key to retire.',
  errors: ['not_found', 'conflict', 'validation_failed'],
  payload: t => ({
    signingKey: t.field({ type: SigningKeyType, description: 'The retired key.', resolve: key => key }),
  }),
})
