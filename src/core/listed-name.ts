// Normalises addresses and names for comparison with a list: only spellings that cannot change the identity are equal.

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

// Most entries of a list of millions are ASCII, for which normalising costs a tenth of the time.
const ascii = /^[\x20-\x7e]*$/
const spaces = /[\s\p{Z}\p{Cc}]+/gu
// Zero-width characters, marks of writing direction, variation selectors, soft hyphens.
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

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

const bare = (text: string) =>
  ascii.test(text) ? text.replace(/\s+/g, '') : text.normalize('NFKC').replace(invisible, '').replace(spaces, '')
const hex = /^(?:0x)?([0-9a-f]{40}|[0-9a-f]{64})$/i

/** Normalises an address without spaces: hex to lower-case with `0x`, other text in upper-case only to lower-case. */
function foldedAddress(text: string): string {
  const digits = hex.exec(text)?.[1]
  if (digits !== undefined) return `0x${digits.toLowerCase()}`
  // Base58 distinguishes addresses by case; bech32 may be written all in upper-case.
  return text === text.toUpperCase() || /^0x[0-9a-f]+$/i.test(text) ? text.toLowerCase() : text
}

/** Returns the normalised address without a chain's name, as in CAIP-10 (`eip155:1:0x…`) and ERC-3770 (`eth:0x…`). */
export const addressKey = (text: string): string => {
  const whole = bare(text)
  return foldedAddress(whole.slice(whole.lastIndexOf(':') + 1))
}

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
