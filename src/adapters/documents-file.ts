// Reads files of GraphQL documents, as the tools of clients write them: `{ "<id>": "<document>" }` (the client preset
// of GraphQL Code Generator, and Relay), or the manifest of Apollo.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { withoutMark } from '../core/text.ts'

const manifest = z
  .object({
    format: z.literal('apollo-persisted-query-manifest'),
    version: z.literal(1),
    operations: z.array(z.object({ id: z.string().min(1), body: z.string() })),
  })
  .transform(({ operations }) => operations.map(({ id, body: text }) => ({ id, text })))
const byId = z
  .record(z.string().min(1), z.string())
  .transform(texts => Object.entries(texts).map(([id, text]) => ({ id, text })))

type Listed = { file: string; id: string; text: string }

/** Returns the documents of all files, or a readable line for each fault. */
export async function readDocumentFiles(
  files: readonly string[],
): Promise<{ listed: Listed[] } | { faults: string[] }> {
  const read = await Promise.all(files.map(readDocumentFile))
  const faults = read.flatMap(one => ('faults' in one ? one.faults : []))
  return faults.length > 0 ? { faults } : { listed: read.flatMap(one => ('listed' in one ? one.listed : [])) }
}

async function readDocumentFile(file: string): Promise<{ listed: Listed[] } | { faults: string[] }> {
  let content: unknown
  try {
    content = JSON.parse(withoutMark(await readFile(file, 'utf8')))
  } catch (error) {
    return { faults: [`${file} cannot be read: ${error instanceof Error ? error.message : error}`] }
  }
  const { success, data, error } = (isManifest(content) ? manifest : byId).safeParse(content)
  if (!success) return { faults: error.issues.map(({ path, message }) => `${file} ${path.join('.')} ${message}`) }
  return data.length > 0 ? { listed: data.map(one => ({ file, ...one })) } : { faults: [`${file} lists no documents`] }
}

const isManifest = (content: unknown): boolean =>
  typeof content === 'object' && content !== null && Array.isArray(Reflect.get(content, 'operations'))
