// Shared by the embedded servers: recognising our own servers of earlier runs, free ports, the last lines of logs, and
// the end of a process whose server cannot be started again.
import { once } from 'node:events'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Logger } from 'pino'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/**
 * Returns whether the process is alive and has this working folder, as both servers do. A process id alone proves
 * little: after a restart of a container, another process has it. Where the system does not report the folder, a live
 * process is accepted.
 */
export async function runsIn(pid: number, folder: string): Promise<boolean> {
  if (!exists(pid)) return false
  if (process.platform !== 'linux') return true
  try {
    // Linux names a removed folder like this.
    const place = folder.endsWith(' (deleted)') ? folder : await realpath(folder)
    return (await readlink(`/proc/${pid}/cwd`)) === place
  } catch (error) {
    return codeOf(error) === 'EACCES'
  }
}

/** Returns `preferred` when it is free, else any free port of the loopback interface. */
export async function freePort(preferred = 0): Promise<number> {
  const server = createServer().listen(preferred, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if (preferred === 0) throw error
    return freePort()
  }
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export async function lastLines(file: string, count = 5): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trim().split('\n').slice(-count).join('\n')
}

/** Ends this process, because it can do nothing without its server. */
export function endWithout(server: string, error: unknown, log: Pick<Logger, 'error'>): never {
  log.error({ err: error }, `the embedded ${server} cannot be started again`)
  process.exit(1)
}
