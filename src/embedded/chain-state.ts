// Saves the local chain to a file that is complete at every moment.
import { open, rename } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Logger } from 'pino'

/** Sends one JSON-RPC request. Throws an error that names the method when there is no result. */
export type Rpc = (method: string, params?: readonly unknown[]) => Promise<unknown>

const shortestPauseMs = 2_000
// A long chain takes long to write; this limits writing to a twentieth of the time.
const pausePerWriting = 20

/**
 * Writes the state whenever the chain has grown. anvil's own `--state` is not used, because it overwrites the file in
 * place (a kill leaves half a file, which anvil refuses to load), and at every interval even when nothing happened. The
 * result of anvil_dumpState (gzip of the same JSON) contains blocks, transactions, receipts and logs: after
 * `--load-state`, eth_getLogs and eth_getTransactionReceipt answer as before. Only balances and code at older blocks
 * are lost; --preserve-historical-states would keep them, but nothing here reads them.
 */
export function keepState(file: string, rpc: Rpc, log: Pick<Logger, 'error'>) {
  let kept: unknown = null
  let timer: NodeJS.Timeout | null = null
  let writing = Promise.resolve()

  async function write(): Promise<void> {
    const head = await rpc('eth_blockNumber')
    if (head === kept) return
    const dump = await rpc('anvil_dumpState')
    if (typeof dump !== 'string') throw new TypeError('anvil_dumpState gave no text')
    const json = await promisify(gunzip)(Buffer.from(dump.slice('0x'.length), 'hex'))
    const half = `${file}.${process.pid}`
    const handle = await open(half, 'w')
    try {
      await handle.writeFile(json)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(half, file)
    kept = head
  }

  const save = () => {
    writing = writing.catch(() => {}).then(write)
    return writing
  }

  function later(pauseMs: number): void {
    timer = setTimeout(async () => {
      const start = performance.now()
      await save().catch(error => log.error({ err: error }, 'the local chain could not be written to disk'))
      if (timer !== null) later(Math.max(shortestPauseMs, pausePerWriting * (performance.now() - start)))
    }, pauseMs).unref()
  }

  later(shortestPauseMs)
  return {
    save,
    end(): void {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
