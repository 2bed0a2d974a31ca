// A node's answer that breaks off as it begins is no answer, and ends nothing else.
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { requestTo } from '../../src/adapters/node-request.ts'

it.each([
  ['no chunk after its head', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n'],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'],
  ['nothing', ''],
])('a node that answers with %s has not answered', async (_, answer) => {
  const server = createServer(socket => socket.on('error', () => undefined).once('data', () => socket.end(answer)))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const request = requestTo(`http://127.0.0.1:${port}/`)
    request.body = '{}'
    await expect(request.send()).rejects.toThrow()
  } finally {
    server.close()
  }
})
