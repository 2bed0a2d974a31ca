// Runs all checks of the sources that need no database: format, lint, types, import rules, drift of generated files,
// rules of this project and of the schema, changes that break clients, unused code.
import { spawn } from 'node:child_process'

const commands: Record<string, string[]> = {
  biome: ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '--colors=off', '--max-diagnostics=50'],
  types: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'],
  imports: [
    ...['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', '--config', '.dependency-cruiser.mjs'],
    ...['src', 'rest', 'sdk', 'bench'],
  ],
  codegen: ['codegen.ts', '--check'],
  rules: ['rules.ts'],
  'breaking changes': ['breaking.ts'],
  schema: ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', 'schema.graphql'],
  unused: ['node_modules/knip/bin/knip.js'],
  'used only by tests': ['node_modules/knip/bin/knip.js', '--production'],
}

type Outcome = { name: string; ok: boolean; output: string; seconds: string }

function run([name, args]: [string, string[]]): Promise<Outcome> {
  const started = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  return new Promise(resolve =>
    child.on('close', code => {
      resolve({
        name,
        ok: code === 0 && sane(name, output),
        output,
        seconds: ((performance.now() - started) / 1000).toFixed(1),
      })
    }),
  )
}

// Without a parser for this TypeScript, dependency-cruiser would find no imports and therefore no violations.
const sane = (name: string, output: string) =>
  name !== 'imports' || Number(/(\d+) dependencies cruised/.exec(output)?.[1] ?? 0) > 200

const outcomes = await Promise.all(Object.entries(commands).map(run))
for (const { name, ok, output, seconds } of outcomes) {
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (!ok) console.log(output)
}
process.exit(outcomes.every(outcome => outcome.ok) ? 0 : 1)
