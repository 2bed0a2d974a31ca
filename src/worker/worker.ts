// The worker: runs the steps of the pipeline and the periodic tasks from graphile-worker's queue.
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type JobHelpers, Logger, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import { originOf } from '../core/scope.ts'
import type { App } from '../kit/context.ts'
import { endPauses } from '../modules/anchoring/wake.ts'
import { measured } from './job-metrics.ts'
import { type Lasting, markAlive } from './liveness.ts'
import { poolOfOutcomes } from './outcomes.ts'
import { pipeline } from './pipeline.ts'
import { recover } from './recover.ts'
import { crontab, regularTasks } from './regular.ts'

const concurrency = 6
const recoverEveryMs = 5_000
const retryMs = 500

export type Worker = {
  /** Whether it claims jobs. It does not while it begins again after it lost the database. */
  isRunning(): boolean
  /** When the last look for lost work ended, be it by an error; in milliseconds of `performance.now`. */
  lookedAt(): number
  /** Claims no further jobs. Jobs in progress finish, or are released at `deadline` (milliseconds since 1970). */
  stop(deadline: number): Promise<void>
}

export async function startWorker(app: App, openLasting: () => Lasting): Promise<Worker> {
  let stopping = false
  let runner = await begin(app, openLasting)
  let running = true
  const ended = async () => {
    await runner.ended
    running = false
  }
  await endPauses(app)
  async function keepOn(): Promise<void> {
    await ended()
    while (!stopping) {
      try {
        runner = await begin(app, openLasting)
        running = true
        app.log.warn('the worker has restarted')
        if (stopping) await runner.stop()
        await ended()
      } catch (error) {
        app.log.warn({ err: error }, 'the worker cannot restart yet')
        await sleep(retryMs)
      }
    }
  }
  const kept = keepOn()
  let looking = Promise.resolve()
  let lookedAt = performance.now()
  const look = () => {
    looking = recover(app)
      .catch((error: unknown) => app.log.error({ err: error }, 'recovery failed'))
      .finally(() => {
        lookedAt = performance.now()
      })
  }
  const timer = setInterval(look, recoverEveryMs)
  look()
  return {
    isRunning: () => running,
    lookedAt: () => lookedAt,
    async stop(deadline) {
      stopping = true
      clearInterval(timer)
      const stopped = looking.then(() => runner.stop()).then(() => kept)
      const isLate = await Promise.race([stopped, sleep(Math.max(0, deadline - Date.now()), true, { ref: false })])
      if (isLate) await runner.releaseJobs()
    },
  }
}

type Runner = {
  /** Resolves when every step in progress has ended and this worker's locked jobs may be taken over. Never rejects. */
  ended: Promise<void>
  stop(): Promise<void>
  /** Releases this worker's locked jobs, so that other workers need not wait until its process is detected as dead. */
  releaseJobs(): Promise<void>
}

async function begin(app: App, openLasting: () => Lasting): Promise<Runner> {
  const taskList: TaskList = Object.fromEntries(
    [...Object.values(pipeline), ...regularTasks].map(step => [
      step.name,
      (payload: unknown, { job }: JobHelpers) =>
        measured(step.name, () => step.run(app, payload, Object.keys(job.flags ?? {}).map(originOf))),
    ]),
  )
  const events: WorkerEvents = new EventEmitter()
  const poolId = new Promise<string>(resolve => events.once('pool:create', ({ workerPool }) => resolve(workerPool.id)))
  let stopped: Promise<void> | null = null
  // After a failed query, worker and database may disagree about claimed or finished jobs. The worker stops, and its
  // jobs are taken over like those of a dead worker.
  const giveUp = () => void stop()
  const runner = await run({
    pgPool: poolOfOutcomes(app.pool, giveUp),
    taskList,
    crontab,
    concurrency,
    events,
    noHandleSignals: true,
    // New jobs are announced by the database; polling finds jobs that become due, such as those of an anchor window.
    pollInterval: 250,
    logger: new Logger(() => (level, message, meta) => {
      // A job that failed has logged it, with the requests that caused it.
      const isTold = message.startsWith('Failed task')
      const method = level === 'error' && !isTold ? 'error' : level === 'warning' ? 'warn' : 'debug'
      app.log[method](meta?.error === undefined ? {} : { err: meta.error }, message)
    }),
  })
  function stop(): Promise<void> {
    // `stop` rejects when the runner has already stopped by itself.
    stopped ??= runner.stop().catch(error => app.log.debug({ err: error }, 'the worker had stopped'))
    return stopped
  }
  async function releaseJobs(): Promise<void> {
    app.log.warn('jobs in progress were released, because SHUTDOWN_SECONDS had passed')
    await app.pool.query('select graphile_worker.force_unlock_workers($1)', [[await poolId]])
  }
  events.once('worker:getJob:error', giveUp)
  const ended = runner.promise.catch(error => app.log.error({ err: error }, 'the worker ended'))
  try {
    const liveness = await markAlive(openLasting, await poolId, app.log)
    const end = ended.then(() => liveness.end())
    return { ended: end, stop: () => stop().then(() => end), releaseJobs }
  } catch (error) {
    await stop()
    throw error
  }
}
