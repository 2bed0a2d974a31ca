// The rules of schema.graphql: those of Relay's connections, names, descriptions, and types that nothing uses.
import graphql from '@graphql-eslint/eslint-plugin'

const own = {
  // A value of ErrorCode is the very word of `extensions.code`, which REST and the log share.
  'naming-convention': [
    'error',
    {
      types: 'PascalCase',
      FieldDefinition: { style: 'camelCase', forbiddenPrefixes: ['get', 'list'] },
      InputValueDefinition: 'camelCase',
      Argument: 'camelCase',
      DirectiveDefinition: 'camelCase',
      'EnumTypeDefinition[name.value!=ErrorCode] > EnumValueDefinition': 'UPPER_CASE',
      'EnumTypeDefinition[name.value=ErrorCode] > EnumValueDefinition': {
        style: 'snake_case',
        // The code that Apollo's clients expect.
        ignorePattern: '^PERSISTED_QUERY_NOT_FOUND$',
      },
      'FieldDefinition[parent.name.value=Query]': { forbiddenPrefixes: ['query'], forbiddenSuffixes: ['Query'] },
      'FieldDefinition[parent.name.value=Mutation]': {
        forbiddenPrefixes: ['mutation'],
        forbiddenSuffixes: ['Mutation'],
      },
      'EnumTypeDefinition,EnumTypeExtension': { forbiddenPrefixes: ['Enum'], forbiddenSuffixes: ['Enum'] },
      'UnionTypeDefinition,UnionTypeExtension': { forbiddenPrefixes: ['Union'], forbiddenSuffixes: ['Union'] },
    },
  ],
  'require-description': [
    'error',
    {
      types: true,
      FieldDefinition: true,
      InputValueDefinition: true,
      EnumValueDefinition: true,
      DirectiveDefinition: true,
    },
  ],
  // Groups are computed from their start, so they are paged forward only.
  'relay-arguments': ['error', { includeBoth: false }],
  'relay-connection-types': 'error',
  'relay-page-info': 'error',
  // Short lists that are never paged are plain lists.
  'relay-edge-types': [
    'error',
    { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
  ],
  'description-style': 'error',
  'no-hashtag-description': 'error',
  'no-unreachable-types': 'error',
  'no-scalar-result-type-on-mutation': 'error',
  'require-deprecation-reason': 'error',
  'require-nullable-result-in-root': 'error',
  'unique-enum-value-names': 'error',
}

export default [
  {
    files: ['**/*.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: './schema.graphql' } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...Object.fromEntries(Object.entries(own).map(([rule, setting]) => [`@graphql-eslint/${rule}`, setting])),
      // Relay and Apollo Client store a record by its `id`. That of a delivery is the only one that is no UUID.
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'ObjectTypeDefinition:not([interfaces.length>0], [name.value=WebhookDelivery]) > FieldDefinition[name.value=id]',
          message: 'Only a Node has a field `id`: name the field after what it identifies.',
        },
      ],
    },
  },
]
