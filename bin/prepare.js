// Runs after `npm ci` in a checkout, and makes the files that are not in the repository. npm also runs it when npx is
// asked for the command of the checkout it stands in, where nothing must change: a service's user may not write there,
// and others may be using the files. Plain JavaScript that Node 18 understands.
import { accessSync, constants } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

function isWritable() {
  try {
    accessSync(root, constants.W_OK)
    return true
  } catch {
    return false
  }
}

if (process.env.npm_command !== 'exec' && isWritable()) {
  process.argv.splice(2, process.argv.length, 'codegen.ts', '--install')
  await import('./start.js')
}
