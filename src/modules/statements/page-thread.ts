// The worker thread that writes pages: each takes half a second of processor time, while the main thread serves
// requests.
import { setPriority } from 'node:os'
import { camt052 } from '../iso20022/messages/camt052.ts'
import { camt053 } from '../iso20022/messages/camt053.ts'
import type { Page } from '../iso20022/messages/statement.ts'

// Requests have priority on a machine with fewer processors than threads. Only Linux has a priority for each thread.
// Piscina would set it with an optional package, which a production installation leaves out.
if (process.platform === 'linux') setPriority(10)

export type PageTask = { type: 'camt.052' | 'camt.053'; page: Page }

export default ({ type, page }: PageTask): Uint8Array =>
  new TextEncoder().encode((type === 'camt.053' ? camt053 : camt052).build(page))
