// Descriptions come from the GraphQL schema, and name its fields as GraphQL does.
import { snakeCase } from '../names.ts'

type Part = Readonly<Record<string, unknown>>
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null

/** The names of all members and parameters in a document. */
function namesIn(part: unknown, names = new Set<string>()): Set<string> {
  if (!isPart(part)) return names
  const { properties, in: place, name } = part
  if (isPart(properties)) for (const member of Object.keys(properties)) names.add(member)
  if (typeof place === 'string' && typeof name === 'string') names.add(name)
  for (const inner of Object.values(part)) namesIn(inner, names)
  return names
}

/** Returns the document with the members and parameters in its descriptions named as the document itself names them. */
export function withWireNames<Document>(document: Document): Document {
  const names = namesIn(document)
  const inWire = (quoted: string, name: string) => (names.has(snakeCase(name)) ? `\`${snakeCase(name)}\`` : quoted)
  return JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'description' && typeof value === 'string' ? value.replace(/`([a-z]+[A-Z]\w*)`/g, inWire) : value,
  )
}
