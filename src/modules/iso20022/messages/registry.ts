// Lists every ISO message about one receipt. A new message needs a file in this folder, a line here and a golden file.
import { camt029 } from './camt029.ts'
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
import type { MessageType } from './parts.ts'
import { remt001 } from './remt001.ts'

export type { Message } from './message.ts'

export const messages: readonly Message[] = [
  pain001,
  pain002,
  pain007,
  pain008,
  pacs002,
  pacs004,
  pacs007,
  pacs008,
  pacs009,
  camt029,
  camt054,
  camt056,
  remt001,
]

/** Statements are about many receipts and have their own shape. */
type ReceiptMessageType = Exclude<MessageType, 'camt.052' | 'camt.053'>

/** Returns the message of a type such as `pain.001`. */
export function messageOf(type: ReceiptMessageType): Message {
  const found = messages.find(message => message.type === type)
  if (found === undefined) throw new Error(`${type} is not in the registry`)
  return found
}
