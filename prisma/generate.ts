// Writes Prisma's client and the types for Pothos to src/generated, like `prisma generate`, and reads the names of
// tables and columns. It uses the packages from which Prisma's command line is built, because the command line itself
// brings 150 MB of other tools.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
// Required and not imported: the ES modules of one of their dependencies name files without extension, which Node
// refuses.
const { getDMMF, getGenerators, loadSchemaContext }: typeof import('@prisma/internals') = require('@prisma/internals')
const { PrismaClientTsGenerator }: typeof import('@prisma/client-generator-ts') = require('@prisma/client-generator-ts')

/** Throws when the models are wrong. */
export async function generatePrisma(): Promise<void> {
  const pothos = join(dirname(require.resolve('@pothos/plugin-prisma')), '../bin/generator.js')
  const generators = await getGenerators({
    schemaContext: await schemaContext(),
    registry: {
      'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() },
      'prisma-pothos-types': { type: 'rpc', generatorPath: pothos, isNode: true },
    },
    cliCommand: 'generate',
  })
  for (const generator of generators) {
    try {
      await generator.generate()
    } finally {
      generator.stop()
    }
  }
}

/** Returns the content of src/generated/models.json. Throws when the models are wrong. */
export async function modelsJson(): Promise<string> {
  const { datamodel } = await getDMMF({ datamodel: (await schemaContext()).schemaFiles })
  return JSON.stringify(datamodel.models.map(model => named(model, datamodel)))
}

const schemaContext = () =>
  loadSchemaContext({
    schemaPath: { cliProvidedPath: dirname(fileURLToPath(import.meta.url)) },
    printLoadMessage: false,
  })

type Datamodel = Awaited<ReturnType<typeof getDMMF>>['datamodel']
type Model = Datamodel['models'][0]

/** Keeps what SQL needs to know of a model. */
const named = ({ name: model, dbName, fields }: Model, { indexes, enums }: Datamodel) => ({
  name: model,
  table: dbName ?? model,
  // Without an algorithm it is a B-tree, whose entries are in order.
  indexes: indexes
    .filter(index => index.model === model && index.algorithm === undefined)
    .map(({ fields }) => fields.map(({ name, sortOrder = 'asc' }) => ({ name, direction: sortOrder }))),
  fields: fields.map(({ name, dbName, kind, type, nativeType, isList, isRequired, ...relation }) => ({
    name,
    column: dbName ?? name,
    kind,
    type,
    isList,
    isRequired,
    ...(nativeType?.[0] === 'Uuid' && { isUuid: true }),
    ...(kind === 'enum' && { enum: enums.find(({ name }) => name === type)?.dbName ?? type }),
    ...(relation.relationName !== undefined && {
      relation: relation.relationName,
      from: relation.relationFromFields,
      to: relation.relationToFields,
    }),
  })),
})
