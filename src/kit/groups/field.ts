// The declaration of all fields of groups, and the reading of their resolvers.
import type { GraphQLResolveInfo } from 'graphql'
import type { z } from 'zod'
import { ownedBy } from '../../core/principal.ts'
import type { Context } from '../context.ts'
import type { Search } from '../field-cost.ts'
import { parse } from '../parse.ts'
import { type SelectedAt, type Statement, selectedIn, writtenInSql } from '../sql/index.ts'
import { ownStatement } from '../sql-host.ts'
import { groupPageOf, mostGroups, type PageArguments, usualGroups } from './arguments.ts'
import type { Form } from './form.ts'
import { groupSelection, groupsInSql } from './in-sql.ts'
import { countedGroups } from './limits.ts'
import { readGroups } from './read.ts'

export const pageText = `${usualGroups} groups a page unless \`first\` says otherwise, at most ${mostGroups}; ${countedGroups} where objects of the key are selected.`

/** `of`: what is selected of a group. `project`: whose entries, in SQL; null for all. */
export type Question<Args> = {
  args: Args
  of: SelectedAt
  project: string | null
  statement: Statement
  context: Context
}

type Options<Args> = {
  input: z.ZodType<Args>
  /** The entries, in a word. */
  what: string
  search: Pick<Search, 'usualOrder'> & Partial<Search>
  /** The models of the objects in a key, by their fields. */
  objects: Readonly<Record<string, string>>
  form(question: Question<Args>): Form
}

/** `read` returns the groups of a project, or of all. Errors: those of `readGroups`. */
export function groupsField<Args extends PageArguments>({ input, what, search, objects, form }: Options<Args>) {
  const pageOf = (args: Args, of: SelectedAt) => {
    const selected = of('key')
    return groupPageOf(
      args,
      Object.keys(objects).some(name => selected.has(name)),
    )
  }
  const extensions = {
    // The field itself charges the rows that are read.
    cost: 30,
    search,
    listSize: {
      assumedSize: 10,
      maxSize: mostGroups,
      usualMost: countedGroups,
      slicingArguments: ['first'],
      sizedFields: ['edges', 'nodes'],
    },
    hasOwnSemaphore: true,
    ...writtenInSql(
      groupsInSql(
        ({ planner, args, ...question }) => {
          const parsed = parse(input, args)
          return {
            form: form({ ...question, args: parsed, statement: planner.statement }),
            page: pageOf(parsed, question.of),
            objects,
          }
        },
        ({ principal }) => ownedBy(principal).projectId,
      ),
    ),
  }
  const read = <Group>(context: Context, args: unknown, info: GraphQLResolveInfo, projectId: string | undefined) => {
    const parsed = parse(input, args)
    const statement = ownStatement()
    const project = projectId === undefined ? null : statement.value(projectId, 'uuid')
    const of = groupSelection(selectedIn(info))
    return readGroups<Group>(context, what, {
      form: form({ args: parsed, of, project, statement, context }),
      statement,
      page: pageOf(parsed, of),
    })
  }
  return { extensions, read }
}
