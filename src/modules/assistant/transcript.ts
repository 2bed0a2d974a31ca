// Questions and answers, kept for the key that asked and shown to nobody else, for as many days as the settings say. They
// stand in no log and not in the audit trail.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { actorOf, type Principal } from '../../core/principal.ts'
import { text } from '../../core/text.ts'
import type { AssistantExchange, Prisma } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import type { AssistInput } from './input.ts'
import type { UsedTool } from './toolbox.ts'

export type Answer = { reply: string; usedTools: UsedTool[] }

/** Of one conversation, as they are shown. */
export const mostExchanges = 200

export const transcriptArguments = z.strictObject({
  sessionId: text(100).describe('The name under which the conversation was held.'),
})

/** Those of this very key. */
const own = (principal: Principal): Prisma.AssistantExchangeWhereInput => ({
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
      // PostgreSQL has no text with this character.
      reply: reply.replaceAll('\0', ''),
      usedTools,
    },
  })
}

/** Newest first; none where this key held no conversation of that name. */
export const transcriptOf = ({ db }: App, principal: Principal, session: string): Promise<AssistantExchange[]> =>
  db.assistantExchange.findMany({
    where: { ...own(principal), session },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: mostExchanges,
  })

/** Deletes what is older than the settings allow. */
export async function cleanTranscripts({ pool, ai }: App): Promise<void> {
  await pool.query(`delete from assistant_exchanges where created_at < now() - $1 * interval '1 day'`, [
    ai.transcriptDays,
  ])
}
