// Makes a statement: camt.053 for a whole day, camt.052 for part of one. Each is a new one; the earlier ones stay.
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import { actorOf, ownProject } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { App, Context } from '../../kit/context.ts'
import { oneAtATime } from '../../kit/one-at-a-time.ts'
import { perApp } from '../../kit/per-app.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { verb } from '../../kit/verb.ts'
import { inLife } from '../artifacts/facts.ts'
import { camt052 } from '../artifacts/messages/camt052.ts'
import { camt053 } from '../artifacts/messages/camt053.ts'
import { fileName } from '../artifacts/messages/message.ts'
import { type AccountFacts, pagesOf } from '../artifacts/messages/statement.ts'
import { readAnchors, readFacts } from '../artifacts/read-facts.ts'
import { type NewArtifact, storeArtifact } from '../artifacts/store.ts'
import type { Organisation } from '../settings/organisation.ts'
import { presentOrganisation } from '../settings/read.ts'
import { type AccountMovements, collect } from './collect.ts'
import { type Window, windowInput, windowOf } from './window.ts'

// One page is built at a stretch, while other requests wait: about an eighth of a second.
const entriesPerPage = 250
const mostEntries = 10_000
// A large one takes seconds of a processor. Whoever comes when so many wait is asked to come again.
const waitingAtMost = 16

const queue = perApp(() => oneAtATime(waitingAtMost))

export const generateStatementInput = z.strictObject({
  projectId: uuid.nullish().describe('The project; needed from a service administrator, else the key’s own.'),
  ...windowInput,
})

type Prepared = { id: string; projectId: string; type: string; window: Window; count: number; pages: NewArtifact[] }

/** Errors: `not_found`, `project_key_required`, `validation_failed`, `statement_too_large`, `too_many_requests`. */
export const generateStatement = verb({
  name: 'statement.generate',
  access: 'write',
  input: generateStatementInput,
  async prepare(input, context): Promise<Prepared> {
    const window = windowOf(input, new Date())
    const projectId = await projectOf(context, input.projectId ?? null)
    return queue(context)(() => build(context, projectId, window))
  },
  async run(tx, _, { principal }, { pages, window, ...statement }) {
    const { from, to } = window
    const made = await tx.db.statement.create({ data: { ...statement, from, to } })
    for (const page of pages) await storeArtifact(tx, page)
    tx.audit({
      action: 'statement.generate',
      objectType: 'statement',
      objectId: made.id,
      projectId: made.projectId,
      actor: actorOf(principal),
      details: { type: made.type, date: window.date, window: window.window },
    })
    return made
  },
})

async function projectOf({ principal, db }: Context, asked: string | null): Promise<string> {
  if (principal.kind !== 'admin') {
    const own = ownProject(principal)
    if (asked !== null && asked !== own) throw notFound('project')
    return own
  }
  if (asked === null) throw invalid([{ path: ['input', 'projectId'], message: 'Field required', type: 'missing' }])
  if ((await db.project.count({ where: { id: asked } })) === 0) throw notFound('project')
  return asked
}

async function build(app: App, projectId: string, window: Window): Promise<Prepared> {
  const { from, to } = window
  const sql = sqlOf(app.pool)
  const [id, at] = [randomUUID(), new Date()]
  const collected = await collect(sql, projectId, from, to)
  const count = collected.reduce((sum, { movements }) => sum + movements.length, 0)
  if (count > mostEntries) throw new AppError('statement_too_large')
  const organisation = await presentOrganisation(app, sql)
  const accounts = await accountsOf(app, collected, organisation)
  const message = window.isWholeDay ? camt053 : camt052
  const pages: NewArtifact[] = []
  const content = pagesOf({ id, at, from, to, organisation, accounts }, entriesPerPage)
  for (const [index, page] of content.entries()) {
    const suffix = content.length === 1 ? '' : `-${String(index + 1).padStart(4, '0')}`
    const { type, version } = message
    const bytes = Buffer.from(message.build(page))
    pages.push({
      owner: { statementId: id },
      type,
      version,
      name: fileName(type, suffix),
      mediaType: 'application/xml',
      bytes,
    })
    await setImmediate()
  }
  return { id, projectId, type: message.type, window, count, pages }
}

async function accountsOf(app: App, collected: AccountMovements[], present: Organisation): Promise<AccountFacts[]> {
  const sql = sqlOf(app.pool)
  const ids = [...new Set(collected.flatMap(({ movements }) => movements.map(({ id }) => id)))]
  const anchors = await readAnchors(sql, ids)
  const recorded = new Map((await readFacts(app, sql, ids)).map(facts => [facts.receipt.id, facts]))
  return collected.map(({ wallet, chain, currency, exact, inBand, movements }) => ({
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
      const occasion = inLife(receipt, anchor?.anchoredAt ?? receipt.createdAt)
      return { side, facts: { receipt, anchor, organisation: { ...organisation, mapping }, occasion } }
    }),
  }))
}
