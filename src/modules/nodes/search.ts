// Finds what a text names: an id, a hash, a wallet, a reference or a name. Each way of finding has an index.
import { queryFromInfo } from '@pothos/plugin-prisma'
import pg from 'pg'
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { addressKey, transactionKey } from '../../core/identity.ts'
import { ownedBy } from '../../core/principal.ts'
import { text, uuid } from '../../core/text.ts'
import { asciiPart, hasSearchKey, literally, searchKey } from '../../core/text-filter.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { described } from '../../kit/enum-names.ts'
import { argumentsOf } from '../../kit/input.ts'
import { Node } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { isBeyondLimits } from '../../kit/sql-reads.ts'
import { readNodes } from './read.ts'

const most = 50
const usual = 10

const searchArguments = z.object({
  text: text().describe('The text to look for.'),
  first: z
    .int()
    .min(0, 'Must not be negative.')
    .max(most, `At most ${most} objects.`)
    .nullish()
    .meta({ graphql: 'Int', default: usual })
    .describe(`How many objects, at most ${most}; ${usual} unless given.`),
})

/** In the order in which they are listed. */
const matches = {
  id: 'Its id is the text.',
  settlement_tx: 'The text is its settlement transaction.',
  anchor_tx: 'The text is its anchor transaction.',
  bundle_hash: 'The text is the hash of its bundle.',
  reference: 'Its reference is the text.',
  wallet: 'The text is one of its wallets.',
  name: 'Its name contains the text, in any case.',
  part_of_reference:
    'Its reference contains the text, in any case; the text has at least three letters or digits in a row.',
} as const
type Match = keyof typeof matches

const MatchEnum = builder.enumType('SearchMatch', {
  description: 'Why an object is found.',
  values: described<Match>(matches),
})

type Found = { type: string; id: string; match: Match }

const places = Object.keys(matches)
const newest = 'created_at desc, id desc'

// In the text, because how frequent a value is decides which index is best.
const value = (text: string, type = 'text') => `${pg.escapeLiteral(text)}::${type}`

/** Returns a statement that reads rows of `Found`, best first. */
function statementOf(wanted: string, first: number, projectId: string | undefined): string {
  const own = projectId === undefined ? null : value(projectId, 'uuid')
  const ofProject = (column = 'project_id') => (own === null ? 'true' : `${column} = ${own}`)
  const parts: string[] = []
  const found = (type: string, match: Match, from: string, of: string) =>
    parts.push(
      `(select '${type}' as type, ${of}.id, '${match}' as match, ${places.indexOf(match)} as place, ${of}.created_at ${from} limit ${first})`,
    )
  /** The index begins with the project, so each is looked at. */
  const inEach = (type: string, match: Match, table: string, where: string) => {
    const rows = (project: string) => `from ${table} where project_id = ${project} and ${where} order by ${newest}`
    if (own !== null) return found(type, match, rows(own), table)
    const each = `(select id, created_at ${rows('projects.id')} limit ${first})`
    return found(type, match, `from projects cross join lateral ${each} as hit`, 'hit')
  }
  const { success: isId } = uuid.safeParse(wanted)
  if (isId) {
    const id = value(wanted, 'uuid')
    found('Receipt', 'id', `from receipts where id = ${id} and ${ofProject()}`, 'receipts')
    found(
      'Payment',
      'id',
      `from (select id, project_id, verified_at as created_at from payments) as payments where id = ${id} and ${ofProject()}`,
      'payments',
    )
    found('Agent', 'id', `from agents where id = ${id} and deleted_at is null and ${ofProject()}`, 'agents')
    found('Statement', 'id', `from statements where id = ${id} and ${ofProject()}`, 'statements')
    found('Project', 'id', `from projects where id = ${id} and ${ofProject('id')}`, 'projects')
  }
  const transaction = value(transactionKey(wanted))
  const legs = value(`${literally(transactionKey(wanted))}#%`)
  inEach('Receipt', 'settlement_tx', 'receipts', `(tx_key = ${transaction} or tx_key like ${legs})`)
  const hash = addressKey(wanted)
  if (/^0x[0-9a-f]{64}$/.test(hash)) {
    const of = value(hash)
    found(
      'Receipt',
      'anchor_tx',
      `from receipts where ledger_txid = ${of} and ${ofProject()} order by ${newest}`,
      'receipts',
    )
    found('Receipt', 'bundle_hash', `from receipts where bundle_hash = ${of} and ${ofProject()}`, 'receipts')
  }
  inEach('Receipt', 'reference', 'receipts', `reference = ${value(wanted)}`)
  const wallet = value(hash)
  inEach('Receipt', 'wallet', 'receipts', `sender_key = ${wallet}`)
  inEach('Receipt', 'wallet', 'receipts', `receiver_key = ${wallet}`)
  found(
    'Agent',
    'wallet',
    `from agents where wallet_address = ${wallet} and deleted_at is null and ${ofProject()} order by ${newest}`,
    'agents',
  )
  const part = value(`%${literally(wanted)}%`)
  // Not every locale of a database knows the small letters of others than ASCII.
  const named = `lower(name collate "pg_c_utf8") like lower(${part} collate "pg_c_utf8")`
  found(
    'Agent',
    'name',
    `from agents where ${named} and deleted_at is null and ${ofProject()} order by ${newest}`,
    'agents',
  )
  found('Project', 'name', `from projects where ${named} and ${ofProject('id')} order by ${newest}`, 'projects')
  // A text without three letters or digits has no trigram, so each reference would be read.
  const ascii = asciiPart(wanted)
  const inReference = [
    ...(hasSearchKey(wanted) ? [`reference_key like ${value(`%${searchKey(wanted)}%`)}`] : []),
    ...(ascii === null ? [] : [`reference ilike ${value(`%${literally(ascii)}%`)}`]),
  ]
  if (inReference.length > 0)
    found(
      'Receipt',
      'part_of_reference',
      `from receipts where ${[...inReference, ofProject()].join(' and ')} order by ${newest}`,
      'receipts',
    )

  return `select type, id, match from (
      select distinct on (type, id) * from (${parts.join('\n      union all ')}) as every order by type, id, place
    ) as once order by place, created_at desc, id desc limit ${first}`
}

/** Errors: `answer_too_large` where it takes too long. */
async function search({ reads, principal }: Context, { text, first }: z.output<typeof searchArguments>) {
  const statement = statementOf(text, first ?? usual, ownedBy(principal).projectId)
  const { rows } = await reads.query<Found>(statement).catch(error => {
    throw isBeyondLimits(error) ? new AppError('answer_too_large', undefined, { cause: error }) : error
  })
  return rows
}

const HitType = builder.objectRef<{ node: { id: string }; match: Match }>('SearchHit').implement({
  description: 'An object that a text names.',
  fields: t => ({
    match: t.field({
      type: MatchEnum,
      description: 'Why it is found; the best reason.',
      resolve: ({ match }) => match,
    }),
    node: t.field({ type: Node, description: 'The object.', resolve: ({ node }) => node }),
  }),
})

builder.queryField('search', t =>
  t.field({
    type: [HitType],
    description: `Finds receipts, payments, agents, statements and projects by their id, and receipts also by settlement or anchor transaction, bundle hash, wallet or reference, agents by wallet or name, and projects by name. Exact matches come first, then the newest. Of the caller’s project, or of all for a service administrator.`,
    args: argumentsOf(searchArguments),
    access: 'read',
    input: searchArguments,
    errors: ['answer_too_large'],
    extensions: { cost: 100, listSize: { assumedSize: usual, slicingArguments: ['first'], maxSize: most } },
    resolve: async (_, args, context, info) => {
      const found = await search(context, parse(searchArguments, args))
      const ids = new Map(
        [...Map.groupBy(found, ({ type }) => type)].map(([type, of]) => [type, of.map(({ id }) => id)] as const),
      )
      const nodes = await readNodes(context, ids, typeName =>
        queryFromInfo({ context, info, typeName, path: ['node'] }),
      )
      return found.flatMap(({ id, match }) => {
        const node = nodes.get(id)
        return node ? [{ node, match }] : []
      })
    },
  }),
)
