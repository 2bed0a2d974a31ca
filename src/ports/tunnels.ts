// The port of connections between the processes of a service, for requests that another process has to answer.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

export type Tunnels = {
  /** The id of this process: eight hex digits. */
  readonly processId: string
  /**
   * Opens a connection to the HTTP server of another process, in the name of the client with this address. Resolves to
   * null where that process does not run or does not answer; it has then read nothing.
   */
  connect(processId: string, clientAddress: string): Promise<Duplex | null>
}

/** Marks the end of a tunnel, which is a socket to the HTTP server. */
export const tunnelled = Symbol('tunnelled')

/** Whether another process sent this request, which has charged its caller for it. */
export const isRelayed = ({ socket }: IncomingMessage): boolean => tunnelled in socket
