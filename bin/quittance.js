#!/usr/bin/env node
// The command line: finds a Node that runs TypeScript, and hands over to src/cli/<command>.ts. Plain JavaScript,
// because whatever Node a machine has starts it.
import { readFileSync } from 'node:fs'
// As a whole: older versions lack the names used below, and would refuse to start.
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { isNewEnough, startAgain } from './node.js'

const commands = {
  start: 'Start the service, as npm start does.',
  migrate: 'Make or change the tables of the database, and grant the service’s role its rights.',
  verify: 'Check an evidence bundle against its keys, and its anchor against nodes you trust.',
  settings: 'Print the settings in force and where each comes from, without secrets.',
  doctor: 'Check the settings and everything they name, and say what to fix.',
  audit: 'Recompute the hash chains of the audit trail and report which are intact.',
  'move-files': 'Move the bytes of files into the object store, or back into the database.',
  erasures: 'List the receipts that were erased, and erase them again in a restored backup.',
  'export-project': 'Write a project with all its evidence into a folder, to read it or to move it.',
  'import-project': 'Add a project from such a folder to the database, and verify it.',
  import: 'Record the payments of a CSV file in a running service.',
  demo: 'Start everything in a temporary folder, record a payment and verify it. For development.',
  deploy: 'Put the anchor contract on a chain, once.',
  listen: 'Follow the events of a project, and send them to an address as webhooks. For development.',
  trigger: 'Make an event happen on a local chain. For development.',
}
const usage = `usage: quittance <command> [options]

${Object.entries(commands)
  .map(([name, does]) => `  ${name.padEnd(14)}  ${does}`)
  .join('\n')}

quittance <command> --help says more.`

const root = new URL('../', import.meta.url)
const [command, ...args] = process.argv.slice(2)

// First, so that an old Node says what is needed whatever the command is.
if (!isNewEnough) startAgain()
else if (command === '--version') console.log(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).version)
else if (command === '--help' || command === 'help') console.log(usage)
else if (!Object.hasOwn(commands, command ?? '')) {
  console.error(command === undefined ? usage : `There is no command ${command}.\n\n${usage}`)
  process.exitCode = 2
} else {
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
