// A cursor that names a number of entries to skip. The REST API pages by offset through the same connections.
const form = /^offset:(\d{1,9})$/

export const offsetCursor = (offset: number): string => Buffer.from(`offset:${offset}`).toString('base64url')

/** Returns null when the cursor is that of an entry. */
export function offsetIn(cursor: unknown): number | null {
  if (typeof cursor !== 'string' || cursor.length > 24) return null
  const digits = form.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]
  return digits === undefined ? null : Number(digits)
}
