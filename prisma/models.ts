// A generator of `prisma generate`: writes the names of tables and columns, which the SQL of reads needs.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import helper, { type GeneratorOptions } from '@prisma/generator-helper'

helper.generatorHandler({
  onManifest: () => ({ prettyName: 'the names of tables and columns', defaultOutput: '../src/generated/models.json' }),
  onGenerate: async ({ dmmf: { datamodel }, generator }) => {
    const path = generator.output?.value
    if (!path) throw new Error('The generator of models.json has no output')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, JSON.stringify(datamodel.models.map(model => named(model, datamodel))))
  },
})

type Datamodel = GeneratorOptions['dmmf']['datamodel']
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
