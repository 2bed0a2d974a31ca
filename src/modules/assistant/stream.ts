// An answer as a stream: its words as they come, then the whole.
import { AppError } from '../../core/errors.ts'
import type { AskedAs } from './ask.ts'
import type { Answer } from './transcript.ts'

/** An error is an event too, because one that is thrown would end the stream without its code. */
export type AssistEvent = { text: string } | { answer: Answer } | { failure: unknown }

/** Begins at once. The work is stopped when the stream is ended early. */
export function streamed(work: (asked: Required<AskedAs>) => Promise<Answer>): AsyncGenerator<AssistEvent> {
  const gone = new AbortController()
  const events: AssistEvent[] = []
  let isDone = false
  let wake = () => {}
  const tell = (event: AssistEvent) => {
    events.push(event)
    wake()
  }
  const end = (event: AssistEvent) => {
    isDone = true
    tell(event)
  }
  work({ tell: text => tell({ text }), gone: gone.signal }).then(
    answer => end({ answer }),
    (failure: unknown) => end({ failure }),
  )
  async function* read(): AsyncGenerator<AssistEvent> {
    while (true) {
      yield* events.splice(0)
      if (isDone && events.length === 0) return
      if (events.length === 0) await new Promise<void>(resolve => (wake = resolve))
    }
  }
  const reading = read()
  // A generator that waits hears of its end only after its next step.
  const leave = reading.return.bind(reading)
  reading.return = value => {
    gone.abort(new AppError('caller_gone'))
    return leave(value)
  }
  return reading
}
