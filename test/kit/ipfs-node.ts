// Replaces an IPFS node: its HTTP server offers kubo's API and a gateway, and splits files into blocks with IPFS's own
// importer. It connects to no network.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importer } from 'ipfs-unixfs-importer'
import { fixedSize } from 'ipfs-unixfs-importer/chunker'
import type { CID } from 'multiformats/cid'

export const authorization = 'Bearer of the node'

export type IpfsNode = {
  url: string
  /** The root CIDs of the added files, one for each request. */
  added: string[]
  /** down: 500 · silent: no answer · other: answers with the CID of another file. */
  fault: 'none' | 'down' | 'silent' | 'other'
  /** Ends the open connections. */
  drop(): void
  stop(): Promise<void>
}

export async function startIpfsNode(): Promise<IpfsNode> {
  const blocks = new Map<string, Uint8Array>()
  const store = {
    async put(cid: CID, bytes: unknown) {
      if (!(bytes instanceof Uint8Array)) throw new Error('the importer gives whole blocks')
      blocks.set(cid.toString(), bytes)
      return cid
    },
  }

  async function add(request: IncomingMessage, options: URLSearchParams): Promise<string> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = { 'Content-Type': request.headers['content-type'] ?? '' }
    const file = (await new Response(Buffer.concat(chunks), { headers }).formData()).get('file')
    if (!(file instanceof File)) throw new Error('no file')
    const [, chunkSize] = /^size-(\d+)$/.exec(options.get('chunker') ?? 'size-262144') ?? []
    const how = {
      cidVersion: options.get('cid-version') === '1' ? (1 as const) : (0 as const),
      rawLeaves: options.get('raw-leaves') === 'true',
      chunker: fixedSize({ chunkSize: Number(chunkSize) }),
      reduceSingleLeafToSelf: true,
    }
    let root = ''
    for await (const { cid } of importer([{ content: await file.bytes() }], store, how)) root = cid.toString()
    return root
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://node')
    if (request.method === 'GET') {
      const block = blocks.get(pathname.split('/')[2] ?? '')
      return void response.writeHead(block === undefined ? 404 : 200).end(block)
    }
    if (node.fault === 'silent') return
    if (node.fault === 'down') return void response.writeHead(500).end()
    if (request.headers.authorization !== authorization) return void response.writeHead(403).end()
    if (pathname === '/api/v0/version') return void response.end('{}')
    const root = await add(request, searchParams)
    node.added.push(root)
    const Hash = node.fault === 'other' ? root.replace(/.$/, last => (last === 'a' ? 'b' : 'a')) : root
    response.end(`${JSON.stringify({ Name: root, Hash, Size: '0' })}\n`)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(500).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const node: IpfsNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    added: [],
    fault: 'none',
    drop: () => server.closeAllConnections(),
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return node
}
