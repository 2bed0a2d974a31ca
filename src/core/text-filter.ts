// Filters by a text, and the key by which texts with other than ASCII characters are found.
import { z } from 'zod'
import { text } from './text.ts'

export const textFilter = z
  .strictObject({
    eq: text().nullish().describe('Is this text.'),
    startsWith: text().nullish().describe('Begins with this text, in the same case.'),
    contains: text().nullish().describe('Contains this text, in the same case.'),
    containsIgnoreCase: text().nullish().describe('Contains this text, in any case.'),
  })
  .meta({
    graphql: 'TextFilter',
    description: 'Is met by texts that meet all the given conditions, literally: no character stands for others.',
  })
export type TextFilter = z.output<typeof textFilter>

/** Returns the text for LIKE, in which some characters stand for others. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Whether the database has a key for the text: trigrams of its index are made of ASCII letters and digits alone. */
export const hasSearchKey = (text: string): boolean => /\P{ASCII}/u.test(text)

/**
 * Returns the key of a text in small letters: each byte is a `g` and two hexadecimal digits, so that a key is in
 * another only where its bytes are. As `search_key()` in the database.
 */
export function searchKey(text: string): string {
  // One character for each, as PostgreSQL does it: of İ comes i without a dot above it.
  const small = [...text].map(character => [...character.toLowerCase()][0]).join('')
  return Buffer.from(small).toString('hex').replace(/../g, 'g$&')
}

/**
 * Returns the longest part of a text in ASCII, which any text that contains it in some case contains, too; null for one
 * without a trigram. In keys, the parts of other letters are in many texts of the same language.
 */
export function asciiPart(text: string): string | null {
  const parts = text.split(/\P{ASCII}+/u).filter(part => /[a-z0-9]{3}/i.test(part))
  return parts.toSorted((a, b) => b.length - a.length)[0] ?? null
}
