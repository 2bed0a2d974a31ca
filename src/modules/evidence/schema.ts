// What GraphQL shows of the signing keys.
import { builder } from '../../kit/builder.ts'
import { signingKeys } from './keys.ts'

const SigningKeyType = builder.prismaObject('SigningKey', {
  description: 'An Ed25519 key that has signed bundles.',
  fields: t => ({
    keyId: t.exposeString('keyId', { description: 'First 16 hex digits of the SHA-256 of the key’s SPKI DER.' }),
    algorithm: t.string({ description: 'Always Ed25519.', resolve: () => 'Ed25519' }),
    publicKeyPem: t.exposeString('publicKeyPem', { description: 'SPKI in PEM.' }),
    validFrom: t.expose('validFrom', {
      type: 'DateTime',
      description: 'Bundles made before are not to be trusted under it.',
    }),
    validTo: t.expose('validTo', {
      type: 'DateTime',
      nullable: true,
      description: 'Nor bundles made after; null while in use.',
    }),
  }),
})

const SigningKeySet = builder.objectRef<object>('SigningKeySet').implement({
  description: 'Every key that has ever signed bundles.',
  fields: t => ({
    keys: t.prismaField({
      type: [SigningKeyType],
      description: 'Oldest first.',
      resolve: (_query, _, __, context) => signingKeys(context),
    }),
  }),
})

builder.queryField('evidenceKeys', t =>
  t.field({
    type: SigningKeySet,
    description: 'The keys against which bundles are verified. Public.',
    extensions: { access: 'public' },
    resolve: () => ({}),
  }),
)
