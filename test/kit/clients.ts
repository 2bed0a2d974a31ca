// Starts a service and checks what programs with generated clients do with it.
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { z } from 'zod'
import { type Service, startService, tipOf } from './service.ts'

export const clients = fileURLToPath(new URL('../clients/', import.meta.url))

export type Ran = { code: number | null; stdout: string; stderr: string }

export async function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}, cwd?: string): Promise<Ran> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

const outcome = z.strictObject({
  bundle_hash: z.string(),
  listed: z.unknown(),
  verified: z.unknown(),
  zip: z.base64(),
  audit: z.unknown(),
  issues: z.unknown(),
  absent: z.unknown(),
})

export type ClientWorld = AsyncDisposable & {
  service: Service
  /** The folder with openapi.json, as the service serves it. */
  folder: string
  /** Runs a program and expects the results that every client must be able to produce. */
  expectAll(command: string, args: string[], env?: NodeJS.ProcessEnv): Promise<void>
}

export async function clientWorld(): Promise<ClientWorld> {
  const service = await startService()
  const { key } = await service.api.project()
  const folder = await mkdtemp(join(tmpdir(), 'quittance-clients-'))
  await writeFile(join(folder, 'openapi.json'), (await service.api.call('GET', '/openapi.json')).text)
  return {
    service,
    folder,
    expectAll: async (command, args, env) => {
      const tip = tipOf()
      const told = { BASE: service.base, KEY: key, TIP: JSON.stringify(tip), ABSENT: randomUUID() }
      const { code, stdout, stderr } = await run(command, args, { ...env, ...told }, folder)
      expect([code, stderr]).toEqual([0, ''])
      const { zip, bundle_hash, ...got } = outcome.parse(JSON.parse(stdout))
      const bytes = Buffer.from(zip, 'base64')
      expect(`0x${createHash('sha256').update(bytes).digest('hex')}`).toBe(bundle_hash)
      expect(got).toEqual({
        listed: [[true, '12.5']],
        verified: [true, bundle_hash, []],
        audit: [true, 'receipt.record'],
        issues: [['body.amount', expect.any(String)]],
        absent: ['not_found', 36],
      })
    },
    [Symbol.asyncDispose]: async () => {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
