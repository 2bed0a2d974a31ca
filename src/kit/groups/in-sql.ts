// Writes the groups of a form as JSON in SQL. Resolvers add up more rows, in turns and with limits of their own.
import type { FieldNode, GraphQLObjectType } from 'graphql'
import type { Context } from '../context.ts'
import {
  ArgumentsNotInSql,
  charged,
  computedObject,
  joined,
  objectsFrom,
  objectTypeOf,
  type Piece,
  type Planner,
  refused,
  type SelectedAt,
  selectedAt,
  type WriteInSql,
} from '../sql/index.ts'
import type { Form } from './form.ts'
import { type GroupPage, mostPairs, pairsPaid, pairsPerUnit } from './limits.ts'
import { periodFields } from './period-type.ts'
import { groupsSql, isTooMuch } from './statement.ts'

/** `of`: what is selected of a group. `project`: whose entries, in SQL. */
type Question = { args: unknown; of: SelectedAt; project: string; planner: Planner; context: Context }
/** `objects`: the models of objects in the key, by their fields. */
type Read = (question: Question) => { form: Form; page: GroupPage; objects: Readonly<Record<string, string>> }

/** `projectOf`: whose entries, in SQL; undefined for all. */
export const groupsInSql =
  (read: Read, projectOf: (context: Context) => string | undefined): WriteInSql<Context> =>
  (planner, { field, nodes, args, parent, context }) => {
    const { statement, document } = planner
    const projectId = parent ? undefined : projectOf(context)
    const project = parent ? parent.column('id') : projectId && statement.value(projectId, 'uuid')
    if (project === undefined) throw new ArgumentsNotInSql('entries of all projects')
    const of = groupSelection(selectedAt(document, field.type, nodes))
    const { form, page, objects } = read({ args, of, project, planner, context })
    if (form.mostWithOthers === 0) throw new ArgumentsNotInSql('a filter without an index')
    return written(planner, { type: objectTypeOf(field), nodes, form, page, objects })
  }

/** Returns what is selected of the entries of a connection. */
export const groupSelection =
  (selected: SelectedAt): SelectedAt =>
  (...path) =>
    new Set([...selected('nodes', ...path), ...selected('edges', 'node', ...path)])

type Written = {
  type: GraphQLObjectType
  nodes: readonly FieldNode[]
  form: Form
  page: GroupPage
  objects: Readonly<Record<string, string>>
}

function written(planner: Planner, { type, nodes, form, page, objects }: Written): Piece[] {
  const { grouping } = form
  const rows = `${grouping.rows} limit ${form.mostWithOthers + 1}`
  const lists: Record<string, string> = {}
  const isOnPage = `n > ${page.offset} and n <= ${page.offset + page.first}`
  const listed = (pieces: Piece[]): Piece[] => [
    '[',
    { sql: `coalesce(string_agg(${joined(pieces)}, ',' order by n) filter (where ${isOnPage}), '')` },
    ']',
  ]
  const entry = (type: GraphQLObjectType, nodes: readonly FieldNode[]) =>
    group(planner, { type, nodes, form, objects, lists })
  const cursor = (number: string) => `rtrim(encode(convert_to('offset:' || ${number}, 'UTF8'), 'base64'), '=')`
  const last = `least(count(*), ${page.offset + page.first})`
  const ends: Record<string, string> = {
    hasNextPage: `(count(*) > ${page.offset + page.first})`,
    hasPreviousPage: String(page.offset > 0),
    startCursor: `(case when ${last} > ${page.offset} then ${cursor(String(page.offset + 1))} end)`,
    endCursor: `(case when ${last} > ${page.offset} then ${cursor(last)} end)`,
  }
  const pieces = computedObject(planner, type, nodes, () => 'count(*)', {
    nodes: (type, nodes) => listed(entry(type, nodes)),
    edges: (type, nodes) => listed(computedObject(planner, type, nodes, () => cursor('n'), { node: entry })),
    pageInfo: (type, nodes) => computedObject(planner, type, nodes, name => ends[name] ?? null),
  })
  const pairs = `sum(pairs) filter (where ${isOnPage})`
  const all = [
    ...pieces,
    charged(`div(coalesce(sum(read), 0), ${form.rowsPerUnit})`),
    charged(`div(greatest(coalesce(${pairs}, 0) - ${pairsPaid(page)}, 0), ${pairsPerUnit})`),
  ]
  return [
    {
      sql: `(with ${groupsSql(planner.statement, { ...grouping, rows }, lists)}
        select case when sum(read) > ${form.mostWithOthers} or ${pairs} > ${mostPairs} or ${isTooMuch(grouping)}
          then ${refused.sql} else ${joined(all)} end from ranked)`,
    },
  ]
}

type Entry = Pick<Written, 'type' | 'nodes' | 'form' | 'objects'> & { lists: Record<string, string> }

function group(planner: Planner, { type, nodes, form, objects, lists }: Entry): Piece[] {
  const { key, lists: items } = form
  const writers = Object.entries(items).map(([name, { part, fields }]) => [
    name,
    (type: GraphQLObjectType, nodes: readonly FieldNode[]): Piece[] => {
      const list = `list${Object.keys(lists).length + 1}`
      const item = joined(computedObject(planner, type, nodes, name => fields[name] ?? null))
      lists[list] = `string_agg(${item}, ',' order by item collate "C") filter (where part = '${part}')`
      return ['[', { sql: `coalesce(${list}, '')` }, ']']
    },
  ])
  const columns = Object.entries(form.objects).map(([name, fields]) => [
    name,
    (type: GraphQLObjectType, nodes: readonly FieldNode[]) =>
      computedObject(planner, type, nodes, name => fields[name] ?? null),
  ])
  return computedObject(planner, type, nodes, name => `"${name}"`, {
    ...Object.fromEntries(writers),
    ...Object.fromEntries(columns),
    key: (type, nodes) =>
      computedObject(planner, type, nodes, name => key[name] ?? null, keyObjects(planner, form, objects)),
  })

  function keyObjects(planner: Planner, { grouping: { keys } }: Form, objects: Written['objects']) {
    const period = periodFields(keys)
    const time = (type: GraphQLObjectType, nodes: readonly FieldNode[]): Piece[] =>
      period ? computedObject(planner, type, nodes, name => period[name] ?? null) : ['null']
    const others = Object.entries(objects).map(([name, model]) => [
      name,
      (type: GraphQLObjectType, nodes: readonly FieldNode[]): Piece[] => {
        const id = key[name]
        if (id === undefined) return ['null']
        const keys = [{ column: 'id', values: [`${id}::uuid`] }]
        return objectsFrom(planner, type, nodes, { model, find: {}, isList: false, absent: `'null'`, keys })
      },
    ])
    return { ...Object.fromEntries(others), time }
  }
}
