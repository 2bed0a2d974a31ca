import type { CodegenConfig } from '@graphql-codegen/cli'

const config: CodegenConfig = {
  schema: `${process.env.QUITTANCE_URL}/graphql/schema.graphql`,
  documents: ['documents.ts'],
  generates: {
    './gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        enumType: 'string-literal',
        importExtension: '.ts',
        strictScalars: true,
        useTypeImports: true,
        scalars: {
          Address: 'string',
          Base64: 'string',
          BigInt: 'string',
          ChainId: 'number',
          Date: 'string',
          DateTime: 'string',
          Decimal: 'string',
          Hash32: 'string',
          JSONObject: 'Record<string, unknown>',
          URL: 'string',
        },
      },
    },
  },
}

export default config
