// The worker thread that writes pages: each takes half a second of processor time, while the main thread serves
// requests.
import { camt052 } from '../iso20022/messages/camt052.ts'
import { camt053 } from '../iso20022/messages/camt053.ts'
import type { Page } from '../iso20022/messages/statement.ts'

export type PageTask = { type: 'camt.052' | 'camt.053'; page: Page }

export default ({ type, page }: PageTask): Uint8Array =>
  new TextEncoder().encode((type === 'camt.053' ? camt053 : camt052).build(page))
