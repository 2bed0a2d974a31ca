// Writes the documents of statements, and keeps them as files.
import type { App } from '../../kit/context.ts'
import { type KeptArtifact, keepBytes, type NewArtifact } from '../artifacts/store.ts'
import { camt052 } from '../iso20022/messages/camt052.ts'
import { camt053 } from '../iso20022/messages/camt053.ts'
import { fileName } from '../iso20022/messages/message.ts'
import { pagesOf, type StatementFacts } from '../iso20022/messages/statement.ts'
import { writePage } from './pages.ts'

export const entriesPerPage = 250

export type StatementType = 'camt.052' | 'camt.053'
export type Document = { bytes: Buffer; entries: number }

/** Writes one document after the other. Throws `caller_gone`. */
export async function documentsOf(
  app: App,
  type: StatementType,
  facts: StatementFacts,
  signal: AbortSignal | null,
): Promise<Document[]> {
  const documents: Document[] = []
  for (const page of pagesOf(facts, entriesPerPage)) {
    const bytes = await writePage(app, { type, page }, signal)
    documents.push({ bytes, entries: page.pieces.reduce((sum, { entries }) => sum + entries.length, 0) })
  }
  return documents
}

/** Returns the names of the files, in the order of the pages: `camt053.xml`, or `camt053-0001.xml` and so on. */
export const pageNames = (type: StatementType, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    fileName(type, count === 1 ? '' : `-${String(index + 1).padStart(4, '0')}`),
  )

/** Returns the pages of a statement as files that are not kept yet. */
export function filesOf(statementId: string, type: StatementType, pages: readonly Buffer[]): NewArtifact[] {
  const { version } = type === 'camt.053' ? camt053 : camt052
  const names = pageNames(type, pages.length)
  return pages.map((bytes, index) => ({
    owner: { statementId },
    type,
    version,
    name: names[index] ?? '',
    mediaType: 'application/xml',
    bytes,
  }))
}

export async function kept(app: App, files: readonly NewArtifact[]): Promise<KeptArtifact[]> {
  const done: KeptArtifact[] = []
  for (const file of files) done.push(await keepBytes(app, file))
  return done
}
