// Rules of this project for `npm run check`. Prints each violation.
import { globSync, readFileSync } from 'node:fs'
import { faultsOf, lineOf } from './prisma/expanding.ts'
import { migrations } from './src/adapters/migrations.ts'
import { variables } from './src/env.ts'

const sources = globSync(['src/**/*.ts', 'prisma/**/*.sql'], { exclude: ['src/generated/**'] }).sort()

// `for update` also blocks rows that refer to the locked row (docs/decisions/0021-events-and-webhooks.md).
const locks = sources
  .filter(path => /\bfor\s+update\b/i.test(readFileSync(path, 'utf8')))
  .map(path => `${path} locks rows \`for update\`: use \`for no key update\``)

const example = readFileSync('.env.example', 'utf8')
const settings = Object.keys(variables.shape)
  .filter(name => !RegExp(`^#?${name}=`, 'm').test(example))
  .map(name => `.env.example has no line for ${name}`)

// The formatter does not wrap comments.
const written = globSync(['*.{js,ts}', '{bench,bin,demo,prisma,rest,src,test}/**/*.{js,ts}'], {
  exclude: ['**/node_modules/**', '**/generated/**', 'src/api-pages/dist/**'],
})
const longComments = written.sort().flatMap(path =>
  readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      line.length > 120 && /^\s*(\/\/|\/?\*)/.test(line)
        ? [`${path}:${index + 1} has a comment of more than 120 columns`]
        : [],
    ),
)

// Such a comment has no subject and verb of its own. A line after another comment line does not begin a comment.
const opening = /(?<!^[ \t]*\/\/.*\n)^[ \t]*(?:\/\/|\/\*\*?(?:\n[ \t]*\*)?) (What|Of|Where|Who|Whose|Nor|Which)\b/gm
const openings = written.flatMap(path =>
  Array.from(
    readFileSync(path, 'utf8').matchAll(opening),
    ([, word]) => `${path} has a comment that begins with ${word}`,
  ),
)

// A released migration is never edited or removed: databases have applied it, and programs compare its checksum.
const released = readFileSync('prisma/released.txt', 'utf8').trim().split('\n')
const inFolders = await migrations()
const lines = inFolders.map(lineOf)
const changed = released
  .filter(line => !lines.includes(line))
  .map(
    line => `The released migration ${line.split(' ')[0]} was changed or removed: prisma/released.txt has its checksum`,
  )
const fresh = inFolders.filter(migration => !released.includes(lineOf(migration)))
const unfit = (await Promise.all(fresh.map(faultsOf))).flat()

const violations = [...changed, ...unfit, ...locks, ...settings, ...longComments, ...openings]
for (const violation of violations) console.log(violation)
if (violations.length > 0) process.exit(1)
