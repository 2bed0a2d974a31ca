// Stores questions and answers for the configured number of days. Only the API key that sent a question can read it.
// Questions and answers are written neither to a log nor to the audit trail.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { actorOf, type Principal } from '../../core/principal.ts'
import { text } from '../../core/text.ts'
import type { AssistantExchange, Prisma } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import type { AssistInput } from './input.ts'
import type { UsedTool } from './toolbox.ts'

export type Answer = { reply: string; usedTools: UsedTool[] }

/** Maximum exchanges of one conversation that are returned. */
export const mostExchanges = 200

export const transcriptArguments = z.strictObject({
  sessionId: text(100).describe('The name that the caller gave the conversation.'),
})

/** Returns the filter for exchanges of this API key only. */
export const ownExchanges = (principal: Principal): Prisma.AssistantExchangeWhereInput => ({
  principal: actorOf(principal),
  projectId: principal.kind === 'key' ? principal.projectId : null,
})

export async function keep(
  { db, ai }: App,
  principal: Principal,
  { messages, sessionId }: AssistInput,
  { reply, usedTools }: Answer,
): Promise<void> {
  if (ai.transcriptDays === 0 || sessionId == null) return
  await db.assistantExchange.create({
    data: {
      id: randomUUID(),
      projectId: principal.kind === 'key' ? principal.projectId : null,
      principal: actorOf(principal),
      session: sessionId,
      question: messages.at(-1)?.content ?? '',
      // PostgreSQL text cannot contain NUL.
      reply: reply.replaceAll('\0', ''),
      usedTools,
    },
  })
}

/** Returns the exchanges, newest first; none if this key has no conversation of that name. */
export const transcriptOf = ({ db }: App, principal: Principal, session: string): Promise<AssistantExchange[]> =>
  db.assistantExchange.findMany({
    where: { ...ownExchanges(principal), session },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: mostExchanges,
  })

/** Deletes exchanges that are older than the settings allow. */
export async function cleanTranscripts({ pool, ai }: App): Promise<void> {
  await pool.query(`delete from assistant_exchanges where created_at < now() - $1 * interval '1 day'`, [
    ai.transcriptDays,
  ])
}
