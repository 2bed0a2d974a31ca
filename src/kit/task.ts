// A background task: carries out one declared job. Tasks are idempotent: running one twice is harmless.
import type { z } from 'zod'
import type { Origin } from '../core/scope.ts'
import type { App } from './context.ts'
import type { TaskName } from './jobs.ts'
import { causedBy, tell } from './origins.ts'

type Declaration<Name extends TaskName, Payload extends z.ZodType> = { task: Name; payload: Payload }

/** Parses the payload of each job, which an earlier version of the service may have enqueued, before `run` gets it. */
export const task = <Name extends TaskName, Payload extends z.ZodType>(
  { task, payload }: Declaration<Name, Payload>,
  run: (app: App, payload: z.output<Payload>) => Promise<void>,
): Task<Name> => ({
  name: task,
  run: (app, raw, origins = []) => carriedOut(app, { task, origins }, () => run(app, payload.parse(raw))),
})

export type Task<Name extends TaskName = TaskName> = {
  name: Name
  /** `origins`: the requests that enqueued the job. */
  run(app: App, payload: unknown, origins?: readonly Origin[]): Promise<void>
}

type Work = { task: string; origins: readonly Origin[]; receipts?: number }

/** Runs a job in the name of the requests that caused it, and logs that it is done, or why it failed. */
export const carriedOut = (app: App, { origins, ...what }: Work, work: () => Promise<void>): Promise<void> =>
  causedBy(app, { name: `job ${what.task}`, kind: 'consumer', origins }, async () => {
    const began = performance.now()
    try {
      await work()
      tell(app, { ...what, durationMs: Math.round(performance.now() - began) }, 'job')
    } catch (error) {
      app.log.error({ err: error, ...what }, 'a job failed')
      throw error
    }
  })
