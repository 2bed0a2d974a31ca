// Generates `src/gql`: the types of the documents, and the list of trusted documents for the operator of the service.
import type { CodegenConfig } from '@graphql-codegen/cli'
import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset'

const config: CodegenConfig = {
  schema: '../../schema.graphql',
  documents: ['src/documents.ts'],
  generates: {
    './src/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false, persistedDocuments: { hashAlgorithm: 'sha256' } },
      // The cache of urql needs the names of types, and may not add them to a document that is known by its hash.
      documentTransforms: [addTypenameSelectionDocumentTransform],
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
