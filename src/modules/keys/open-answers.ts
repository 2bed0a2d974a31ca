// Responses that stay open, such as event streams: each is closed within a second or two after its API key or session
// is revoked or expires.

import type { ServerResponse } from 'node:http'
import { outOfScope } from '../../core/scope.ts'
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
    [...open.answers].map(async ([credential, answers]) => {
      // Without the database the state of the key is unknown, which is no reason to close its responses.
      if (await isLive(app, credential).catch(() => true)) return
      for (const answer of answers) answer.destroy()
    }),
  )
}

/** Watches a response. Call it for every response to a project's key or session; most end before the first check. */
export function watchAnswer(app: App, credential: string, answer: ServerResponse): void {
  const open = openOf(app)
  open.timer ??= outOfScope(() => setInterval(() => void look(app, open), lookEveryMs).unref())
  const answers = open.answers.get(credential) ?? new Set()
  // A response that carries many operations is passed once for each of them.
  if (answers.has(answer)) return
  open.answers.set(credential, answers.add(answer))
  answer.once('close', () => {
    answers.delete(answer)
    if (answers.size === 0 && open.answers.get(credential) === answers) open.answers.delete(credential)
  })
}
