// Generates parts of the clients in `sdk/`: modules from the OpenAPI document, and the JavaScript of the TypeScript
// client.
import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GraphQLSchema } from 'graphql'
import { errorCodes } from '../src/core/errors.ts'
import { describe } from '../src/modules/sdk/description.ts'
import { pythonOperations, pythonSettings } from '../src/modules/sdk/python-operations.ts'
import { pythonTypes } from '../src/modules/sdk/python-types.ts'
import { notice, operationsModule, settingsModule } from '../src/modules/sdk/typescript.ts'
import { sdkTypes } from '../test/clients/sdk-types.ts'
import { graphqlOperations } from './graphql-operations.ts'

const statuses = Object.fromEntries(Object.entries(errorCodes).map(([code, { status }]) => [code, status]))

const compiler = 'node_modules/typescript/bin/tsc'

/**
 * Returns the content of each file to write, by its path in the repository, where this must run. Throws when the client
 * does not compile.
 */
export async function generateSdk(
  openapi: string,
  webhooks: string,
  schema: GraphQLSchema,
): Promise<Map<string, string>> {
  const overGraphql = await graphqlOperations(schema)
  const description = describe(JSON.parse(openapi), JSON.parse(webhooks), overGraphql)
  const types = `// ${notice}\n\n${await sdkTypes(Object.fromEntries(description.schemas))}`
  const sources = {
    'generated/codes.ts': `// ${notice}\n/** The HTTP status of each code, for answers over GraphQL. */\nexport const statusOfCode: Readonly<Record<string, number>> = ${JSON.stringify(statuses, null, 2)}\n`,
    'generated/operations.ts': operationsModule(description, 'ts'),
    'generated/settings.ts': settingsModule(null, 'ts'),
    'generated/types.ts': types,
  }
  const python = {
    'async_operations.py': pythonOperations(description, 'async'),
    'codes.py': `# ${notice}\n# The HTTP status of each code, for answers over GraphQL.\nSTATUS_OF_CODE: dict[str, int] = ${JSON.stringify(statuses, null, 4)}\n`,
    'operations.py': pythonOperations(description, 'sync'),
    'settings.py': pythonSettings(null),
    'types.py': pythonTypes(description),
  }
  return new Map([
    ['src/modules/sdk/graphql-operations.json', `${JSON.stringify(overGraphql, null, 2)}\n`],
    ...inFolder('sdk/typescript/src', Object.entries(sources)),
    ...inFolder('sdk/typescript/dist', await compiled(sources)),
    ...inFolder('sdk/python/src/quittance_client', Object.entries(python)),
  ])
}

const inFolder = (folder: string, files: Iterable<[string, string]>) =>
  [...files].map(([name, content]): [string, string] => [`${folder}/${name}`, content])

// The syntax of the sources is that of ES modules, whose JavaScript the first build keeps as it is.
const asCommonJs = (folder: string) =>
  `--module commonjs --moduleResolution bundler --verbatimModuleSyntax false --isolatedModules --outDir ${folder}`.split(
    ' ',
  )

/** Compiles in a temporary folder, because a check for drift must not write here. */
async function compiled(sources: Record<string, string>): Promise<[string, string][]> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-sdk-'))
  try {
    for (const name of ['src', 'tsconfig.json', 'package.json'])
      await cp(join('sdk/typescript', name), join(folder, name), { recursive: true })
    for (const [name, content] of Object.entries(sources)) await writeFile(join(folder, 'src', name), content)
    const out = join(folder, 'dist')
    for (const form of [[], asCommonJs(join(out, 'cjs'))]) {
      const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder, ...form], { encoding: 'utf8' })
      if (status !== 0) throw new Error(stdout)
    }
    await writeFile(join(out, 'cjs', 'package.json'), '{ "type": "commonjs" }\n')
    const files = (await readdir(out, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
    const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort()
    return await Promise.all(
      paths.map(async (path): Promise<[string, string]> => [path.slice(out.length + 1), await readFile(path, 'utf8')]),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
