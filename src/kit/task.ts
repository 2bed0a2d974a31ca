// A background task: carries out one declared job. Tasks are idempotent: running one twice is harmless.
import type { z } from 'zod'
import type { App } from './context.ts'
import type { TaskName } from './jobs.ts'

type Declaration<Name extends TaskName, Payload extends z.ZodType> = { task: Name; payload: Payload }

/** Parses the payload of each job, which an earlier version of the service may have enqueued, before `run` gets it. */
export const task = <Name extends TaskName, Payload extends z.ZodType>(
  { task, payload }: Declaration<Name, Payload>,
  run: (app: App, payload: z.output<Payload>) => Promise<void>,
) => ({
  name: task,
  run: (app: App, raw: unknown) => run(app, payload.parse(raw)),
})

export type Task<Name extends TaskName = TaskName> = {
  name: Name
  run(app: App, payload: unknown): Promise<void>
}
