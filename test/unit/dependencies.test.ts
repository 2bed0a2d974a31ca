// A package in the tree is the one that its name says: another one under that name would be a hole in the supply chain.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** Redocly publishes its package with this alias for its own copy of ajv. */
const known = ['node_modules/@redocly/openapi-core/node_modules/ajv']

it('no package.json asks for a package under another name, or for a folder or an address', () => {
  const specifiers = (part: unknown): string[] =>
    typeof part === 'string' ? [part] : Object.values(part ?? {}).flatMap(specifiers)
  const workspaces: string[] = read('package.json').workspaces
  for (const path of globSync(['package.json', ...workspaces.map(each => `${each}/package.json`)], { cwd: root })) {
    const { dependencies, devDependencies, optionalDependencies, overrides } = read(path)
    const all = specifiers({ dependencies, devDependencies, optionalDependencies, overrides })
    expect(all.filter(each => !/^(\d+\.\d+\.\d+(-[\w.]+)?|\$[\w@/-]+)$/.test(each), path)).toEqual([])
  }
})

it('the lock file has each package under its own name', () => {
  const { packages } = read('package-lock.json')
  const workspaces: string[] = read('package.json').workspaces
  const others = Object.entries<{ name?: string; link?: boolean; resolved?: string }>(packages).filter(
    ([path, { name, link, resolved = '' }]) =>
      path.includes('node_modules/') &&
      ((name !== undefined && name !== path.replace(/.*node_modules\//, '')) ||
        (link && !workspaces.includes(resolved))),
  )
  expect(others.map(([path]) => path)).toEqual(known)
})
