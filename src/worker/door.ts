// The worker door: runs the pipeline's steps from graphile-worker's queue.
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type { App } from '../kit/context.ts'
import { endPauses } from '../modules/anchoring/wake.ts'
import { showLife } from './life.ts'
import { poolOfOutcomes } from './outcomes.ts'
import { pipeline } from './pipeline.ts'
import { recover } from './recover.ts'
import { crontab, regularTasks } from './regular.ts'

const concurrency = 6
const recoverEveryMs = 5_000
const retryMs = 500

export type Worker = {
  /** Takes no further jobs. Those under way finish, or are given back at `deadline` (milliseconds since 1970). */
  stop(deadline: number): Promise<void>
}

export async function startWorker(app: App, connectionString: string): Promise<Worker> {
  let stopping = false
  let runner = await begin(app, connectionString)
  await endPauses(app)
  async function keepOn(): Promise<void> {
    await runner.ended
    while (!stopping) {
      try {
        runner = await begin(app, connectionString)
        app.log.warn('the worker has begun anew')
        if (stopping) await runner.stop()
        await runner.ended
      } catch (error) {
        app.log.warn({ err: error }, 'the worker cannot begin anew yet')
        await sleep(retryMs)
      }
    }
  }
  const kept = keepOn()
  let looking = Promise.resolve()
  const look = () => {
    looking = recover(app).catch((error: unknown) => app.log.error({ err: error }, 'recovery failed'))
  }
  const timer = setInterval(look, recoverEveryMs)
  look()
  return {
    async stop(deadline) {
      stopping = true
      clearInterval(timer)
      const ended = looking.then(() => runner.stop()).then(() => kept)
      const isLate = await Promise.race([ended, sleep(Math.max(0, deadline - Date.now()), true, { ref: false })])
      if (isLate) await runner.giveBack()
    },
  }
}

type Runner = {
  /** Every step it had under way has ended, and what it still holds may be taken from it. Never rejects. */
  ended: Promise<void>
  stop(): Promise<void>
  /** What it still holds may be taken by others: they need not wait until this process is seen to be dead. */
  giveBack(): Promise<void>
}

async function begin(app: App, connectionString: string): Promise<Runner> {
  const taskList: TaskList = Object.fromEntries(
    [...Object.values(pipeline), ...regularTasks].map(step => [
      step.name,
      (payload: unknown) => step.run(app, payload),
    ]),
  )
  const events: WorkerEvents = new EventEmitter()
  const poolId = new Promise<string>(resolve => events.once('pool:create', ({ workerPool }) => resolve(workerPool.id)))
  let stopped: Promise<void> | null = null
  // Whether the database knows what it did, or it what the database gave it, nobody can tell then: what it holds is taken
  // over as from a dead one.
  const giveUp = () => void stop()
  const runner = await run({
    pgPool: poolOfOutcomes(app.pool, giveUp),
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
  function stop(): Promise<void> {
    // It may have stopped by itself, and says so.
    stopped ??= runner.stop().catch(error => app.log.debug({ err: error }, 'the worker had stopped'))
    return stopped
  }
  async function giveBack(): Promise<void> {
    app.log.warn('jobs under way were given back, because SHUTDOWN_SECONDS were over')
    await app.pool.query('select graphile_worker.force_unlock_workers($1)', [[await poolId]])
  }
  events.once('worker:getJob:error', giveUp)
  const ended = runner.promise.catch(error => app.log.error({ err: error }, 'the worker ended'))
  try {
    const life = await showLife(connectionString, await poolId, app.log)
    const end = ended.then(() => life.end())
    return { ended: end, stop: () => stop().then(() => end), giveBack }
  } catch (error) {
    await stop()
    throw error
  }
}
