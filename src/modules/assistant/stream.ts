// Streams an answer: its text as it arrives, then the whole answer.
import { AppError } from '../../core/errors.ts'
import type { Listener } from './ask.ts'
import type { Answer } from './transcript.ts'

/** An error is an event too, because a thrown error would end the stream without the error code. */
export type AssistEvent = { text: string } | { answer: Answer } | { failure: unknown }

/** Starts the work immediately, and stops it when the stream is ended early. */
export function streamed(work: (listener: Required<Listener>) => Promise<Answer>): AsyncGenerator<AssistEvent> {
  const gone = new AbortController()
  const events: AssistEvent[] = []
  let isDone = false
  let wake = () => {}
  const push = (event: AssistEvent) => {
    events.push(event)
    wake()
  }
  const end = (event: AssistEvent) => {
    isDone = true
    push(event)
  }
  work({ onText: text => push({ text }), gone: gone.signal }).then(
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
  // The generator handles `return` only after its pending step, so the work is stopped here.
  const leave = reading.return.bind(reading)
  reading.return = value => {
    gone.abort(new AppError('caller_gone'))
    return leave(value)
  }
  return reading
}
