// Writes a numbered statement: its pages and its signed bundle, which is then anchored. It states the entries with
// which it was numbered, under the configuration of that time. What is written never changes, and is never written
// again.

import { plainAmount } from '../../core/amount.ts'
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { task } from '../../kit/task.ts'
import { inTransaction, sqlOf, type Transaction } from '../../kit/transaction.ts'
import { readProvenWallets } from '../artifacts/read-facts.ts'
import { bundleArtifact, dropBytes, type KeptArtifact, storeArtifacts } from '../artifacts/store.ts'
import { anchoringOf } from '../evidence/anchoring-of.ts'
import { demandLiveKey } from '../evidence/keys.ts'
import { openAnchors } from '../evidence/open-anchors.ts'
import { buildStatementBundle, type SealedStatement } from '../evidence/statement-bundle.ts'
import { type AccountKey, accountId } from '../iso20022/slots.ts'
import { configOf } from '../projects/config.ts'
import { lockUnerased, unerased } from '../receipts/texts.ts'
import type { Configuration } from '../settings/organisation.ts'
import { configurationAt } from '../settings/read.ts'
import { bookingsOf } from './bookings.ts'
import type { Movement } from './collect.ts'
import { documentsOf, filesOf, kept } from './documents.ts'

// Delays the anchor job, so that the statements of many accounts share one transaction.
const anchorWindowMs = 5_000

type Numbered = SealedStatement &
  Omit<AccountKey, 'currency'> & {
    configVersion: number | null
    projectConfigVersion: number | null
    config: unknown
  }

export const writeStatement = task(jobs.writeStatement, (app, { statement }) => writeNumbered(app, statement))

/** Writes the statement unless it is written already; anew where a receipt was erased meanwhile. */
export async function writeNumbered(app: App, id: string): Promise<void> {
  while (!(await isWritten(app, id)));
}

async function isWritten(app: App, id: string): Promise<boolean> {
  const statement = await readNumbered(app, id)
  if (statement === null) return true
  const movements = await movementsOf(app, id)
  const texts = await unerased(sqlOf(app.pool), [...new Set(movements.map(movement => movement.id))])
  const organisation = await configurationAt(app, sqlOf(app.pool), {
    organisation: statement.configVersion,
    project: statement.projectConfigVersion,
  })
  const pages = (await pagesOf(app, statement, movements, organisation)).map(({ bytes }) => bytes)
  const files = filesOf(id, 'camt.053', pages)
  const { bytes, bundleHash } = await buildStatementBundle(statement, files, app.signer)
  const artifacts = await kept(app, [...files, bundleArtifact({ statementId: id }, app.signer, bytes)])
  return inTransaction(app, async tx => {
    const still = await lockUnerased(tx.sql, texts)
    if (still.length < texts.length) dropBytes(tx, artifacts)
    else await seal(app, tx, { id, bundleHash, artifacts, statement, organisation })
    return still.length === texts.length
  })
}

/** Returns null for a statement that is written. */
async function readNumbered(app: App, id: string): Promise<Numbered | null> {
  const [row] = await sqlOf(app.pool)<Omit<Numbered, 'account'> & { wallet: string; chain: string; currency: string }>(
    `select s.id, s.number, s.day, s.time_zone as "timeZone", s.from, s.to, s.opening::text, s.closing::text,
       s.count as entries, s.created_at as "createdAt",
       s.config_version as "configVersion", s.project_config_version as "projectConfigVersion", c.config,
       a.wallet, a.chain, a.wallet_key as "walletKey", a.chain_key as "chainKey", a.currency, json_build_object('id', p.id, 'ownerWallet', p.owner_wallet) as project
     from statements s join statement_accounts a on a.id = s.account_id join projects p on p.id = s.project_id
       left join project_configs c on c.version = s.project_config_version
     where s.id = $1::uuid and s.status = 'pending'`,
    [id],
  )
  if (row === undefined) return null
  const { wallet, chain, currency, walletKey, chainKey, ...numbered } = row
  return {
    ...numbered,
    opening: plainAmount(row.opening),
    closing: plainAmount(row.closing),
    account: { id: accountId({ walletKey, chainKey, currency }), wallet, chain, currency },
    walletKey,
    chainKey,
  }
}

const movementsOf = (app: App, id: string) =>
  sqlOf(app.pool)<Movement>(
    `select receipt_id as id, side, booked_at as "bookedAt" from statement_entries where statement_id = $1::uuid
     order by booked_at, receipt_id, side`,
    [id],
  )

async function pagesOf(app: App, statement: Numbered, movements: Movement[], organisation: Configuration) {
  const { id, number, from, to, timeZone, createdAt: at, account, walletKey, chainKey, opening } = statement
  const sql = sqlOf(app.pool)
  const naming = { present: organisation, namesOf: (own: Configuration) => own, signal: null }
  const entries = await bookingsOf(app, movements, naming)
  const { wallet, chain, currency } = account
  const isProven = (await readProvenWallets(sql, statement.project.id)).has(walletKey)
  const accounts = [{ wallet, chain, walletKey, chainKey, currency, isProven, opening, entries }]
  const head = { id, at, from, to, timeZone, number, isProvisional: false, organisation }
  return documentsOf(app, 'camt.053', { ...head, accounts }, null)
}

type Written = {
  id: string
  bundleHash: string
  artifacts: KeptArtifact[]
  statement: Numbered
  organisation: Configuration
}

async function seal(
  app: App,
  tx: Transaction,
  { id, bundleHash, artifacts, statement, organisation }: Written,
): Promise<void> {
  await demandLiveKey(tx, app.signer)
  const moved = await tx.sql(
    `update statements set status = 'awaiting_anchor', bundle_hash = $2 where id = $1::uuid and status = 'pending' returning id`,
    [id, bundleHash],
  )
  if (moved.length === 0) return
  await storeArtifacts(tx, artifacts)
  const config = configOf(statement.config === null ? null : { config: statement.config })
  if (app.paymentChains.has(statement.chainKey)) {
    tx.job(jobs.closingBalance({ statement: id, chain: statement.chainKey }))
  }
  const { isTenant, chains } = anchoringOf(app, config, organisation)
  await openAnchors(
    tx,
    chains.map(chain => ({ owner: { statementId: id }, bundleHash, chain, isTenant })),
    anchorWindowMs,
  )
  const { project, number, day } = statement
  tx.audit({
    action: 'statement.make',
    objectType: 'statement',
    objectId: id,
    projectId: project.id,
    actor: 'worker',
    details: { number, day, account: statement.account.id },
  })
}

/** Enqueues the job of each statement that waits without one. */
export async function wakeStatements(app: App): Promise<void> {
  const { rows } = await app.pool.query<{ id: string; projectId: string }>(
    `select id, project_id as "projectId" from statements s where status = 'pending' and created_at < now() - interval '10 seconds'
       and not ${jobs.writeStatement.isQueued('s.id')} order by created_at limit 1000`,
  )
  if (rows.length === 0) return
  await inTransaction(app, async tx =>
    tx.job(...rows.map(({ id, projectId }) => jobs.writeStatement({ statement: id, projectId }))),
  )
}
