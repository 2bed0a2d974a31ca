// Answers that stay open, such as event streams: each is cut within a second or two of the end of the key it was asked with.
import type { ServerResponse } from 'node:http'
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { isLive } from './principal.ts'

const lookEveryMs = 1_000

type Open = { answers: Map<string, Set<ServerResponse>>; timer: NodeJS.Timeout | null }

const openOf = perApp((): Open => ({ answers: new Map(), timer: null }))

async function look(app: App, open: Open): Promise<void> {
  if (open.timer !== null && open.answers.size === 0) {
    clearInterval(open.timer)
    open.timer = null
  }
  await Promise.all(
    [...open.answers].map(async ([key, answers]) => {
      // With the database away nothing is known; that is no reason to cut anyone.
      if (await isLive(app, key).catch(() => true)) return
      for (const answer of answers) answer.destroy()
    }),
  )
}

/** Call it for every answer to a project's key; most are over before anybody looks. */
export function watchAnswer(app: App, key: string, answer: ServerResponse): void {
  const open = openOf(app)
  open.timer ??= setInterval(() => void look(app, open), lookEveryMs).unref()
  const answers = open.answers.get(key) ?? new Set()
  // One that carries many operations is named with each of them.
  if (answers.has(answer)) return
  open.answers.set(key, answers.add(answer))
  answer.once('close', () => {
    answers.delete(answer)
    if (answers.size === 0 && open.answers.get(key) === answers) open.answers.delete(key)
  })
}
