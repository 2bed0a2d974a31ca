// The downloaded agent runs unchanged: it pays with its own wallet, and its payment becomes an anchored receipt.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { JsonRpcProvider } from 'ethers'
import JSZip from 'jszip'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPayer, type Payer } from '../kit/payer.ts'
import { mayFetch } from '../kit/readers/may-fetch.ts'
import { type Service, startService } from '../kit/service.ts'

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))

let service: Service
let node: JsonRpcProvider
let payer: Payer
let folder: string
let shop: { id: string; key: string }
let agent: string

beforeAll(async () => {
  service = await startService()
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  payer = await createPayer(node, service.app.facilitator?.asset ?? '', 1_000_000n)
  shop = await service.api.project('Shop')
  const body = { name: 'Buyer', wallet_address: payer.address }
  agent = (await service.api.call('POST', '/v1/agents', { key: shop.key, body })).json.id
  folder = await mkdtemp(join(tmpdir(), 'quittance-agent-'))
})
afterAll(async () => {
  node?.destroy()
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs `npm start`; without downloads the same with this Node, because npm start needs a TypeScript runner. */
async function start(settings: Record<string, string> = {}) {
  const [program, args] = mayFetch
    ? ['npm', ['start', '--silent']]
    : [process.execPath, ['--env-file=.env', '--disable-warning=ExperimentalWarning', 'agent.ts']]
  const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...settings } }
  return promisify(execFile)(String(program), args as string[], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

it('is a ZIP of a few files, identical at each download, that names the server and contains no key', async () => {
  const url = `${service.base}/v1/agents/${agent}/download-template`
  const download = async () => {
    const headers = { 'X-API-Key': shop.key, 'Content-Type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: '{}' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/zip')
    return Buffer.from(await answer.arrayBuffer())
  }
  const [first, second] = [await download(), await download()]
  expect(first.equals(second)).toBe(true)
  const { files } = await JSZip.loadAsync(first)
  expect(Object.keys(files)).toEqual(['.env', 'README.md', 'agent.ts', 'package-lock.json', 'package.json'])
  for (const [name, file] of Object.entries(files)) await writeFile(join(folder, name), await file.async('nodebuffer'))
  const settings = await readFile(join(folder, '.env'), 'utf8')
  expect(settings).toContain(`QUITTANCE_URL=${service.base}\n`)
  expect(settings).toContain('QUITTANCE_API_KEY=\n')
  expect(settings).toContain('WALLET_PRIVATE_KEY=\n')
  expect(await readFile(join(folder, 'package-lock.json'), 'utf8')).not.toContain('resolved')
})

it('runs as downloaded: pays with its wallet, records the payment, and waits for its anchor', async () => {
  if (mayFetch) await promisify(execFile)('npm', ['ci', '--silent'], { cwd: folder })
  else await symlink(packages, join(folder, 'node_modules'))
  const unready = await start()
  expect(unready).toMatchObject({ code: 1, stdout: expect.stringMatching(/WALLET_PRIVATE_KEY=0x[0-9a-f]{64}\n/) })
  const keys = { WALLET_PRIVATE_KEY: payer.wallet.privateKey, QUITTANCE_API_KEY: shop.key }
  const done = await start(keys)
  expect(done).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('anchored in 0x') })
  const { json } = await service.api.call('GET', `/v1/agents/${agent}/activity-unified`, { key: shop.key })
  expect(json.summary).toEqual({ total_payments: 1, total_anchors: 1, anchored_payments: 1 })
})

it('never pays more than its settings allow', async () => {
  const keys = { WALLET_PRIVATE_KEY: payer.wallet.privateKey, QUITTANCE_API_KEY: shop.key, MOST_PER_PAYMENT: '999' }
  expect(await start(keys)).toMatchObject({ code: 1 })
  const { json } = await service.api.call('GET', `/v1/agents/${agent}/stats`, { key: shop.key })
  expect(json.payment_count).toBe(1)
})
