// Makes a server listen, and says in one sentence why it cannot.
import { once } from 'node:events'
import type { Server } from 'node:http'
import { StartError } from '../embedded/start-error.ts'

export type Place = {
  host: string
  port: number
  /** The name of the port's setting. */
  setting: string
}

/** Returns the port at which the server listens, which the system chooses for port 0. */
export async function listenAt(server: Server, { host, port, setting }: Place): Promise<number> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} on ${host} is in use: stop what uses it, or set ${setting} to another.`)
    if (code === 'EACCES')
      throw new StartError(`Port ${port} may not be used by this user: set ${setting} to one above 1023.`)
    throw error
  }
  const address = server.address()
  return address === null || typeof address === 'string' ? port : address.port
}
