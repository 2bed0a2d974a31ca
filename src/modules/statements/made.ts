// Stores statements that were made on request. A statement of what cannot change any more is made once: whoever asks
// again gets the same files.
import { AppError } from '../../core/errors.ts'
import { sha256 } from '../../core/hash.ts'
import type { StatementKind } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { inTransaction } from '../../kit/transaction.ts'
import type { VerbTransaction } from '../../kit/verb.ts'
import { dropBytes, type KeptArtifact, storeArtifact } from '../artifacts/store.ts'
import { lockUnerased } from '../receipts/texts.ts'
import type { StatementType } from './documents.ts'
import type { Window } from './window.ts'

type Made = {
  id: string
  projectId: string | null
  wallet: string | null
  /** The row of its only account. */
  accountId: string | null
  type: StatementType
  kind: Exclude<StatementKind, 'series' | 'earlier'>
  window: Window
  count: number
  /** Identifies what is stated, if it is stated once. */
  once: string | null
  files: KeptArtifact[]
  /** The receipts whose texts it states. */
  texts: string[]
}

/** A statement that is stored already, or one to store. */
export type Prepared = { stored: string } | { made: Made }

/** Returns the name under which a statement is stored once. */
export const onceOf = (...parts: (string | number)[]): string => sha256(Buffer.from(JSON.stringify(parts), 'utf8'))

export type Stated = {
  from: Date
  to: Date
  day: string
  accountId: string | null
  walletKey: string | null
  chainKey: string | null
  currency: string | null
}

/** Returns the names that a statement of a project can have. */
export const oncesOf = (projectId: string, stated: Stated): string[] => {
  const { from, to, day, accountId, walletKey, chainKey, currency } = stated
  const period = [from.toISOString(), to.toISOString()]
  return [
    onceOf('day', projectId, day),
    onceOf('day', projectId, day, accountId ?? ''),
    onceOf('project', projectId, ...period, '', '', ''),
    onceOf('project', projectId, ...period, walletKey ?? '', chainKey ?? '', currency ?? ''),
  ]
}

export async function storedOnce({ db }: App, once: string): Promise<string | null> {
  const row = await db.statement.findUnique({ where: { once }, select: { id: true } })
  return row?.id ?? null
}

/** Stores a statement. Returns its id with its audit row, as a verb does. Throws `conflict`. */
export async function store(app: App, tx: VerbTransaction, prepared: Prepared) {
  if ('stored' in prepared) return { result: { id: prepared.stored }, audit: 'unchanged' as const }
  const { files, texts, window, ...statement } = prepared.made
  if ((await lockUnerased(tx.sql, texts)).length < texts.length) {
    await inTransaction(app, async other => dropBytes(other, files))
    throw new AppError('conflict', 'A receipt was erased while its statement was made. Ask again.')
  }
  const { date: day, window: part, timeZone, from, to } = window
  const data = { ...statement, day, window: part, timeZone, from, to }
  const { count } = await tx.db.statement.createMany({ data, skipDuplicates: true })
  if (count === 0) {
    // Another request has stored it since.
    const { id } = await tx.db.statement.findFirstOrThrow({ where: { once: statement.once }, select: { id: true } })
    return { result: { id }, audit: 'unchanged' as const }
  }
  for (const file of files) await storeArtifact(tx, file)
  const { id, projectId, type, kind } = statement
  const details = { type, kind, date: day, window: part }
  return { result: { id }, audit: [{ objectType: 'statement', objectId: id, projectId, details }] }
}
