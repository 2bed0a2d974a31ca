// A whole Quittance in its own process that reports how long its event loop is blocked and how much memory it uses.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { adminKey, apiOf, freshDatabase, roomForAll } from './service.ts'
import type { Watched } from './watcher.ts'

/**
 * Starts it with a project that has `receiptCount` receipts, and keys of every kind of caller; undefined means no key.
 */
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
    /** Returns the measurements since the last call; `/gc` collects garbage first. */
    watched: async (path: '/' | '/gc' = '/'): Promise<Watched> => (await fetch(watcher + path)).json(),
    async stop() {
      await child.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
