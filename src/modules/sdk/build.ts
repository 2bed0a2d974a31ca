// Builds a client as a ZIP: handwritten files of `sdk/`, and files generated for the given base URL and operations.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LRUCache } from 'lru-cache'
import openapi from '../../../rest/openapi.json' with { type: 'json' }
import webhooks from '../../../rest/webhooks.json' with { type: 'json' }
import { sha256 } from '../../core/hash.ts'
import { perApp } from '../../kit/per-app.ts'
import type { ArtifactFile } from '../artifacts/read-file.ts'
import { writeZip } from '../evidence/zip.ts'
import { type Description, describe } from './description.ts'
import overGraphql from './graphql-operations.json' with { type: 'json' }
import { pythonOperations, pythonSettings } from './python-operations.ts'
import { pythonTypes } from './python-types.ts'
import { type Selection, select } from './select.ts'
import { operationsModule, settingsModule, typesModule } from './typescript.ts'

export type BuildOptions = Selection & {
  lang: 'ts' | 'python'
  /** Normalized, in ASCII. */
  baseUrl: string
  packaging: 'package' | 'sources'
}

type Files = Map<string, string>

/** URL of the service in the README files of `sdk/`. */
const exampleUrl = 'https://quittance.example'

const folders = { ts: sdkFolder('typescript'), python: sdkFolder('python') }

function sdkFolder(name: string): string {
  return fileURLToPath(new URL(`../../../sdk/${name}/`, import.meta.url))
}

/** Caches what this process read and built, because the document and the files do not change while it runs. */
const known = perApp(() => ({
  description: describe(openapi, webhooks, overGraphql),
  sources: new Map<BuildOptions['lang'], Files>(),
  built: new LRUCache<string, Promise<ArtifactFile>>({ max: 16 }),
}))

type App = Parameters<typeof known>[0]

export const descriptionOf = (app: App): Description => known(app).description

const nameOf = ({ lang, baseUrl, packaging, families, auth, includeX402 }: BuildOptions): string =>
  JSON.stringify([lang, baseUrl, packaging, families, auth, includeX402])

export const isBuilt = (app: App, options: BuildOptions): boolean => known(app).built.has(nameOf(options))

/** Returns the client; equal options return equal bytes. */
export function buildSdk(app: App, options: BuildOptions): Promise<ArtifactFile> {
  const { built } = known(app)
  const name = nameOf(options)
  const present = built.get(name)
  if (present !== undefined) return present
  const fresh = build(app, options)
  built.set(name, fresh)
  // A failed build is not cached: the next call tries again.
  fresh.catch(() => built.delete(name))
  return fresh
}

async function build(app: App, options: BuildOptions): Promise<ArtifactFile> {
  const { lang } = options
  const { description, sources } = known(app)
  const all = sources.get(lang) ?? (await read(folders[lang]))
  sources.set(lang, all)
  const selected = select(description, options)
  const files = lang === 'ts' ? typescriptFiles(all, selected, options) : pythonFiles(all, selected, options)
  files.set('README.md', readmeOf(all, options)).set('LICENSE', all.get('LICENSE') ?? '')
  const content = await writeZip([...files].map(([name, text]) => ({ name, bytes: Buffer.from(text, 'utf8') })))
  return { name: `quittance-client-${lang}.zip`, mediaType: 'application/zip', sha256: sha256(content), content }
}

function readmeOf(all: Files, { baseUrl, includeX402 }: BuildOptions): string {
  const whole = (all.get('README.md') ?? '').replaceAll(exampleUrl, () => baseUrl)
  return includeX402 ? whole : whole.replace(/\n## Paying[\s\S]*$/, '')
}

/** Files and folders that belong to a client; others in its folder, such as node_modules, are ignored. */
const ours = ['dist', 'src', 'README.md', 'LICENSE', 'package.json', 'pyproject.toml']

async function read(folder: string): Promise<Files> {
  const top = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => ours.includes(name))
  const inner = await Promise.all(
    top
      .filter(entry => entry.isDirectory())
      .map(({ name }) => readdir(join(folder, name), { recursive: true, withFileTypes: true })),
  )
  const paths = [...top, ...inner.flat()]
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
  const texts = paths.map(async path => [path.slice(folder.length), await readFile(path, 'utf8')] as const)
  return new Map(await Promise.all(texts))
}

const within = (files: Files, folder: string) => new Map([...files].filter(([name]) => name.startsWith(`${folder}/`)))

/** Folders, extensions and forms of the generated modules of a package. */
const packaged = [
  ['dist', 'js', 'js'],
  ['dist', 'd.ts', 'd.ts'],
  ['dist/cjs', 'js', 'cjs'],
  ['dist/cjs', 'd.ts', 'd.ts'],
] as const

function typescriptFiles(all: Files, selected: Description, { packaging, baseUrl, includeX402 }: BuildOptions): Files {
  const isPackage = packaging === 'package'
  const files = within(all, isPackage ? 'dist' : 'src')
  const types = typesModule(all.get('src/generated/types.ts') ?? '', new Set(selected.schemas.keys()))
  for (const [folder, extension, form] of isPackage ? packaged : ([['src', 'ts', 'ts']] as const)) {
    files.set(`${folder}/generated/operations.${extension}`, operationsModule(selected, form))
    files.set(`${folder}/generated/settings.${extension}`, settingsModule(baseUrl, form))
    if (extension !== 'js') files.set(`${folder}/generated/types.${extension}`, types)
  }
  if (isPackage) files.set('package.json', includeX402 ? (all.get('package.json') ?? '') : withoutPaying(all))
  if (!includeX402) for (const name of files.keys()) if (/\/paid-fetch\./.test(name)) files.delete(name)
  return files
}

function withoutPaying(all: Files): string {
  const { exports, typesVersions: _, ...rest } = JSON.parse(all.get('package.json') ?? '{}')
  return `${JSON.stringify({ ...rest, exports: { '.': exports['.'] } }, null, 2)}\n`
}

function pythonFiles(all: Files, selected: Description, { packaging, baseUrl }: BuildOptions): Files {
  const folder = 'src/quittance_client'
  const sources = [...within(all, folder)].filter(([name]) => /\.(py|typed)$/.test(name))
  const files = new Map(sources)
    .set(`${folder}/types.py`, pythonTypes(selected))
    .set(`${folder}/operations.py`, pythonOperations(selected, 'sync'))
    .set(`${folder}/async_operations.py`, pythonOperations(selected, 'async'))
    .set(`${folder}/settings.py`, pythonSettings(baseUrl))
  if (packaging === 'package') return files.set('pyproject.toml', all.get('pyproject.toml') ?? '')
  return new Map([...files].map(([name, text]) => [name.slice('src/'.length), text]))
}
