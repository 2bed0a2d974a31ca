// Every ISO message there is. A new one is a file beside this one, a line here and a golden.
import { camt054 } from './camt054.ts'
import type { Message } from './message.ts'
import { pain001 } from './pain001.ts'
import { pain002 } from './pain002.ts'

export type { Message } from './message.ts'

export const messages: readonly Message[] = [pain001, pain002, camt054]

/** By type, such as `pain.001`; null when there is none. */
export const messageOf = (type: string): Message | null => messages.find(message => message.type === type) ?? null
