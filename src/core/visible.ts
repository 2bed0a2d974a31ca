// Finds characters that are invisible or change how others appear: white space other than the plain space, direction
// overrides, joiners. A label with such characters can imitate an amount, so pages and terminals print their names.

// U+2800 is a blank that Unicode counts as a symbol.
const invisible = /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[ ]]/gv

const nameOf = (char: string): string => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Splits the text into unchanged pieces and the names of such characters, for instance `U+202E`. */
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

/** Returns the text as one line in which each such character is written as `⟨U+202E⟩`. */
export const visible = (text: string): string =>
  visiblePieces(text)
    .map(piece => (piece.isName ? `⟨${piece.text}⟩` : piece.text))
    .join('')
