// Clients in several languages, as generators make them from the OpenAPI document that a service serves: each compiles,
// records a receipt, reads it, finds it in the list, and is told that another one is absent. The generators come from
// their registries, and only with FETCH_PACKAGES=1.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clients, run } from '../kit/clients.ts'
import { javaPackages, Unavailable } from '../kit/readers/install.ts'
import { mayFetch } from '../kit/readers/may-fetch.ts'
import { type Service, startService, tipOf } from '../kit/service.ts'

const generatorJar = {
  'org/openapitools/openapi-generator-cli/7.23.0/openapi-generator-cli-7.23.0.jar':
    'cb087e40001e31eb08ef6140dd5de10938dbeb89016a1fe0481eaa25cd569026',
}
const javaJars = {
  'com/fasterxml/jackson/core/jackson-annotations/2.17.1/jackson-annotations-2.17.1.jar':
    'fccad82e13172c0e4384db71577219c9b8631c0820f4b18daaa57016fb661c76',
  'com/fasterxml/jackson/core/jackson-core/2.17.1/jackson-core-2.17.1.jar':
    'ddb26c8a1f1a84535e8213c48b35b253370434e3287b3cf15777856fc4e58ce6',
  'com/fasterxml/jackson/core/jackson-databind/2.17.1/jackson-databind-2.17.1.jar':
    'b6ca2f7d5b1ab245cec5495ec339773d2d90554c48592590673fb18f4400a948',
  'com/fasterxml/jackson/datatype/jackson-datatype-jsr310/2.17.1/jackson-datatype-jsr310-2.17.1.jar':
    '56765d55ac8cffdd757c1a534ec965e70b01176f64dfd7e70b0db34d8babc9fa',
  'com/google/code/findbugs/jsr305/3.0.2/jsr305-3.0.2.jar':
    '766ad2a0783f2687962c8ad74ceecc38a28b9f72a2d085ee438b7813e928d0c7',
  'jakarta/annotation/jakarta.annotation-api/2.1.1/jakarta.annotation-api-2.1.1.jar':
    '5f65fdaf424eee2b55e1d882ba9bb376be93fb09b37b808be6e22e8851c909fe',
  'org/apache/httpcomponents/httpcore/4.4.16/httpcore-4.4.16.jar':
    '6c9b3dd142a09dc468e23ad39aad6f75a0f2b85125104469f026e52a474e464f',
  'org/apache/httpcomponents/httpmime/4.5.14/httpmime-4.5.14.jar':
    'd401243d5c6eae928a37121b6e819158c8c32ea0584793e7285bb489ab2a3d17',
}
const programs = join(clients, 'programs', 'generated')

let service: Service
let key: string
let root: string
beforeAll(async () => {
  if (!mayFetch) return
  service = await startService()
  key = (await service.api.project()).key
  root = mkdtempSync(join(tmpdir(), 'quittance-generated-'))
  writeFileSync(join(root, 'openapi.json'), (await service.api.call('GET', '/openapi.json')).text)
})
afterAll(async () => {
  await service?.stop()
  if (root) rmSync(root, { recursive: true, force: true })
})

const has = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Runs a command in a folder; throws `Unavailable` when what it fetches is not to be had. */
async function fetching(folder: string, command: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await run(command, args, {}, folder)
  if (code !== 0) throw new Unavailable(stderr)
}

async function making(folder: string, command: string, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await run(command, args, {}, folder)
  if (code !== 0) expect.fail(`${command} ${args.join(' ')}: ${stderr}${stdout}`)
}

function compiling(folder: string, ...options: string[]): Promise<void> {
  const packages = join(process.cwd(), 'node_modules')
  const types = ['--types', 'node', '--typeRoots', join(packages, '@types'), '--ignoreConfig', '--skipLibCheck']
  return making(folder, join(packages, '.bin', 'tsc'), ...types, ...options)
}

/** Generates a client with openapi-generator into `into`. */
async function generated(folder: string, language: string, into: string, properties: string): Promise<void> {
  const path = join(await javaPackages(generatorJar), '*')
  const options = ['-g', language, '-i', '../openapi.json', '-o', into, `--additional-properties=${properties}`]
  await making(folder, 'java', '-cp', path, 'org.openapitools.codegen.OpenAPIGenerator', 'generate', ...options)
}

const program = (name: string, folder: string, as = name) => copyFileSync(join(programs, name), join(folder, as))

type Command = [command: string, ...args: string[]]

const generators: Record<string, { needs: Command[]; make(folder: string): Promise<Command> }> = {
  'openapi-generator for Python': {
    needs: [
      ['java', '-version'],
      ['python3', '-c', 'import venv, ensurepip'],
    ],
    async make(folder) {
      await generated(folder, 'python', '.', 'packageName=quittance')
      const python = join(folder, 'venv', 'bin', 'python')
      await making(folder, 'python3', '-m', 'venv', 'venv')
      await fetching(folder, python, '-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt')
      await making(folder, python, '-m', 'compileall', '-q', 'quittance')
      program('openapi_generator.py', folder)
      return [python, 'openapi_generator.py']
    },
  },
  'openapi-generator for Go': {
    needs: [
      ['java', '-version'],
      ['go', 'version'],
    ],
    async make(folder) {
      await generated(folder, 'go', 'quittance', 'packageName=quittance,withGoMod=false')
      rmSync(join(folder, 'quittance', 'test'), { recursive: true, force: true })
      program('openapi_generator.go', folder, 'main.go')
      await making(folder, 'go', 'mod', 'init', 'example.test/use')
      await fetching(folder, 'go', 'mod', 'tidy')
      await making(folder, 'go', 'build', '-o', 'use', '.')
      return [join(folder, 'use')]
    },
  },
  'openapi-generator for Java': {
    needs: [
      ['java', '-version'],
      ['javac', '-version'],
    ],
    async make(folder) {
      const names = ['apiPackage=quittance.api', 'modelPackage=quittance.model', 'invokerPackage=quittance']
      const properties = ['library=native', 'openApiNullable=false', 'useJakartaEe=true', ...names]
      await generated(folder, 'java', 'client', properties.join(','))
      const path = `${join(await javaPackages(javaJars), '*')}:classes`
      program('Use.java', folder)
      const sources = 'client/src/main/java'
      await making(folder, 'javac', '-nowarn', '-cp', path, '-sourcepath', sources, '-d', 'classes', 'Use.java')
      return ['java', '-cp', path, 'Use']
    },
  },
  'openapi-generator for typescript-fetch': {
    needs: [['java', '-version']],
    async make(folder) {
      await generated(folder, 'typescript-fetch', 'quittance', 'supportsES6=true')
      program('openapi-generator.ts', folder)
      // As the project that the generator makes for it: the generated code is not strict.
      const options = ['--strict', 'false', '--target', 'es2022', '--module', 'commonjs']
      await compiling(folder, ...options, '--outDir', 'js', 'openapi-generator.ts')
      writeFileSync(join(folder, 'js', 'package.json'), '{"type":"commonjs"}')
      return [process.execPath, 'js/openapi-generator.js']
    },
  },
  'oapi-codegen and kin-openapi': {
    needs: [['go', 'version']],
    async make(folder) {
      const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
      const options = ['-generate', 'types,client', '-package', 'quittance', '-o', 'quittance/api.go']
      mkdirSync(join(folder, 'quittance'))
      copyFileSync(join(root, 'openapi.json'), join(folder, 'openapi.json'))
      await fetching(folder, 'go', 'run', generator, '-version')
      await making(folder, 'go', 'run', generator, ...options, 'openapi.json')
      program('oapi_codegen.go', folder, 'main.go')
      await making(folder, 'go', 'mod', 'init', 'example.test/use')
      await fetching(folder, 'go', 'mod', 'tidy')
      await making(folder, 'go', 'build', '-o', 'use', '.')
      return [join(folder, 'use')]
    },
  },
  orval: {
    needs: [],
    async make(folder) {
      writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
      await fetching(folder, 'npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', 'orval@8.38.0')
      const output = { target: './client.ts', client: 'fetch', baseUrl: service.base }
      const config = { quittance: { input: '../openapi.json', output } }
      writeFileSync(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)}`)
      await making(folder, 'npx', 'orval', '--config', 'orval.config.mjs')
      renameSync(join(folder, 'client.ts'), join(folder, 'quittance.ts'))
      program('orval.ts', folder)
      const options = [
        '--strict',
        '--noEmit',
        '--target',
        'es2022',
        '--module',
        'nodenext',
        '--allowImportingTsExtensions',
      ]
      await compiling(folder, ...options, 'orval.ts')
      return [process.execPath, 'orval.ts']
    },
  },
}

for (const [name, { needs, make }] of Object.entries(generators))
  it(`${name} makes a client that compiles and is answered`, async ({ skip }) => {
    if (!mayFetch) return skip('FETCH_PACKAGES=1 fetches the generator')
    const missing = needs.find(([command, ...args]) => !has(command, ...args))
    if (missing) return skip(`there is no ${missing.join(' ')} here`)
    const folder = mkdtempSync(join(root, 'client-'))
    const made = await make(folder).catch((error: unknown) => {
      if (error instanceof Unavailable) return null
      throw error
    })
    if (made === null) return skip('a registry did not give what the client needs')
    const [command, ...args] = made
    const told = { BASE: service.base, KEY: key, TIP: JSON.stringify(tipOf()), ABSENT: randomUUID() }
    const { code, stdout, stderr } = await run(command, args, told, folder)
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({ read: true, listed: [[true, '12.5']], absent: 404 })
  }, 600_000)
