// The ZIP with one document for each account and page: many programs for bookkeeping merge the accounts of one
// document.

import type { NewArtifact } from '../artifacts/store.ts'
import { writeZip } from '../evidence/zip.ts'
import { type AccountKey, accountId } from '../iso20022/slots.ts'
import { type Document, pageNames, type StatementType } from './documents.ts'

export type AccountDocuments = AccountKey & { documents: readonly Document[] }

/** Returns the archive, whose files are called after the ids of the accounts in the messages. */
export async function archiveOf(
  statementId: string,
  type: StatementType,
  accounts: readonly AccountDocuments[],
): Promise<NewArtifact> {
  const entries = accounts.flatMap(({ documents, ...key }) => {
    const names = pageNames(type, documents.length)
    return documents.map(({ bytes }, index) => ({ name: `${accountId(key)}-${names[index]}`, bytes }))
  })
  return {
    owner: { statementId },
    type: 'statements',
    version: 'zip',
    name: 'statements.zip',
    mediaType: 'application/zip',
    bytes: await writeZip(entries),
  }
}
