// Lists every ISO message. A new one needs a file in this folder, a line here and a golden file. The API and the
// documents list the messages in this order.
import { camt029 } from './camt029.ts'
import { camt052 } from './camt052.ts'
import { camt053 } from './camt053.ts'
import { camt054 } from './camt054.ts'
import { camt056 } from './camt056.ts'
import type { Message } from './message.ts'
import { pacs002 } from './pacs002.ts'
import { pacs004 } from './pacs004.ts'
import { pacs007 } from './pacs007.ts'
import { pacs008 } from './pacs008.ts'
import { pacs009 } from './pacs009.ts'
import { pain001 } from './pain001.ts'
import { pain002 } from './pain002.ts'
import { pain007 } from './pain007.ts'
import { pain008 } from './pain008.ts'
import { remt001 } from './remt001.ts'

const registered = [
  pain001,
  pacs004,
  pain002,
  camt054,
  camt056,
  camt029,
  pacs007,
  pain007,
  pacs002,
  pacs008,
  pacs009,
  pain008,
  remt001,
]
export type MessageType = (typeof registered)[number]['type']

/** The messages about one receipt. */
export const messages: readonly (Message & { type: MessageType })[] = registered

/** The messages about many receipts, which `generateStatement` makes. */
export const statementMessages = [camt053, camt052]

const typesOf = (found: typeof messages): MessageType[] => found.map(({ type }) => type)

/** The messages that a configuration can choose to be made once a receipt is anchored; not part of its bundle. */
export const reportTypes = typesOf(messages.filter(({ afterAnchoring }) => afterAnchoring !== undefined))
export const defaultReports = typesOf(messages.filter(({ afterAnchoring }) => afterAnchoring === 'by default'))

export const requestedTypes = typesOf(messages.filter(({ onRequest }) => onRequest !== undefined))

/** Returns the message of a type such as `pain.001`. */
export function messageOf(type: MessageType): Message {
  const found = messages.find(message => message.type === type)
  if (found === undefined) throw new Error(`${type} is not in the registry`)
  return found
}
