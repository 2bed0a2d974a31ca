// The history of a run over failovers: what clients asked, what they were told, and what was done to the servers. One
// JSON object a line, in the order in which it happened.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

/** `at`: milliseconds since the run began. `write`: names one request of a client over all its tries. */
export type Entry = { at: number } & (
  | { kind: 'killed' | 'promoted' | 'rebuilt'; server: string }
  | { kind: 'asked'; what: 'receipt' | 'payment'; write: string }
  | { kind: 'refused'; what: 'receipt' | 'payment'; write: string; why: string }
  /** `receipt`: its id. */
  | { kind: 'told'; what: 'receipt'; write: string; receipt: string; since: number }
  /** `txid`: the transaction of the charge. */
  | { kind: 'told'; what: 'payment'; write: string; txid: string; since: number }
  /** An event as a stream or a webhook receiver saw it. */
  | { kind: 'event'; reader: string; event: string; receipt: string; type: string }
)

/** Everything of the project as it is in the end, read from the database and the chain. */
export type Final = {
  /** `write`: the transaction of the payment that the receipt records. */
  receipts: { id: string; write: string; bundleHash: string | null }[]
  events: { event: string; receipt: string; type: string }[]
  /** Each transfer on chain to the account that is paid. */
  charges: { txid: string; write: string }[]
  /** The hash of each anchor event on chain. */
  anchored: string[]
}

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never

export type History = {
  entries: Entry[]
  note(entry: Unstamped<Entry>): void
  now(): number
  close(): Promise<void>
}

export function writeHistory(file: string): History {
  const stream = createWriteStream(file)
  const entries: Entry[] = []
  const begun = performance.now()
  const now = () => Math.round(performance.now() - begun)
  return {
    entries,
    now,
    note(entry) {
      const stamped = { at: now(), ...entry } as Entry
      entries.push(stamped)
      stream.write(`${JSON.stringify(stamped)}\n`)
    },
    async close() {
      stream.end()
      await once(stream, 'close')
    },
  }
}
