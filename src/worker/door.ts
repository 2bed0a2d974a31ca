// The worker door: runs the pipeline's steps from graphile-worker's queue.
import { EventEmitter } from 'node:events'
import { Logger, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type { App } from '../kit/context.ts'
import { showLife } from './life.ts'
import { pipeline } from './pipeline.ts'
import { recover } from './recover.ts'
import { crontab, regularTasks } from './regular.ts'

const concurrency = 6
const recoverEveryMs = 5_000

/** `stop` lets steps under way finish. */
export async function startWorker(app: App, connectionString: string): Promise<{ stop(): Promise<void> }> {
  const taskList: TaskList = Object.fromEntries(
    [...pipeline, ...regularTasks].map(step => [step.name, (payload: unknown) => step.run(app, payload)]),
  )
  const events: WorkerEvents = new EventEmitter()
  const poolId = new Promise<string>(resolve => events.once('pool:create', ({ workerPool }) => resolve(workerPool.id)))
  const runner = await run({
    pgPool: app.pool,
    taskList,
    crontab,
    concurrency,
    events,
    noHandleSignals: true,
    // New jobs are announced; polling is for those whose time comes, such as the anchor window.
    pollInterval: 250,
    logger: new Logger(
      () => (level, message) => app.log[level === 'error' ? 'error' : level === 'warning' ? 'warn' : 'debug'](message),
    ),
  })
  const life = await showLife(connectionString, await poolId, app.log)
  let looking = Promise.resolve()
  const look = () => {
    looking = recover(app).catch((error: unknown) => app.log.error({ err: error }, 'recovery failed'))
  }
  const timer = setInterval(look, recoverEveryMs)
  look()
  return {
    async stop() {
      clearInterval(timer)
      await looking
      await runner.stop()
      await life.end()
    },
  }
}
