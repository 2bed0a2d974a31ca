// Passes pages of statements to the worker thread that writes them.
import { Piscina } from 'piscina'
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import type { PageTask } from './page-thread.ts'

const thread = perApp(
  () =>
    new Piscina<PageTask, Uint8Array>({
      filename: new URL('./page-thread.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 10_000,
      resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 },
    }),
)

/** Returns the XML of a page. Throws `caller_gone` when the signal is aborted. */
export async function writePage(app: App, task: PageTask, signal: AbortSignal | null): Promise<Buffer> {
  if (signal?.aborted) throw new AppError('caller_gone')
  const bytes = await thread(app).run(task)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
