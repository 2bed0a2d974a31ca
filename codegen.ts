// Generates the derived files: schema.graphql from Pothos; rest/generated and rest/openapi.json from rest/*.graphql;
// the clients in sdk/ from openapi.json; docs/error-codes.md from the error codes.
// `node codegen.ts` writes; `node codegen.ts --check` lists what has drifted and exits 1; `--client` makes Prisma's
// client.
import { spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
process.chdir(root)

if (process.argv.includes('--client')) prismaClient()
else await generate(process.argv.includes('--check'))

function prismaClient(): void {
  const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js')
  // `generate` requires a schema engine to exist but never runs it, and the engine cannot be downloaded everywhere.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: fileURLToPath(import.meta.url),
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [prisma, 'generate'], { env, encoding: 'utf8' })
  if (status !== 0) {
    process.stderr.write(stdout + stderr)
    process.exit(1)
  }
}

async function generate(check: boolean): Promise<void> {
  const [{ errorCodes }, { schema, restSchema }, { printedSchema }, rest, { examplesForm }, sdk] = await Promise.all([
    import('./src/core/errors.ts'),
    import('./src/graphql/schema.ts'),
    import('./src/graphql/sdl.ts'),
    import('./src/rest/codegen/generate.ts'),
    import('./src/rest/codegen/examples.ts'),
    import('./sdk/codegen.ts'),
  ])
  const { generateRest, RestErrors } = rest
  const info = {
    title: 'Quittance',
    version: '0.1.0',
    description: await readFile('rest/info.md', 'utf8'),
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'The Quittance authors' },
  }
  const files = new Map([['schema.graphql', printedSchema(schema)]])
  files.set('docs/error-codes.md', errorPage(errorCodes))
  const examples = examplesForm.parse(JSON.parse(await readFile('rest/examples.json', 'utf8')))
  const faults: string[] = []
  try {
    const generated = generateRest({ schema: restSchema, directory: 'rest', info, examples })
    for (const [path, content] of generated.files) files.set(path, content)
    faults.push(...generated.unexampled)
  } catch (error) {
    if (!(error instanceof RestErrors)) throw error
    console.error(error.message)
    process.exit(1)
  }
  for (const [path, content] of await sdk.generateSdk(files.get('rest/openapi.json') ?? '')) files.set(path, content)
  for (const [path, content] of files) {
    const present = await readFile(path, 'utf8').catch(() => null)
    if (present === content) continue
    if (check) {
      faults.push(`${path} has drifted: run npm run codegen`)
      continue
    }
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    console.log(`wrote ${path}`)
  }
  for (const fault of faults) console.log(fault)
  if (check && faults.length > 0) process.exit(1)
}

/** Returns the page of the codes that REST's `detail` and GraphQL's `extensions.code` share. */
function errorPage(codes: Record<string, { status: number; meaning: string }>): string {
  const rows = Object.entries(codes).map(([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`)
  return [
    '# Error codes',
    '',
    'REST: `detail` of the body. GraphQL: `extensions.code`. Generated from `src/core/errors.ts`.',
    '',
    '| code | HTTP | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
