// Generates the TypeScript clients of a service: `generate.ts <openapi.json> <folder>`. The programs that use them are
// in `programs`.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import openapiTS, { astToString } from 'openapi-typescript'

const [document = '', folder = ''] = process.argv.slice(2)
await writeFile(join(folder, 'schema.ts'), astToString(await openapiTS(pathToFileURL(document))))
await createClient({
  input: document,
  output: { path: join(folder, 'hey'), importFileExtension: '.ts' },
  logs: { level: 'error' },
})
