// Compares the errors of an answer with what the fields of its document declare.
import { type GraphQLSchema, getOperationAST, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import { directivesOf, generalErrors } from '../../src/graphql/directives.ts'

type Answer = { errors?: { path?: (string | number)[]; extensions: { code: string } }[] }

/** Returns the errors that their field does not declare, except those of any operation: `path: code`. */
export function undeclared(schema: GraphQLSchema, query: string, { errors = [] }: Answer): string[] {
  const declared = declaredIn(schema, query)
  return errors.flatMap(({ path, extensions: { code } }) => {
    const keys = path?.filter(key => typeof key === 'string').join('.') ?? ''
    return (declared.get(keys) ?? []).includes(code) || generalErrors.includes(code as never)
      ? []
      : [`${keys}: ${code}`]
  })
}

/** The declared codes by the path of the field in an answer. The error of a subscription may have no path. */
function declaredIn(schema: GraphQLSchema, query: string): Map<string, readonly string[]> {
  const document = parse(query)
  const info = new TypeInfo(schema)
  const path: string[] = []
  const declared = new Map<string, readonly string[]>()
  const isSubscription = getOperationAST(document)?.operation === 'subscription'
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: {
        enter({ name, alias }) {
          path.push((alias ?? name).value)
          const codes = directivesOf(info.getFieldDef()?.extensions ?? {}, false).errors?.codes ?? []
          declared.set(path.join('.'), codes as string[])
          if (isSubscription && path.length === 1) declared.set('', codes as string[])
        },
        leave: () => void path.pop(),
      },
    }),
  )
  return declared
}
