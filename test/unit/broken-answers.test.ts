// An answer that breaks off at its start or switches protocols fails the request and nothing else. A request that never
// ended would keep a semaphore slot for which others wait.
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boundedFetch } from '../../src/adapters/bounded-fetch.ts'
import { requestTo } from '../../src/adapters/node-request.ts'
import { createPublicFetch } from '../../src/adapters/public-fetch.ts'
import { createS3Store } from '../../src/adapters/s3-store.ts'

const hash = `0x${'12'.repeat(32)}`
const store = { bucket: 'b', region: 'r', accessKeyId: 'i', secretAccessKey: 's', isPathStyle: true, prefix: '' }

/** Each function rejects when it gets no answer. */
const clients: [string, (url: string) => Promise<unknown>][] = [
  ['the address that a stranger named', url => fetchPublic(url)],
  ['a node', url => request(url).send()],
  ['a model', url => boundedFetch({ maxBytes: 1_000, allowPrivate: true })(url).then(answer => answer.text())],
  ['an object store', endpoint => createS3Store({ ...store, endpoint: endpoint.replace(/\/$/, '') }).read(hash, 1)],
]

async function fetchPublic(url: string): Promise<void> {
  const answer = await createPublicFetch({ allowPrivate: true })(url, { maxBytes: 1_000, timeoutMs: 5_000 })
  if (answer === null) throw new Error('no answer')
}

function request(url: string) {
  const asked = requestTo(url)
  asked.body = '{}'
  return asked
}

describe.each([
  ['no chunk after its head', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n'],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'],
  ['nothing', ''],
])('%s', (_, answer) => {
  let server: Server
  beforeAll(async () => {
    server = createServer(socket => socket.on('error', () => undefined).once('data', () => socket.end(answer)))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void server.close())

  it.each(clients)('from %s fails the request', async (_, ask) => {
    const { port } = server.address() as AddressInfo
    await expect(ask(`http://127.0.0.1:${port}/`)).rejects.toThrow()
  })
})
