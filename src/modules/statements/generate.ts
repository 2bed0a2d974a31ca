// Makes a statement: camt.053 for a whole day, camt.052 for part of one. Each is a new one; the earlier ones stay.
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { actorOf, ownProject } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Context } from '../../kit/context.ts'
import { type VerbTransaction, verb } from '../../kit/verb.ts'
import { inLife } from '../artifacts/facts.ts'
import { camt052 } from '../artifacts/messages/camt052.ts'
import { camt053 } from '../artifacts/messages/camt053.ts'
import { fileName } from '../artifacts/messages/message.ts'
import { type AccountFacts, type Page, pagesOf } from '../artifacts/messages/statement.ts'
import { readAnchors, readFacts } from '../artifacts/read-facts.ts'
import { storeArtifact } from '../artifacts/store.ts'
import type { Organisation } from '../settings/organisation.ts'
import { presentOrganisation } from '../settings/read.ts'
import { type AccountMovements, collect } from './collect.ts'
import { windowInput, windowOf } from './window.ts'

// One page is built at a stretch, while other requests wait: about an eighth of a second.
const entriesPerPage = 250
const mostEntries = 10_000

export const generateStatementInput = z.strictObject({
  projectId: uuid.nullish().describe('The project; needed from a service administrator, else the key’s own.'),
  ...windowInput,
})

/** Errors: `not_found`, `validation_failed`, `statement_too_large`. */
export const generateStatement = verb({
  name: 'statement.generate',
  access: 'write',
  input: generateStatementInput,
  async run(tx, input, context) {
    const at = new Date()
    const window = windowOf(input, at)
    const projectId = await projectOf(tx, context, input.projectId ?? null)
    const collected = await collect(tx.sql, projectId, window.from, window.to)
    const count = collected.reduce((sum, { movements }) => sum + movements.length, 0)
    if (count + collected.length > mostEntries) throw new AppError('statement_too_large')
    const organisation = await presentOrganisation(context, tx.sql)
    const accounts = await accountsOf(context, tx, collected, organisation)
    const message = window.isWholeDay ? camt053 : camt052
    const { from, to } = window
    const statement = await tx.db.statement.create({
      data: { id: randomUUID(), projectId, type: message.type, from, to, count },
    })
    const pages = pagesOf({ id: statement.id, at, from, to, organisation, accounts }, entriesPerPage)
    for (const [index, page] of pages.entries()) {
      const name = fileName(message.type, pages.length === 1 ? '' : `-${String(index + 1).padStart(4, '0')}`)
      await store(tx, statement.id, message, page, name)
      await setImmediate()
    }
    tx.audit({
      action: 'statement.generate',
      objectType: 'statement',
      objectId: statement.id,
      projectId,
      actor: actorOf(context.principal),
      details: { type: message.type, date: window.date, window: window.window },
    })
    return statement
  },
})

async function projectOf(tx: VerbTransaction, { principal }: Context, asked: string | null): Promise<string> {
  if (principal.kind !== 'admin') {
    const own = ownProject(principal)
    if (asked !== null && asked !== own) throw notFound('project')
    return own
  }
  if (asked === null) throw new AppError('project_key_required')
  if ((await tx.db.project.count({ where: { id: asked } })) === 0) throw notFound('project')
  return asked
}

async function accountsOf(context: Context, tx: VerbTransaction, collected: AccountMovements[], present: Organisation) {
  const ids = [...new Set(collected.flatMap(({ movements }) => movements.map(({ id }) => id)))]
  const anchors = await readAnchors(tx.sql, ids)
  const recorded = new Map((await readFacts(context, tx.sql, ids)).map(facts => [facts.receipt.id, facts]))
  return collected.map(
    ({ wallet, chain, currency, exact, inBand, movements }): AccountFacts => ({
      wallet,
      chain,
      currency,
      opening: { exact, inBand },
      entries: movements.map(({ id, side }) => {
        const facts = recorded.get(id)
        if (facts === undefined) throw new Error(`receipt ${id} vanished`)
        const { receipt, organisation } = facts
        const anchor = anchors.get(id) ?? null
        // Ids as in the receipt's other messages; currencies as in the account, which is of today.
        const mapping = { ...organisation.mapping, assets: present.mapping.assets }
        return {
          side,
          facts: {
            receipt,
            anchor,
            organisation: { ...organisation, mapping },
            occasion: inLife(receipt, anchor?.anchoredAt ?? receipt.createdAt),
          },
        }
      }),
    }),
  )
}

type StatementMessage = typeof camt052 | typeof camt053

const store = (tx: VerbTransaction, statementId: string, message: StatementMessage, page: Page, name: string) =>
  storeArtifact(tx, {
    owner: { statementId },
    type: message.type,
    version: message.version,
    name,
    mediaType: 'application/xml',
    bytes: Buffer.from(message.build(page)),
  })
