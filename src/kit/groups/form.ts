// A form of statistics: the groups of one kind of entries, and the fields in which they are answered.
import type { Grouping } from './statement.ts'

/** The fields of an object, by their names: SQL over a row of `ranked` or, of an item, of `every`. */
export type Fields = Readonly<Record<string, string>>

export type Form = {
  grouping: Grouping
  /** The fields of the key: leaves, and the ids of objects. A key by time is added. */
  key: Fields
  /** By the fields of a group: the items of a part, with the field that shows what tells them apart. */
  lists: Readonly<Record<string, { part: string; fields: Fields }>>
  /** By the fields of a group: columns of a part without items. */
  objects: Readonly<Record<string, Fields>>
  /** At most so many rows are read with the other fields of a document, and charged afterwards. */
  mostWithOthers: number
  /** Charged for the rows that are read. */
  rowsPerUnit: number
  /** A select of the number of rows, which is charged before they are read; null where it is bounded. */
  rowCount: string | null
}

/** Returns the fields of the columns with these names. */
export const columnFields = (columns: object): Fields =>
  Object.fromEntries(Object.keys(columns).map(name => [name, `"${name}"`]))
