// A background task: its name, the payload it parses, its action. Tasks are idempotent: running one twice is harmless.
import type { z } from 'zod'
import type { App } from './context.ts'

export type Task<Payload extends z.ZodType = z.ZodType> = {
  name: string
  payload: Payload
  run(app: App, payload: z.output<Payload>): Promise<void>
}

/** Erases the payload's type: from here on a task is called with what its own `payload` parses. */
export const task = <Payload extends z.ZodType>(definition: Task<Payload>) => ({
  name: definition.name,
  run: (app: App, payload: unknown) => definition.run(app, definition.payload.parse(payload)),
})

export type AnyTask = ReturnType<typeof task>
