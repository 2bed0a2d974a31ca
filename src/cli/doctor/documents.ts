// Checks the files of trusted GraphQL documents.
import { readDocumentFiles } from '../../adapters/documents-file.ts'
import type { Env } from '../../env.ts'
import { about, type Finding } from './finding.ts'

export async function inspectDocuments({ graphql }: Pick<Env, 'graphql'>): Promise<Finding[]> {
  const { ok, fail } = about('documents')
  if (graphql.documentFiles.length === 0) return []
  // Loaded only here, because it takes longer than all other checks.
  const { openDocuments } = await import('../../graphql/trusted.ts')
  const read = await readDocumentFiles(graphql.documentFiles)
  const opened = 'faults' in read ? read : openDocuments({ ...graphql, listed: read.listed })
  if ('faults' in opened) return opened.faults.map(fail)
  return [ok(`All trusted documents can be executed${graphql.isClosed ? ', and no others are' : ''}.`)]
}
