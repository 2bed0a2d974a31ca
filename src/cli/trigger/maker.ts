// The shape of what makes an event: it is given the service, and answers the facts that are printed.
import { randomBytes } from 'node:crypto'
import type { Service } from '../service.ts'

export type Fact = [name: string, value: string]
export type Maker = (service: Service) => Promise<Fact[]>

/** An address, a hash or a transaction that nobody has. */
export const madeUp = (bytes: 20 | 32) => `0x${randomBytes(bytes).toString('hex')}`
