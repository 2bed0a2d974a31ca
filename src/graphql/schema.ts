// The whole schema. Importing it opens nothing: it needs neither settings nor a database.
import { builder } from '../kit/builder.ts'
import '../modules/index.ts'

export const schema = builder.toSchema()
