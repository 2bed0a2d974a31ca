// Normalises addresses and names for comparison with a list: only spellings that cannot change the identity are equal.
import { addressKey, ascii, invisible, spaces } from './identity.ts'

// Letters with a stroke and the like, which Unicode does not decompose into a base letter and a mark.
const folded: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}
const toFold = new RegExp(`[${Object.keys(folded).join('')}]`, 'g')

/**
 * Normalises a name: removes case, diacritics, punctuation, invisible characters and repeated spaces. Hyphens, slashes
 * and any of `_,;|+&` separate words, other punctuation does not. Empty when nothing is left.
 */
export const nameKey = (text: string): string =>
  ascii.test(text)
    ? text
        .toLowerCase()
        .replace(/[-/_,;|+&\s]+/g, ' ')
        .replace(/[^a-z0-9 ]+/g, '')
        .replace(/ +/g, ' ')
        .trim()
    : foldedName(text)

const foldedName = (text: string): string =>
  text
    .normalize('NFKD')
    // Upper-case first, because some letters have several lower-case forms, or become two letters.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(invisible, '')
    .replace(/\p{M}/gu, '')
    .replaceAll('ς', 'σ')
    .replace(toFold, letter => folded[letter] ?? letter)
    .replace(/[\p{Pd}/_,;|+&]+/gu, ' ')
    .replace(/[\p{P}\p{S}]+/gu, '')
    .replace(spaces, ' ')
    .trim()

// Shorter text, or text without a digit, is a name.
const addressLike = /^(?=.*\d)[0-9A-Za-z]{20,}$/

/** Returns `a:` and an address, or `n:` and a name; null when there is nothing to compare. */
export function listKey(text: string): string | null {
  const address = addressKey(text)
  // A name has spaces between its words.
  if (addressLike.test(address) && !/\p{L}\s+\p{L}/u.test(text.trim())) return `a:${address}`
  const name = nameKey(text)
  return name === '' ? null : `n:${name}`
}
