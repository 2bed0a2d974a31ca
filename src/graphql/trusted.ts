// The documents that the operator lists, by their ids: parsed, bounded, validated and prepared before the service
// starts.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createDocuments, type Documents, type KnownDocument } from './documents.ts'
import { noIntrospection } from './no-introspection.ts'
import { onePaidField } from './one-paid-field.ts'
import { schema } from './schema.ts'

/** A document with the id under which a file lists it. */
type Listed = { file: string; id: string; text: string }

export type TrustedDocuments = Documents & {
  /** Returns the text of a trusted document. */
  textOf(id: string): string | undefined
  /** Whether anyone may request the schema. */
  isIntrospectable: boolean
  /**
   * Replaces the listed documents. Returns a fault for each that cannot be executed, or whose id is that of another
   * text; then nothing changes.
   */
  replace(listed: readonly Listed[]): string[]
}

const ownDocument = new URL('../web/receipt.graphql', import.meta.url)

/** The document of the receipt page. Named by the prefix that GraphQL over HTTP reserves for such ids. */
const own = (): Listed => ({
  file: ownDocument.pathname,
  id: 'x-quittance:receipt-page',
  text: readFileSync(ownDocument, 'utf8'),
})

type Options = { listed: readonly Listed[]; isClosed: boolean; isIntrospectable: boolean }

/** Returns a fault for each listed document that cannot be executed, or whose id is that of another text. */
export function openDocuments({
  listed,
  isClosed,
  isIntrospectable,
}: Options): { documents: TrustedDocuments } | { faults: string[] } {
  const rules = isIntrospectable ? [onePaidField] : [onePaidField, noIntrospection]
  const documents = createDocuments(schema, rules, { isClosed, hidesSchema: !isIntrospectable })
  let byId: ReadonlyMap<string, string> = new Map()

  function replace(listed: readonly Listed[]): string[] {
    const next = new Map<string, string>()
    const trusted: KnownDocument[] = []
    const faults = [own(), ...listed].flatMap(one => {
      const fault = trust(one, next, trusted)
      return fault === null ? [] : [`${one.file} ${one.id}: ${fault}`]
    })
    if (faults.length > 0) return faults
    byId = next
    documents.trustOnly(trusted)
    return []
  }

  function trust({ id, text }: Listed, byId: Map<string, string>, trusted: KnownDocument[]): string | null {
    const key = plainId(id)
    if (!isRightHash(key, text)) return 'the id has the form of a hash, but is not the hash of the text'
    if ((byId.get(key) ?? text) !== text) return 'the id is also that of another text'
    try {
      trusted.push(documents.trustworthy(text))
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
    byId.set(key, text).set(sha256(text), text)
    return null
  }

  const faults = replace(listed)
  if (faults.length > 0) return { faults }
  const textOf = (id: string) => byId.get(plainId(id))
  return { documents: { ...documents, textOf, isIntrospectable: isIntrospectable && !isClosed, replace } }
}

/** Returns whether the id, with or without its prefix, is the SHA-256 of the text. */
export const isSha256Of = (id: string, text: string): boolean => plainId(id) === sha256(text)

const plainId = (id: string): string => id.replace(/^sha256:(?=[0-9a-f]{64}$)/, '')

const hashOf = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')
const sha256 = (text: string) => hashOf('sha256', text)

/** The hashes of Relay, of the client preset, and of Apollo, by the number of their hex digits. */
const algorithms = new Map([
  [32, 'md5'],
  [40, 'sha1'],
  [64, 'sha256'],
])

function isRightHash(id: string, text: string): boolean {
  const algorithm = /^[0-9a-f]+$/.test(id) ? algorithms.get(id.length) : undefined
  return algorithm === undefined || hashOf(algorithm, text) === id
}
