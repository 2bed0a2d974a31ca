// A sink receives the results of a stream: a response, or an iterator for a library that pulls results.

export type Sink<Result, Message> = {
  /** Sinks with the same function get the same message, which is encoded once for all of them. */
  encode(result: Result): Message
  /** Takes the message. Returns false when the reader is slow: the next one must wait until `drained` resolves. */
  write(message: Message): boolean
  /** Resolves when the reader has caught up or is gone. */
  drained(): Promise<void>
}

export type LiveStream<Result> = {
  /** Passes the results to the sink. Resolves when the stream ends, and throws when it fails. */
  follow<Message>(sink: Sink<Result, Message>): Promise<void>
  /** Ends the stream at once, also before it is followed. */
  stop(): void
}

const mostQueued = 16
const itself = <Result>(result: Result) => result

/** Returns an iterator over the results of a stream. It takes only a few results before they are asked for. */
export function iterated<Result>(stream: LiveStream<Result>): AsyncGenerator<Result> {
  const queue: Result[] = []
  let wake = () => {}
  let take = () => {}
  let isOver = false
  const sink: Sink<Result, Result> = {
    encode: itself,
    write(result) {
      queue.push(result)
      wake()
      return queue.length < mostQueued
    },
    drained: () => (queue.length < mostQueued || isOver ? Promise.resolve() : new Promise(resolve => (take = resolve))),
  }
  async function* read(): AsyncGenerator<Result> {
    const following = stream.follow(sink).finally(() => {
      isOver = true
      wake()
    })
    // A failure is thrown below, after the results before it are read.
    following.catch(() => undefined)
    for (;;) {
      while (queue.length > 0) {
        yield queue.shift() as Result
        take()
      }
      if (isOver) return await following
      await new Promise<void>(resolve => (wake = resolve))
    }
  }
  const results = read()
  const leave = results.return.bind(results)
  // A generator handles `return` only after its pending step, so the stream is stopped here.
  results.return = value => {
    isOver = true
    stream.stop()
    take()
    wake()
    return leave(value)
  }
  return results
}

/** A stream whose events are read by one reader alone. */
export function unshared<Event, Result>(
  events: AsyncIterable<Event>,
  run: (event: Event) => Promise<Result> | Result,
): LiveStream<Result> {
  const iterator = events[Symbol.asyncIterator]()
  let isStopped = false
  return {
    async follow(sink) {
      for (let next = await iterator.next(); !next.done && !isStopped; next = await iterator.next())
        if (!sink.write(sink.encode(await run(next.value)))) await sink.drained()
    },
    stop() {
      isStopped = true
      void iterator.return?.()
    },
  }
}
