// npm runs this as `prepare`: it writes what is not in the repository, after an installation. npm runs `prepare` also
// for `npm exec` and `npm pack` in this folder, when nothing may be written: a service may run from it, and its user
// often cannot write. Plain JavaScript that Node 18 understands.
import { accessSync, constants } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isNewEnough, startAgain } from './node.js'

const root = fileURLToPath(new URL('../', import.meta.url))

// Older versions of npm do not say which command runs; by hand it is `run`.
const isInstallation = [undefined, 'ci', 'install', 'install-ci-test', 'install-test', 'run', 'run-script'].includes(
  process.env.npm_command,
)

if (!isInstallation) console.log('Not prepared: this is no installation.')
else if (!isWritable()) console.log(`Not prepared: ${root} cannot be written.`)
else if (isNewEnough) await import('../codegen.ts')
else startAgain()

function isWritable() {
  try {
    accessSync(root, constants.W_OK)
    return true
  } catch {
    return false
  }
}
