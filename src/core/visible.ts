// Characters that nobody sees, or that change how others are seen: white space but the plain one, direction overrides, what
// joins or hides. A label with them can show an amount that is none, so pages and terminals name them.

// U+2800 is a blank that Unicode counts as a symbol.
const invisible = /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[ ]]/gv

const nameOf = (char: string): string => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** The text in pieces: as it stands, or the name of a character such as `U+202E`. */
export function visiblePieces(text: string): { text: string; isName: boolean }[] {
  const pieces: { text: string; isName: boolean }[] = []
  let end = 0
  for (const { 0: char, index } of text.matchAll(invisible)) {
    if (index > end) pieces.push({ text: text.slice(end, index), isName: false })
    pieces.push({ text: nameOf(char), isName: true })
    end = index + char.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isName: false })
  return pieces
}

/** One line of plain text in which each such character stands as `⟨U+202E⟩`. */
export const visible = (text: string): string =>
  visiblePieces(text)
    .map(piece => (piece.isName ? `⟨${piece.text}⟩` : piece.text))
    .join('')
