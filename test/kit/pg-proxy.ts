// A proxy in front of PostgreSQL that parses the protocol and stops at a statement: before it is forwarded, after it is
// sent, or when its transaction is committed and the client does not know yet.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * before: the statement is not forwarded yet · forwarded: it is sent, and no answer is passed back · committed: the
 * server has answered the end of its transaction, and that answer is not passed back yet. A rolled-back transaction
 * does not count.
 */
type Moment = 'before' | 'forwarded' | 'committed'

export type Trap = {
  /** A literal part of the statement's text. */
  statement: string
  /** A literal part of one of its parameters, as text. */
  parameter?: string
  at: Moment
  /** Runs while the connection passes nothing on. `cut` ends the connection, with everything held back. */
  spring(): Promise<'cut' | 'pass'>
}

export type PgProxy = {
  /** The URL of the database through the proxy. */
  url: string
  /** Sets a trap, which springs once. The returned function removes it. */
  set(trap: Trap): () => void
  stop(): Promise<void>
}

export async function startPgProxy(databaseUrl: string): Promise<PgProxy> {
  const target = new URL(databaseUrl)
  const traps = new Set<Trap>()
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const behind = connect(Number(target.port), target.hostname)
    for (const socket of [client, behind]) {
      socket.setNoDelay(true).on('error', () => {})
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    // When one side closes, the other is closed too: a killed client's locks and transactions must end.
    client.once('close', () => behind.destroy())
    behind.once('close', () => client.destroy())
    // A socket that fails also closes, and the handlers above react to that.
    watch(client, behind, traps).catch(() => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).toString(),
    set(trap) {
      traps.add(trap)
      return () => void traps.delete(trap)
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** `type` is empty for the first message of a client, which has no type byte. */
type Message = { type: string; bytes: Buffer; body: Buffer }

/**
 * Yields whole messages, those of one chunk together; the first message of a client has only its length and its body.
 */
async function* messagesOf(socket: Socket, isClient: boolean): AsyncGenerator<Message[]> {
  let rest = Buffer.alloc(0)
  let typeSize = isClient ? 0 : 1
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk])
    const messages: Message[] = []
    while (rest.length >= typeSize + 4) {
      const size = typeSize + rest.readUInt32BE(typeSize)
      if (rest.length < size) break
      const bytes = rest.subarray(0, size)
      messages.push({ type: bytes.toString('latin1', 0, typeSize), bytes, body: bytes.subarray(typeSize + 4) })
      rest = rest.subarray(size)
      typeSize = 1
    }
    yield messages
  }
}

/** Reads the next zero-terminated text. */
function textAt(body: Buffer, at: number): { text: string; next: number } {
  const end = body.indexOf(0, at)
  return { text: body.toString('utf8', at, end), next: end + 1 }
}

/** Parses a Bind message: the statement's name, and its parameters as they were sent. */
function boundBy(body: Buffer): { name: string; parameters: string[] } {
  const { text: name, next } = textAt(body, textAt(body, 0).next)
  let at = next + 2 + 2 * body.readUInt16BE(next)
  const parameters: string[] = []
  const count = body.readUInt16BE(at)
  at += 2
  for (let index = 0; index < count; index++) {
    const size = body.readInt32BE(at)
    at += 4
    if (size < 0) continue
    parameters.push(body.toString('utf8', at, at + size))
    at += size
  }
  return { name, parameters }
}

async function watch(client: Socket, behind: Socket, traps: Set<Trap>): Promise<void> {
  // A prepared statement sends its text once and only its name after that.
  const texts = new Map<string, string>()
  // Every Sync and every simple query is answered by one ReadyForQuery.
  let [sent, answered] = [0, 0]
  let held: { trap: Trap; by: number; failed: boolean } | null = null
  // Answers are passed on in order; an answer that waits delays all behind it.
  let gate: Promise<void> = Promise.resolve()

  const cut = () => {
    client.destroy()
    behind.destroy()
  }
  async function sprung(trap: Trap): Promise<void> {
    if ((await trap.spring()) === 'cut') cut()
  }

  function trapFor({ type, body }: Message): Trap | null {
    if (type === 'P') {
      const { text: name, next } = textAt(body, 0)
      texts.set(name, textAt(body, next).text)
    }
    if (type !== 'B' && type !== 'Q') return null
    const { name, parameters } = type === 'B' ? boundBy(body) : { name: null, parameters: [] }
    const text = name === null ? textAt(body, 0).text : (texts.get(name) ?? '')
    for (const trap of traps) {
      const { statement, parameter } = trap
      if (!text.includes(statement)) continue
      if (parameter === undefined || parameters.some(value => value.includes(parameter))) return trap
    }
    return null
  }

  async function forward(): Promise<void> {
    let onItsWay: Trap | null = null
    for await (const messages of messagesOf(client, true)) {
      for (const message of messages) {
        const { type, bytes } = message
        const trap = trapFor(message)
        if (trap !== null) {
          traps.delete(trap)
          if (trap.at === 'before') await sprung(trap)
          if (trap.at === 'forwarded') onItsWay = trap
          if (trap.at === 'committed') held = { trap, by: sent, failed: false }
        }
        const isAsked = type === 'S' || type === 'Q'
        if (isAsked) sent += 1
        if (isAsked && onItsWay !== null) {
          const waiting = onItsWay
          onItsWay = null
          behind.write(bytes)
          gate = gate.then(() => sprung(waiting))
          await gate
        } else if (!behind.write(bytes)) await Promise.race([once(behind, 'drain'), once(behind, 'close')])
      }
    }
  }

  async function back(): Promise<void> {
    for await (const messages of messagesOf(behind, false)) {
      for (const { type, bytes, body } of messages) {
        const status = body.toString('latin1')
        const isOver = type === 'Z' && status === 'I'
        if (held !== null && answered >= held.by) {
          if (type === 'E' || (type === 'C' && status.startsWith('ROLLBACK'))) held.failed = true
        }
        if (held !== null && answered >= held.by && isOver) {
          const { trap, failed } = held
          held = null
          if (failed) traps.add(trap)
          else await sprung(trap)
        }
        if (type === 'Z') answered += 1
        await gate
        if (!client.write(bytes)) await Promise.race([once(client, 'drain'), once(client, 'close')])
      }
    }
  }

  await Promise.all([forward(), back()])
}
