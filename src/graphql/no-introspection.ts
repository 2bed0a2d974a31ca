// Refuses `__schema` and `__type`, for a service that does not show its schema.
import { GraphQLError, type ValidationRule } from 'graphql'
import { errorCodes } from '../core/errors.ts'

export const noIntrospection: ValidationRule = context => ({
  Field(node) {
    if (node.name.value !== '__schema' && node.name.value !== '__type') return
    const extensions = { code: 'introspection_disabled' }
    context.reportError(new GraphQLError(errorCodes.introspection_disabled.meaning, { nodes: node, extensions }))
  },
})
