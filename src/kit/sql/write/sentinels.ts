// Sentinels: what SQL writes into the text of an answer for the process, which `run/answer.ts` takes out again.
import { literal, type Piece } from './pieces.ts'

// No caller knows it, so no value of a row contains it.
const unknownText = crypto.randomUUID()

/**
 * Stands in the text where resolvers would report an error. Values of a caller can contain it too: then resolvers
 * answer, and find no error.
 */
export const refusal = JSON.stringify(`refused ${crypto.randomUUID()}`)
export const refused = { sql: literal(refusal) }

/** In the place of a text that is too large. */
export const tooLarge = `too large ${crypto.randomUUID()}`

/** Stands for a number that is counted beside the statement. */
export const countSentinel = (index: number): string => JSON.stringify(`counted ${index} ${unknownText}`)

/** Stands before a JSON object that is written as a JSON string. JSON escapes this character within texts. */
export const jsonSentinel = '\f'

/** Returns the piece of a count. `count`: SQL of `<number>/<rows read>`. The caller is charged for the rows read. */
export const counted = (count: string): Piece => ({ sql: `(${count} || chr(9))` })

/** Returns a piece without text: the caller is charged what the expression returns. */
export const charged = (cost: string): Piece => ({ sql: `(${cost} || chr(11))` })

/**
 * A tab follows a count, a vertical tab a cost; JSON escapes both within texts. The lookbehind makes a run of digits be
 * tried from its first digit alone, because a caller's text may have long ones.
 */
export const charges = /(?<![\d.])([\d.]+)(?:\/(\d+))?([\t\v])/g
export const jsonTexts = RegExp(`${jsonSentinel}("(?:[^"\\\\]|\\\\.)*")`, 'g')
