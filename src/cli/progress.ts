// Shows on standard error how far a long command is: on a terminal in one line that is rewritten, elsewhere in a line
// from time to time. The first SIGINT or SIGTERM asks the work to stop.
import { Stopped } from './command.ts'

export type Progress = {
  /** Aborted with `Stopped` as its reason. Work asks it wherever it can stop. */
  signal: AbortSignal
  /** Counts what is done. */
  add(count?: number): void
  /** Prints a line on standard output, which the line of progress does not run into. */
  print(line: string): void
  /** The same on standard error, for what is not a result. */
  note(line: string): void
}

/** Runs `work`, which does `total` of `unit`, such as files; null: nobody knows how many there are. */
export async function withProgress<T>(
  unit: string,
  total: number | null,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const { stderr } = process
  const controller = new AbortController()
  const began = performance.now()
  let done = 0
  const words = () => lineOf(unit, done, total, (performance.now() - began) / 1_000)
  const erase = () => stderr.isTTY && stderr.write('\r\x1b[K')
  const draw = () =>
    stderr.write(stderr.isTTY ? `\r\x1b[K${words().slice(0, (stderr.columns || 80) - 1)}` : `${words()}\n`)
  const timers = stderr.isTTY ? [setInterval(draw, 200)] : [setTimeout(draw, 1_000), setInterval(draw, 10_000)]
  let askedAt: number | null = null
  const stop = (signal: NodeJS.Signals) => {
    // A second signal exits, unless it follows at once: one Ctrl-C may arrive twice (bin/node.js).
    if (askedAt !== null && performance.now() - askedAt > 1_000) process.exit(signal === 'SIGINT' ? 130 : 143)
    askedAt ??= performance.now()
    controller.abort(new Stopped('Stopped.'))
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    return await work({
      signal: controller.signal,
      add: (count = 1) => {
        done += count
      },
      print: line => {
        erase()
        console.log(line)
      },
      note: line => {
        erase()
        console.error(line)
      },
    })
  } finally {
    for (const timer of timers) clearTimeout(timer)
    erase()
    if (controller.signal.aborted) stderr.write(`${words()}\n`)
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

// With the same digits in every locale.
const written = (count: number) => Math.round(count).toLocaleString('en')

function lineOf(unit: string, done: number, total: number | null, seconds: number): string {
  const rate = done / Math.max(seconds, 0.001)
  const speed = `${rate >= 10 || rate === 0 ? written(rate) : rate.toFixed(1)}/s`
  if (total === null) return `${unit}: ${written(done)}, ${speed}`
  const share = total === 0 ? 100 : Math.floor((100 * done) / total)
  const left = done === 0 || done >= total ? '' : `, ${timeOf((total - done) / rate)} left`
  return `${unit}: ${written(done)} of ${written(total)} (${Math.min(share, 100)} %), ${speed}${left}`
}

function timeOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${written(Math.floor(minutes / 60))} h ${minutes % 60} min`
}
