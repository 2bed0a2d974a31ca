// Stores statements that were made on request. A statement of what cannot change any more is made once: whoever asks
// again gets the same files.
import { sha256 } from '../../core/hash.ts'
import type { StatementKind } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import type { VerbTransaction } from '../../kit/verb.ts'
import { type KeptArtifact, storeArtifact } from '../artifacts/store.ts'
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
}

/** A statement that is stored already, or one to store. */
export type Prepared = { stored: string } | { made: Made }

/** Returns the name under which a statement is stored once. */
export const onceOf = (...parts: (string | number)[]): string => sha256(Buffer.from(JSON.stringify(parts), 'utf8'))

export async function storedOnce({ db }: App, once: string): Promise<string | null> {
  const row = await db.statement.findUnique({ where: { once }, select: { id: true } })
  return row?.id ?? null
}

/** Stores a statement. Returns its id with its audit row, as a verb does. */
export async function store(tx: VerbTransaction, prepared: Prepared) {
  if ('stored' in prepared) return { result: { id: prepared.stored }, audit: 'unchanged' as const }
  const { files, window, ...statement } = prepared.made
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
