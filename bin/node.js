// Finds the Node that runs TypeScript: the one that runs this process, or that of the npm package `node`. Plain
// JavaScript that Node 18 understands.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// graphile-worker looks for settings in the home of its user, and Node throws where there is none: users that systemd
// or a container makes have no entry in passwd.
try {
  homedir()
} catch {
  process.env.HOME = '/nonexistent'
}

export const isNewEnough = Number(process.versions.node.split('.')[0]) >= 24

/** Starts this process's program again, on the Node of the npm package. */
export function startAgain() {
  const node = installedNode()
  if (node === null) {
    console.error(
      `Quittance needs Node 24, and this is ${process.version}: install Node 24. (A checkout after npm ci has it as the npm package "node", unless development packages are left out.)`,
    )
    process.exitCode = 2
    return
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    console.error(`Node 24 could not be started: ${error.message}`)
    process.exitCode = 2
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    // The parent process must see the same end.
    for (const one of signals) process.removeAllListeners(one)
    process.kill(process.pid, signal)
  })
}

function installedNode() {
  try {
    const folder = join(createRequire(import.meta.url).resolve('node/package.json'), '..', 'bin')
    const file = ['node', 'node.exe'].map(name => join(folder, name)).find(existsSync)
    // One that is too old itself would start itself for ever.
    return file === undefined || realpathSync(file) === realpathSync(process.execPath) ? null : file
  } catch {
    return null
  }
}
