// Builds the evidence bundle of a numbered statement: what it states, the hashes of its pages, and the page itself
// where it is the only one and fits. Several pages would exceed the size of a bundle.
import { canonicalJson } from '../../core/canonical.ts'
import { sha256 } from '../../core/hash.ts'
import type { Signer } from '../../ports/signer.ts'
import type { ReceiptFacts } from '../iso20022/facts.ts'
import { signed } from './bundle.ts'
import { writeStatementManifest } from './manifest.ts'
import { maxZipBytes, type ZipEntry } from './zip.ts'

export type SealedStatement = {
  id: string
  /** From 1 in the series of the account, without gaps. */
  number: number
  account: { id: string; wallet: string; chain: string; currency: string }
  /** YYYY-MM-DD in the time zone. */
  day: string
  timeZone: string
  from: Date
  /** Exclusive. */
  to: Date
  /** Exact balances: signed plain decimals. */
  opening: string
  closing: string
  entries: number
  createdAt: Date
  project: ReceiptFacts['project']
}

const statementJson = (statement: SealedStatement, pages: readonly ZipEntry[]): Buffer =>
  canonicalJson({
    id: statement.id,
    number: statement.number,
    account: statement.account,
    day: statement.day,
    time_zone: statement.timeZone,
    from: statement.from.toISOString(),
    to: statement.to.toISOString(),
    opening: statement.opening,
    closing: statement.closing,
    entries: statement.entries,
    created_at: statement.createdAt.toISOString(),
    project: { id: statement.project.id, owner_wallet: statement.project.ownerWallet },
    pages: pages.map(({ name, bytes }) => ({ name, sha256: sha256(bytes), size: bytes.length })),
  })

/** Builds and signs the bundle of a statement with these pages; `bundleHash` is its 0x-prefixed SHA-256. */
export async function buildStatementBundle(
  statement: SealedStatement,
  pages: readonly ZipEntry[],
  signer: Signer,
): Promise<{ bytes: Buffer; bundleHash: string }> {
  const content = { name: 'statement.json', bytes: statementJson(statement, pages) }
  const withPages = (inside: readonly ZipEntry[]) =>
    signed([...inside, content], signer, files => writeStatementManifest(statement, signer.keyId, files))
  const whole = pages.length === 1 ? await withPages(pages) : null
  return whole !== null && whole.bytes.length <= maxZipBytes ? whole : withPages([])
}
