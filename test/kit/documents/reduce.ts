// Makes a document smaller for as long as a property of it holds, so that a failure shows little else.
import { type ASTNode, type DocumentNode, Kind, parse, print, visit } from 'graphql'

const removable = new Set<string>([
  Kind.FIELD,
  Kind.ARGUMENT,
  Kind.DIRECTIVE,
  Kind.INLINE_FRAGMENT,
  Kind.FRAGMENT_SPREAD,
  Kind.FRAGMENT_DEFINITION,
  Kind.VARIABLE_DEFINITION,
  Kind.OBJECT_FIELD,
])

function without(document: DocumentNode, which: number): DocumentNode | null {
  let index = -1
  let isFound = false
  const smaller = visit(document, {
    enter(node: ASTNode) {
      if (!removable.has(node.kind)) return undefined
      index += 1
      if (index !== which) return undefined
      isFound = true
      return null
    },
  })
  return isFound ? smaller : null
}

const refused = () => false

/** `holds` is asked about documents that may not be valid; it answers whether the property is still there. */
export async function reduced(source: string, holds: (source: string) => Promise<boolean>): Promise<string> {
  let document = parse(source)
  for (let which = 0; ; ) {
    const smaller = without(document, which)
    if (smaller === null) return print(document)
    const text = textOf(smaller)
    if (text !== null && (await holds(text).catch(refused))) document = parse(text)
    else which += 1
  }
}

/** Returns null for what is no document any more. */
function textOf(document: DocumentNode): string | null {
  try {
    const text = print(document)
    parse(text)
    return text
  } catch {
    return null
  }
}
