// Runs the statement of a plan, with what runs beside it, and takes the sentinels out of the texts that it returns.
import type { SqlHost } from '../host.ts'
import type { Plan } from '../plan/plan.ts'
import { charges, jsonSentinel, jsonTexts, refusal, tooLarge } from '../write/sentinels.ts'

/** A root field whose text is too large. */
export class TooLarge extends Error {}

/** Returns the texts of the root fields by their keys, without those that resolvers have to answer. */
export async function answerOf(
  host: SqlHost,
  { inSql, first, query, checks, counts }: Plan,
): Promise<ReadonlyMap<string, string>> {
  try {
    const statement = query.text === null ? query.texts : host.run(query, inSql)
    if (first.size > 0) await statement
    const [texts, ...totals] = await Promise.all([
      statement,
      ...[...counts.values()].map(count => count()),
      ...checks.map(check => check()),
    ])
    const withoutSentinels = (text: string) =>
      [...counts.keys()].reduce(
        (text, sentinel, index) => text.replace(sentinel, String(totals[index])),
        withJson(charged(host, text)),
      )
    const read = inSql.map((key, index) => [key, textAt(texts, index)] as const)
    const tooLargeKeys = read.flatMap(([key, text]) => (text === tooLarge ? [key] : []))
    if (tooLargeKeys.length > 0) host.refuse(new TooLarge(), tooLargeKeys)
    const answered = read.filter(([, text]) => text !== tooLarge && !text.includes(refusal))
    // Resolvers read such a field now: what SQL has read before would be older.
    const lacksFirst = inSql.some(key => first.has(key) && !answered.some(([other]) => other === key))
    if (lacksFirst) return new Map()
    return new Map(answered.map(([key, text]) => [key, withoutSentinels(text)]))
  } catch (error) {
    host.refuse(error, inSql)
    return new Map()
  }
}

function textAt(texts: readonly string[], index: number): string {
  const text = texts[index]
  if (text === undefined) throw new Error('a read returned no text')
  return text
}

/** Charges the caller for what the text says. */
function charged(host: SqlHost, text: string): string {
  // One character is found fast; the expression looks at each run of digits.
  if (!text.includes('\t') && !text.includes('\v')) return text
  return text.replace(charges, (_, number, rows, end) => {
    host.charge(end === '\t' ? { rows: Number(rows) } : { cost: Number(number) })
    return end === '\t' ? String(Number(number)) : ''
  })
}

/** Replaces the texts of JSON objects that the process writes. */
const withJson = (text: string): string =>
  text.includes(jsonSentinel)
    ? text.replace(jsonTexts, (_, json) => JSON.stringify(JSON.parse(JSON.parse(json))))
    : text
