// Reads JSON that evidence depends on. JSON.parse takes the last of two members with one name and other readers take
// the first, so that one document would say two things.

// In text that JSON.parse accepts, a string before a colon is the name of a member, and no other text outside of
// strings has a colon.
const strings = /("(?:[^"\\]|\\.)*")(\s*:)?/g

/** An object has two members with one name, which the message names. */
export class DuplicateMember extends Error {}

/** Throws SyntaxError when the text is not JSON, and DuplicateMember. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const names = namesIn(value)
  for (const [, quoted = '', colon] of text.matchAll(strings)) {
    if (colon === undefined) continue
    const name: string = JSON.parse(quoted)
    const left = names.get(name) ?? 0
    if (left === 0) throw new DuplicateMember(`an object has two members ${JSON.stringify(name)}`)
    names.set(name, left - 1)
  }
  return value
}

/** Returns how many members of each name the value has, at all depths. */
function namesIn(value: unknown): Map<string, number> {
  const names = new Map<string, number>()
  const left: unknown[] = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next !== 'object' || next === null) continue
    for (const name of Array.isArray(next) ? [] : Object.keys(next)) names.set(name, (names.get(name) ?? 0) + 1)
    for (const item of Object.values(next)) left.push(item)
  }
  return names
}
