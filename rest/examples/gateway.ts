// An IPFS gateway on loopback that serves the blocks it was given: the service has no other gateway in this run.
import { createServer } from 'node:http'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'

export type Gateway = {
  url: string
  /** Stores the bytes as one block, and returns their CID. */
  keep(bytes: Uint8Array): Promise<string>
  stop(): void
}

export async function startGateway(): Promise<Gateway> {
  const blocks = new Map<string, Uint8Array>()
  const server = createServer((request, response) => {
    const block = blocks.get(new URL(request.url ?? '/', 'http://gateway').pathname.split('/')[2] ?? '')
    response.writeHead(block === undefined ? 404 : 200).end(block)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the gateway does not listen')
  return {
    url: `http://127.0.0.1:${address.port}`,
    keep: async bytes => {
      const id = CID.createV1(raw.code, await sha256.digest(bytes)).toString()
      blocks.set(id, bytes)
      return id
    },
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
