// Generates the derived files: schema.graphql from Pothos; rest/generated and rest/openapi.json from rest/*.graphql;
// the clients in sdk/ from openapi.json; docs/error-codes.md from the error codes; the table in docs/messages.md; the
// keys for graphcache in docs/graphql.md; the names of EVM chains from viem; src/generated from Prisma's models; the
// version, from package.json.
// `node codegen.ts` writes; `node codegen.ts --check` lists what has drifted and exits 1. `--install` writes only what
// is not in the repository: src/generated, rest/generated, and the scripts of the API pages.
import { spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type GraphQLSchema, isObjectType } from 'graphql'
import packageJson from './package.json' with { type: 'json' }
import type { Message } from './src/modules/iso20022/messages/message.ts'

process.chdir(fileURLToPath(new URL('.', import.meta.url)))

// Other files tell the version here. The example is that of /v1/health.
const versions: Record<string, RegExp> = {
  Dockerfile: /(?<=image\.version=")[^"]*/,
  'packages/verify/package.json': /(?<="version": ")[^"]*/,
  'ops/helm/quittance/Chart.yaml': /(?<=^(?:version: |appVersion: "))[^"\n]*/gm,
  'rest/examples.json': /(?<="status": "ok",\n *"version": ")[^"]*/,
  'sdk/python/pyproject.toml': /(?<=^version = ")[^"]*/m,
  'sdk/typescript/package.json': /(?<="version": ")[^"]*/,
}

if (process.argv.includes('--install')) await install()
else await generate(process.argv.includes('--check'))

async function install(): Promise<void> {
  if (!isInstalled('prisma'))
    return console.log('Nothing is generated: Prisma’s client and what follows from it need the development packages.')
  generatePrisma()
  for (const [path, content] of (await rest()).files) if (path.startsWith('rest/generated/')) await write(path, content)
  if (!isInstalled('vite'))
    return console.log('The pages /graphql and /docs are not made: they need the development packages.')
  const { bundlePages } = await import('./src/api-pages/bundle.ts')
  for (const [path, content] of await bundlePages()) await write(path, content)
}

/** Runs `prisma generate`, which writes Prisma's client, the types for Pothos and the names of tables and columns. */
function generatePrisma(): void {
  const { status } = spawnSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      // The generators are started by name, on this Node.
      PATH: [resolve('node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
      // Prisma downloads its schema engine, which `generate` does not run, unless this names a file.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: '1',
    },
  })
  if (status !== 0) process.exit(1)
}

function isInstalled(name: string): boolean {
  try {
    return import.meta.resolve(`${name}/package.json`) !== ''
  } catch {
    return false
  }
}

async function generate(check: boolean): Promise<void> {
  // Before modules that import it are loaded.
  if (!check) generatePrisma()
  const [{ errorCodes }, { schema }, { printedSchema }, sdk, registry, { files, unexampled }] = await Promise.all([
    import('./src/core/errors.ts'),
    import('./src/graphql/schema.ts'),
    import('./src/graphql/sdl.ts'),
    import('./sdk/codegen.ts'),
    import('./src/modules/iso20022/messages/registry.ts'),
    rest(),
  ])
  files.set('schema.graphql', printedSchema(schema))
  files.set('docs/error-codes.md', errorPage(errorCodes))
  files.set('src/core/evm-chains.json', await evmChains())
  const messages = [...registry.messages, ...registry.statementMessages]
  files.set('docs/messages.md', messagesPage(await readFile('docs/messages.md', 'utf8'), messages))
  const keys = keysOfGraphcache(schema)
  files.set('test/clients/dashboard/keys.ts', keys)
  files.set(
    'docs/graphql.md',
    (await readFile('docs/graphql.md', 'utf8')).replace(/(?<=<!-- keys\.ts -->\n```ts\n).*?(?=```)/s, () => keys),
  )
  for (const [path, content] of await sdk.generateSdk(
    files.get('rest/openapi.json') ?? '',
    files.get('rest/webhooks.json') ?? '',
    schema,
  ))
    files.set(path, content)
  for (const path of Object.keys(versions)) files.set(path, await versioned(path))
  const faults = [...unexampled]
  for (const [path, content] of files) {
    const present = await readFile(path, 'utf8').catch(() => null)
    if (present === content) continue
    if (check) {
      faults.push(`${path} has drifted: run npm run codegen`)
      continue
    }
    await write(path, content)
    console.log(`wrote ${path}`)
  }
  for (const fault of faults) console.log(fault)
  if (check && faults.length > 0) process.exit(1)
}

/** Returns what is generated from rest/*.graphql. Prints the mistakes in these files and exits when there are any. */
async function rest() {
  const [{ restSchema }, { generateRest, RestErrors }, { examplesForm }] = await Promise.all([
    import('./src/graphql/schema.ts'),
    import('./src/rest/codegen/generate.ts'),
    import('./src/rest/codegen/examples.ts'),
  ])
  const info = {
    version: packageJson.version,
    title: 'Quittance',
    description: await readFile('rest/info.md', 'utf8'),
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'The Quittance authors' },
  }
  const examples = examplesForm.parse(JSON.parse(await versioned('rest/examples.json')))
  try {
    return generateRest({ schema: restSchema, directory: 'rest', info, examples })
  } catch (error) {
    if (!(error instanceof RestErrors)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

async function versioned(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).replace(versions[path] ?? '', packageJson.version)
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

/**
 * Returns the names of EVM chains and their CAIP-2 ids: those that the file has already, because receipts may be stored
 * by them, and what viem and x402 have beside them. Names of several chains, and of chains for development, are left
 * out.
 */
async function evmChains(): Promise<string> {
  const [{ foldedChain }, chains, { EVM_NETWORK_CHAIN_ID_MAP: ofX402 }, kept] = await Promise.all([
    import('./src/core/identity.ts'),
    import('viem/chains'),
    import('@x402/evm/v1'),
    readFile('src/core/evm-chains.json', 'utf8').then(JSON.parse),
  ])
  const named = [
    ...Object.entries(chains).flatMap(([name, chain]) => [name, chain.name].map(each => [each, chain.id] as const)),
    ...Object.entries(ofX402),
  ]
  const inUse = named.filter(([, id]) => id !== 1337 && id !== 31337)
  const ids = Map.groupBy(inUse, ([name]) => foldedChain(name))
  const fresh = [...ids].flatMap(([name, all]) => {
    const [id, ...others] = new Set(all.map(([, each]) => each))
    const isUsable = id !== undefined && others.length === 0 && name !== 'mainnet'
    return isUsable ? [[name, `eip155:${id}`] as const] : []
  })
  const entries = Object.entries({ ...Object.fromEntries(fresh), ...kept }).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(entries), null, 1)}\n`
}

/** Returns the page of the codes that REST's `detail` and GraphQL's `extensions.code` share. */
function errorPage(codes: Record<string, { status: number; meaning: string }>): string {
  const byStatus = Object.entries(codes).sort(([, a], [, b]) => a.status - b.status)
  const rows = byStatus.map(([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`)
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

/** Returns code that names the types without an id, except those that graphcache knows by the end of their names. */
function keysOfGraphcache(schema: GraphQLSchema): string {
  const names = Object.values(schema.getTypeMap())
    .filter(type => isObjectType(type) && !type.getFields().id)
    .map(({ name }) => name)
    .filter(name => !/^(__.*|Query|Mutation|Subscription|PageInfo|.*(Connection|Edge))$/.test(name))
  const lines = names
    .sort()
    .join(' ')
    .match(/.{1,115}(?= |$)/g)
  return [
    '// The types without an id: their objects belong to the object in which they are.',
    'const embedded = `',
    ...(lines ?? []).map(line => `  ${line.trim()}`),
    '`',
    '',
    'export const keys = Object.fromEntries(embedded.match(/\\w+/g)?.map(name => [name, () => null]) ?? [])',
    '',
  ].join('\n')
}

/** Returns the page with its table of all messages. */
function messagesPage(page: string, messages: Pick<Message, 'version' | 'states' | 'afterAnchoring' | 'onRequest'>[]) {
  const rows = messages.map(({ version, states, afterAnchoring, onRequest }) => {
    const later = afterAnchoring && `after anchoring${afterAnchoring === 'if configured' ? ', if configured' : ''}`
    const made = [later, onRequest && 'on request'].filter(when => when !== undefined).join('; ')
    return `| ${version} | ${made || 'sealed in the bundle'} | ${states} |`
  })
  const table = ['| message | made | what it says |', '|---|---|---|', ...rows].join('\n')
  return page.replace(/(?<=<!-- messages: [^\n]* -->\n).*?(?=<!-- end -->)/s, () => `\n${table}\n\n`)
}
