// Starts one of each kind of server that tests start, writes their ports to a file and keeps them running until it is
// killed.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject, it } from 'vitest'
import { startAnvil } from '../anvil.ts'
import { startChild } from '../child.ts'
import { startService } from '../service.ts'

const heldMs = 120_000

it('holds', { timeout: 4 * heldMs }, async () => {
  const chain = await startAnvil(31_343)
  const service = await startService()
  // This process has its own PostgreSQL and its own chain.
  const folder = join(tmpdir(), 'child')
  const child = await startChild({ DATABASE_URL: '', DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' })
  const childChain = /"chain":"([^"]+)"/.exec(child.said())?.[1] ?? ''
  const childPostgres = (await readFile(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[3]
  const urls = [inject('postgresUrl'), chain.url, service.localChain ?? '', child.url(), childChain]
  const ports = [...urls.map(url => Number(new URL(url).port)), Number(childPostgres)]
  const file = join(tmpdir(), 'held.json')
  await writeFile(`${file}.part`, JSON.stringify({ vitest: process.ppid, ports }))
  // Renames the file, so that the test that waits for it never reads half of it.
  await rename(`${file}.part`, file)
  await sleep(heldMs)
})
