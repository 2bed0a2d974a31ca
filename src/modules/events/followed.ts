// The common part of the subscriptions to a project's events, and the query of the cursor to begin them with.
import { z } from 'zod'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { argumentsOf } from '../../kit/input.ts'
import { LiveLog } from '../../kit/live/log.ts'
import { parse } from '../../kit/parse.ts'
import { refused, writtenInSql } from '../../kit/sql/index.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { resumedAfter } from './input.ts'
import { cursorsIn, cursorsOf, type LoggedEvent } from './log.ts'
import { followedProject, projectLog } from './project.ts'

const projectId = uuid.nullish().describe('The project; needed from a service administrator, else the key’s own.')

export const ofProject = {
  projectId,
  after: resumedAfter.describe(
    'Cursor of the last event seen, or an `eventCursor`; the stream continues after it. Unless given, the stream starts now.',
  ),
}

const refusals = ['forbidden', 'not_found', 'project_key_required'] as const
/** Errors of each subscription to a project's events. */
export const streamRefusals = [...refusals, 'cursor_ahead', 'cursor_behind', 'too_many_requests'] as const

type From = { projectId?: string | null | undefined; after?: string | null | undefined }

/** Errors: `streamRefusals`. */
export function followed<Event extends { cursor: string }>(
  context: Context,
  from: From,
  picked: (events: LoggedEvent[]) => Event[] | Promise<Event[]>,
) {
  const project = followedProject(context.principal, from.projectId ?? null)
  return new LiveLog(context, projectLog(context, { projectId: project, after: from.after ?? null }, picked))
}

const cursorArguments = z.strictObject({ projectId })

const projectIn = ({ principal }: Pick<Context, 'principal'>, args: object): string =>
  followedProject(principal, parse(cursorArguments, args).projectId ?? null)

builder.queryField('eventCursor', t =>
  t.id({
    description:
      'Cursor of the project’s newest event, `0` before the first. It is read before all other fields of the query, wherever it stands. Query it together with a list, then subscribe with it as `after`: each change that the list may lack is in the stream, once. A change during the query can be in both.',
    args: argumentsOf(cursorArguments),
    access: 'read',
    input: cursorArguments,
    errors: [...refusals],
    extensions: {
      cost: 2,
      readFirst: true,
      ...writtenInSql<Context>(({ statement }, { args, context }) => {
        const cursors = cursorsIn(statement.value(projectIn(context, args), 'uuid'))
        return [{ sql: `coalesce((select '"' || newest || '"' from ${cursors} cursors), ${refused.sql})` }]
      }),
    },
    resolve: async (_, args, context) => (await cursorsOf(sqlOf(context.pool), projectIn(context, args))).newest,
  }),
)
