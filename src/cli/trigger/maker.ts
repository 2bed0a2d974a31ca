// The type of the functions that cause an event: each receives the service and returns the facts to print.
import { randomBytes } from 'node:crypto'
import type { Service } from '../service.ts'

export type Fact = [name: string, value: string]
export type Maker = (service: Service) => Promise<Fact[]>

/** Returns a random address, hash or transaction id that does not exist. */
export const madeUp = (bytes: 20 | 32) => `0x${randomBytes(bytes).toString('hex')}`
