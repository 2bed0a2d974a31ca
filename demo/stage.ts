// Shared by the demos: a whole Quittance in a temporary folder that is removed afterwards, and the printing functions.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from '../src/app.ts'
import { readEnv } from '../src/env.ts'

export const step = (text: string) => console.log(`\n${text}`)
export const line = (name: string | number, value: unknown) => console.log(`  ${`${name}`.padEnd(14)} ${value}`)

/** `rpcUrl` is the local chain's. */
export type Stage = { base: string; rpcUrl: string; adminKey: string }

/** Runs `show` on a fresh service and ends the process: with exit code 0 when `show` returned true. */
export async function stage(show: (on: Stage) => Promise<boolean>): Promise<never> {
  const adminKey = `admin_${randomBytes(24).toString('hex')}`
  const folder = await mkdtemp(join(tmpdir(), 'quittance-demo-'))
  let verdict = false
  step('Starting PostgreSQL, a local chain, the API and the worker …')
  const running = await start(readEnv({ DATA_DIR: folder, PORT: '0', ADMIN_API_KEYS: adminKey, LOG_LEVEL: 'error' }))
  try {
    const { url: base, localChain: rpcUrl } = running
    if (base === null || rpcUrl === null) throw new Error('the demo needs the embedded chain and the API')
    line('ready at', base)
    verdict = await show({ base, rpcUrl, adminKey })
  } finally {
    await running.stop()
    await rm(folder, { recursive: true, force: true })
  }
  process.exit(verdict ? 0 : 1)
}

export async function ask(base: string, method: string, path: string, key?: string, body?: unknown) {
  const headers = { 'Content-Type': 'application/json', ...(key && { 'X-API-Key': key }) }
  const response = await fetch(base + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}
