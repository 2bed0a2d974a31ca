// Joins the statements of several accounts in documents, for readers that want one document of a day. Each Stmt is
// taken as the text that was stored, so that a copy cannot differ from its original, whatever has changed since.
import { camt053 } from './camt053.ts'
import type { StatementHead } from './statement.ts'

/** A stored page of a camt.053 of one account. */
export type StoredPage = {
  xml: string
  /** The original is of the numbered series of its account, and the copy is marked as one. */
  isOfSeries: boolean
  entries: number
}

// Texts cannot contain these lines, because `<` is escaped in them.
const statement = { begin: '    <Stmt>\n', end: '    </Stmt>\n' }
const account = { begin: '          <o:Account ', end: '          </o:Account>\n' }
const periodEnd = '      </FrToDt>\n'
const copyMark = '      <CpyDplctInd>COPY</CpyDplctInd>\n'

type Lines = { begin: string; end: string }

/** Returns the text before, of and after the only element between these lines. */
function around(xml: string, { begin, end }: Lines): { before: string; element: string; after: string } {
  const [from, to] = [xml.indexOf(begin), xml.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`there is no ${begin.trim()} in the document`)
  const after = to + end.length
  return { before: xml.slice(0, from), element: xml.slice(from, after), after: xml.slice(after) }
}

function copied({ xml, isOfSeries }: StoredPage): string {
  const { element } = around(xml, statement)
  return isOfSeries ? element.replace(periodEnd, `${periodEnd}${copyMark}`) : element
}

/** Splits pages into groups of at most `most` entries. A page without entries counts as one entry. */
function grouped(pages: readonly StoredPage[], most: number): StoredPage[][] {
  const groups: StoredPage[][] = []
  let room = 0
  for (const page of pages) {
    const size = Math.max(page.entries, 1)
    if (size > room) {
      groups.push([])
      room = most
    }
    groups.at(-1)?.push(page)
    room -= size
  }
  return groups
}

/** Returns the documents of a statement over all these pages, of which there is at least one. */
export function joined(head: StatementHead, pages: readonly StoredPage[], entriesPerPage: number): string[] {
  const groups = grouped(pages, entriesPerPage)
  return groups.map((group, index) => {
    const frame = camt053.build({ statement: head, number: index + 1, count: groups.length, pieces: [] })
    const { before, after } = around(frame, statement)
    const end = '        </o:OnChainStatement>\n'
    const sums = group.map(({ xml }) => around(xml, account).element).join('')
    return `${before}${group.map(copied).join('')}${after.replace(end, () => `${sums}${end}`)}`
  })
}
