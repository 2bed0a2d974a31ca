// Generates the types of the TypeScript client with openapi-typescript: one exported type for each schema. It runs at
// code generation and never in the service, because it needs a TypeScript with a programming interface.
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

/** `schemas` as under `components.schemas` of an OpenAPI document. */
export async function sdkTypes(schemas: Record<string, object>): Promise<string> {
  const info = { title: 'types', version: '0' }
  const nodes = await openapiTS({ openapi: '3.1.0', info, paths: {}, components: { schemas } } as never, {
    emptyObjectsUnknown: true,
    silent: true,
  })
  const components = nodes.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === 'components')
  const list = components?.members
    .filter(ts.isPropertySignature)
    .find(({ name }) => 'text' in name && name.text === 'schemas')?.type
  if (list === undefined || !ts.isTypeLiteralNode(list)) throw new Error('openapi-typescript wrote no schemas')
  const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)]
  const aliases = list.members.filter(ts.isPropertySignature).map(({ name, type }) => {
    if (type === undefined || !('text' in name)) throw new Error('a schema has no type')
    return ts.factory.createTypeAliasDeclaration(exported, name.text, undefined, type)
  })
  const text = aliases.map(alias => astToString([alias])).join('\n')
  return text.replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1')
}
