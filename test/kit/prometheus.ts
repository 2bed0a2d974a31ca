// A real Prometheus, where it is installed (Debian's package `prometheus`).
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { killWithUs } from '../../src/embedded/on-death.ts'
import { freePort } from '../../src/embedded/process.ts'

export const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0

const answer = z.object({
  status: z.literal('success'),
  data: z.object({ result: z.array(z.object({ metric: z.record(z.string(), z.string()) })) }),
})

/** Starts a Prometheus with the files of this folder: their names and contents. */
export async function startPrometheus(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-prometheus-'))
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)))
  const port = await freePort()
  const options = {
    'config.file': join(folder, 'prometheus.yml'),
    'storage.tsdb.path': join(folder, 'data'),
    'web.listen-address': `127.0.0.1:${port}`,
  }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  const child = spawn('prometheus', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  child.once('exit', killWithUs(child.pid))
  let said = ''
  child.stderr.on('data', chunk => (said += chunk))
  const base = `http://127.0.0.1:${port}`
  while (
    !(await fetch(`${base}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`Prometheus did not start: ${said}`)
    await sleep(100)
  }

  return {
    base,
    /** Returns how many series an expression has. Throws what Prometheus says of one that it cannot evaluate. */
    async series(expression: string): Promise<number> {
      const response = await fetch(`${base}/api/v1/query`, {
        method: 'POST',
        body: new URLSearchParams({ query: expression }),
      })
      const body: unknown = await response.json()
      const { success, data } = answer.safeParse(body)
      if (!success) throw new Error(`${expression}: ${JSON.stringify(body)}`)
      return data.data.result.length
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
