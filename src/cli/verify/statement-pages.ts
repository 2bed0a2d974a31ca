// Compares the pages of a numbered statement that are beside its bundle with the hashes in the bundle.
import { z } from 'zod'
import { sha256 } from '../../core/hash.ts'
import { visible } from '../../core/visible.ts'
import type { BundleParts } from '../../modules/evidence/bundle.ts'
import type { ZipEntry } from '../../modules/evidence/zip.ts'
import { type CheckResult, failed, passed, skipped } from '../../modules/verification/check.ts'

export const pageName = /^camt053(-\d{4,})?\.xml$/

const statement = z.object({ pages: z.array(z.object({ name: z.string(), sha256: z.string() })) })

/** Returns the pages that `statement.json` lists and the bundle does not contain; none if it is no statement. */
function pagesOutside({ files }: BundleParts) {
  const json = files.find(({ name }) => name === 'statement.json')
  if (json === undefined) return []
  const { pages } = statement.parse(JSON.parse(json.bytes.toString('utf8')))
  return pages.filter(page => !files.some(({ name }) => name === page.name))
}

/** Null where there are no pages beside the bundle. The bundle's signature and hashes have been checked. */
export function checkPages(parts: BundleParts, input: readonly ZipEntry[]): CheckResult | null {
  const outside = pagesOutside(parts)
  if (outside.length === 0) return null
  const named = outside.map(page => ({ ...page, bytes: input.find(({ name }) => name === page.name)?.bytes }))
  const wrong = named.filter(({ bytes, sha256: hash }) => bytes !== undefined && sha256(bytes) !== hash)
  const missing = named.filter(({ bytes }) => bytes === undefined)
  const list = (pages: { name: string }[]) => pages.map(({ name }) => visible(name)).join(', ')
  const finding =
    wrong.length > 0
      ? failed(`Not the pages that the bundle names: ${list(wrong)}.`)
      : missing.length > 0
        ? skipped(`Put the pages into the folder of the bundle. Missing: ${list(missing)}.`)
        : passed()
  return { id: 'statement_page_mismatch', title: 'The pages beside the bundle are those of the statement', ...finding }
}
