// A whole Quittance in a process of its own that tells how long its event loop is held and how much memory it has.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { adminKey, apiOf, freshDatabase, roomForAll } from './service.ts'
import type { Watched } from './watcher.ts'

/** With a project that has so many receipts, and keys of every kind of caller; undefined is one without a key. */
export async function startWatchedService(receiptCount: number) {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-watched-'))
  const child = await startChild({
    NODE_OPTIONS: `--expose-gc --import=${new URL('./watcher.ts', import.meta.url).href}`,
    DATABASE_URL: await freshDatabase(),
    DATA_DIR: folder,
    PORT: '0',
    ADMIN_API_KEYS: adminKey,
    LOG_LEVEL: 'fatal',
    FX_ECB_URL: 'off',
    RATE_LIMITS: roomForAll,
  })
  const base = child.url()
  const watcher = `http://127.0.0.1:${/watched at (\d+)/.exec(child.said())?.[1]}`
  const api = apiOf(base)
  const { id: project, key } = await api.project()
  const recorded = await Promise.all(Array.from({ length: receiptCount }, () => api.record(key)))
  const receipts: string[] = recorded.map(({ json }) => json.receipt_id)
  await api.anchored(receipts.at(-1) ?? '')
  const keys: (string | undefined)[] = [undefined, key, await api.key(key, 'viewer'), adminKey]
  return {
    base,
    project,
    receipts,
    keys,
    /** What there is to tell since it was last asked; after collecting garbage where that is asked for. */
    watched: async (path: '/' | '/gc' = '/'): Promise<Watched> => (await fetch(watcher + path)).json(),
    async stop() {
      await child.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
