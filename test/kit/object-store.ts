// An S3 server that checks signatures and keeps its objects in a folder, behind a TCP proxy that can be made to fail.
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

/** down: connections are closed · silent: no answer · cut: an answer ends early · changed: its last byte differs. */
type Fault = 'none' | 'down' | 'silent' | 'cut' | 'changed'

export type ObjectStore = {
  /** The settings with which a service uses this store. */
  settings: Record<string, string>
  setFault(fault: Fault): void
  /** The SHA-256, 0x-prefixed, of each object under the configured prefix. */
  names(): Promise<string[]>
  /** The path of the file that contains an object. */
  fileOf(sha256: string): string
  stop(): Promise<void>
}

const bucket = 'evidence'
const prefix = 'quittance/test'
const ending = '._S3rver_object'

export async function startObjectStore(): Promise<ObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), 'quittance-objects-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  const wire = await startWire(port)
  const folder = join(directory, bucket, prefix)
  return {
    settings: {
      S3_ENDPOINT: wire.url,
      S3_BUCKET: bucket,
      S3_PREFIX: prefix,
      // The only credentials that s3rver accepts.
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    setFault: wire.setFault,
    async names() {
      const files = await readdir(folder)
      return files.filter(file => file.endsWith(ending)).map(file => `0x${file.slice(0, -ending.length)}`)
    },
    fileOf: sha256 => join(folder, sha256.slice(2) + ending),
    async stop() {
      await wire.stop()
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function startWire(port: number) {
  let fault: Fault = 'none'
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.setNoDelay(true).on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  }
  const wire = createServer(client => {
    if (fault === 'down') return void client.destroy()
    const behind = connect(port, '127.0.0.1')
    for (const socket of [client, behind]) keep(socket)
    client.once('close', () => behind.destroy())
    behind.once('close', () => client.destroy())
    client.on('data', chunk => void behind.write(chunk))
    behind.on('data', chunk => {
      if (fault === 'silent') return
      if (fault === 'changed') chunk[chunk.length - 1] = (chunk[chunk.length - 1] ?? 0) ^ 1
      client.write(fault === 'cut' ? chunk.subarray(0, -1) : chunk)
      if (fault === 'cut') client.end()
    })
  }).listen(0, '127.0.0.1')
  await once(wire, 'listening')
  return {
    url: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`,
    setFault(next: Fault) {
      fault = next
      if (next === 'down') for (const socket of sockets) socket.destroy()
    },
    async stop() {
      const closed = once(wire, 'close')
      wire.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
