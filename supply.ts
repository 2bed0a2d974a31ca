// Checks the packages that production runs, those that the pages contain among them: `npm run supply`. Exits 1 when a
// licence is not among those below or `npm audit` reports a vulnerability, and 2 when the registry answers no audit.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'

// MPL-2.0 asks for the sources of its own files alone, and npm installs them unchanged (0073).
const allowed = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause ISC MIT MPL-2.0 Python-2.0 Unlicense Zlib'.split(' '),
)

type Locked = { version?: string; license?: string; dev?: boolean; devOptional?: boolean; link?: boolean }
const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const installed = Object.entries(lock.packages)
  .filter(([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link)
  .map(([path, { version, license = 'none' }]) => [`${path.replace(/.*node_modules\//, '')} ${version}`, license])
// The bundler writes these lists.
const bundled = globSync('src/api-pages/dist/*.licenses.md').flatMap(path =>
  [...readFileSync(path, 'utf8').matchAll(/^## (\S+) - (\S+) \((.+)\)$/gm)].map(
    ([, name, version, license = 'none']) => [`${name} ${version}`, license],
  ),
)

/** Reads an SPDX expression without nested parentheses. */
const isAllowed = (license: string) =>
  license
    .replace(/[()]/g, '')
    .split(' OR ')
    .some(choice => choice.split(' AND ').every(part => allowed.has(part)))

const packages = new Map([...installed, ...bundled].map(([name = '', license = '']) => [name, license]))
const refused = [...packages].filter(([, license]) => !isAllowed(license))
for (const [license, names] of Map.groupBy(packages.keys(), name => packages.get(name)))
  console.log(`${String(names.length).padStart(4)} ${license}`)
for (const [name, license] of refused)
  console.log(`${name} has the licence ${license}, which supply.ts does not allow.`)

const { status, stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--omit=optional'], { encoding: 'utf8' })
const isUnanswered = /audit endpoint returned an error/.test(stderr)
console.log(isUnanswered ? 'The registry has no audit: nothing is known of vulnerabilities.' : stdout + stderr)
process.exit(refused.length > 0 || (status !== 0 && !isUnanswered) ? 1 : isUnanswered ? 2 : 0)
