// A dashboard as another team would write it, with the code that its tools generate from the schema of a service.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { clients, type Ran, run } from './clients.ts'
import { type Service, startService } from './service.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

export type Dashboard = AsyncDisposable & {
  service: Service
  /** An API key of the project that the dashboard shows. */
  key: string
  folder: string
  /** Runs Node in the folder; `payment` is for programs that record one. */
  node(args: string[], payment?: object): Promise<Ran>
  /** Starts a program and returns the lines that it prints. */
  lines(program: string, ...args: string[]): AsyncIterator<string>
  /** Returns what a program prints. It must print nothing else, and no errors. */
  printed(args: string[], payment?: object): Promise<unknown>
}

export async function startDashboard(): Promise<Dashboard> {
  const service = await startService({ ROLES: 'api' })
  const { key } = await service.api.project()
  const parent = await mkdtemp(join(tmpdir(), 'quittance-dashboard-'))
  const folder = join(parent, 'dashboard')
  await cp(join(clients, 'dashboard'), folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await symlink(modules, join(parent, 'node_modules'))
  await symlink(join(clients, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'schema.graphql'), (await service.api.call('GET', '/graphql/schema.graphql')).text)

  const start = (command: string[], more: Record<string, string>) =>
    spawn(process.execPath, command, {
      cwd: folder,
      env: { ...process.env, QUITTANCE_URL: service.base, ...more },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const site = start(['site.ts'], { QUITTANCE_KEY: key })
  const [address] = await once(createInterface(site.stdout), 'line')
  const SITE_URL = `http://127.0.0.1:${JSON.parse(address).port}`

  const node = (args: string[], payment = {}) =>
    run(process.execPath, args, { QUITTANCE_URL: service.base, SITE_URL, PAYMENT: JSON.stringify(payment) }, folder)
  return {
    service,
    key,
    folder,
    node,
    lines: (...command) => createInterface(start(command, { SITE_URL }).stdout)[Symbol.asyncIterator](),
    async printed(args, payment) {
      const { code, stdout, stderr } = await node(args, payment)
      expect([code, stderr]).toEqual([0, ''])
      return JSON.parse(stdout)
    },
    async [Symbol.asyncDispose]() {
      site.kill()
      await service.stop()
      await rm(parent, { recursive: true, force: true })
    },
  }
}
