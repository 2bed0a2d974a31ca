// A database that is gone leaves few lines in each role, all of them JSON, and a line that says when it is back.
// OUTAGE_SECONDS=60 measures a longer outage.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect } from 'vitest'
import { account, startAnvil } from '../kit/anvil.ts'
import { apiSettings, type Child, startChild } from '../kit/child.ts'
import { linesOf } from '../kit/log-lines.ts'
import { apiOf, freshDatabase } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

const seconds = Number(process.env.OUTAGE_SECONDS ?? 8)
const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** A way to the database that can be closed. */
async function startWay(databaseUrl: string) {
  const { port, hostname } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createServer(client => {
    if (!isOpen) return void client.destroy()
    const behind = connect(Number(port), hostname)
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {}).once('close', () => other.destroy())
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.toString(),
    close() {
      isOpen = false
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    open() {
      isOpen = true
    },
    stop: () => new Promise(resolve => server.close(resolve)),
  }
}

it(`a database that is gone for ${seconds} seconds, with an API and a worker under requests`, async () => {
  const anvil = await startAnvil(31_337)
  closers.push(anvil.stop)
  const way = await startWay(await freshDatabase())
  closers.push(way.stop)
  const folder = await mkdtemp(join(tmpdir(), 'quittance-outage-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const settings = { ...apiSettings(way.url, folder, anvil), FX_ECB_URL: 'off', REQUEST_LOG: 'off' }
  const children: Child[] = []
  for (const ROLES of ['api', 'worker'])
    children.push(await startChild({ ...settings, ROLES, ANCHOR_PRIVATE_KEY: account(1).privateKey }))
  closers.push(async () => Promise.all(children.map(child => child.end('SIGKILL'))))
  const [api, worker] = children
  if (!api || !worker) throw new Error('not started')
  const { project, record } = apiOf(api.url())
  const { key } = await project()
  const before = children.map(child => linesOf(child.said()).length)
  way.close()
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await sleep(100)) await record(key)
  way.open()
  const since = (child: Child, index: number) => linesOf(child.said()).slice(before[index])
  for (const [index, child] of children.entries()) {
    await expect.poll(() => since(child, index).map(({ msg }) => msg)).toContain('an outage is over')
    const lines = since(child, index)
    expect(lines.length).toBeLessThanOrEqual(8 + 2 * Math.ceil(seconds / 60))
    for (const line of lines) expect(line).toMatchObject({ level: expect.any(Number), hostname: expect.any(String) })
  }
  await expect.poll(async () => (await record(key)).status).toBe(200)
})
