// One end of a connection between two processes, over messages that arrive in order or not at all. Each end may send a
// window of bytes that the other has not read yet. A message that is lost, or of somebody else, breaks the connection.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { Duplex } from 'node:stream'
import { tunnelled } from '../ports/tunnels.ts'

// A notification of PostgreSQL has fewer than 8,000 bytes, and these are sent in base64 with a name in front.
const pieceBytes = 5_700
const windowBytes = 65_536

const algorithm = 'aes-256-gcm'
const tagBytes = 16
const kinds = { data: 0, read: 1, end: 2 }

export type TunnelOptions = {
  /** A secret of both ends. */
  key: Buffer
  /** Whether this end opened the tunnel. */
  isCaller: boolean
  clientAddress: string
  send(message: Buffer): void
  /** Called once. A tunnel is broken unless both ends have ended it and read everything. */
  closed(isBroken: boolean): void
}

export class Tunnel extends Duplex {
  readonly [tunnelled] = true
  readonly remoteAddress: string
  readonly #options: TunnelOptions
  #sent = 0
  #received = 0
  #unread = 0
  #toReport = 0
  #resume: (() => void) | null = null

  constructor(options: TunnelOptions) {
    super({ allowHalfOpen: true })
    this.remoteAddress = options.clientAddress
    this.#options = options
  }

  /** Takes a message of the other end. */
  receive(message: Buffer): void {
    const opened = this.#opened(message)
    if (opened === null) return void this.destroy()
    const [kind] = opened
    const content = opened.subarray(1)
    if (kind === kinds.data) {
      this.#toReport += content.length
      this.push(content)
    } else if (kind === kinds.end) {
      this.push(null)
    } else {
      this.#unread -= content.readUInt32BE()
      if (this.#unread < windowBytes) this.#goOn()
    }
  }

  /**
   * A method of sockets. The response to the client has this timeout, in the process to which the client is connected.
   */
  setTimeout(): this {
    return this
  }

  override _read(): void {
    // Not for every piece, because each report is a message.
    if (this.#toReport < windowBytes / 2) return
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.#toReport)
    this.#toReport = 0
    this.#send(kinds.read, count)
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    for (let start = 0; start < chunk.length; start += pieceBytes)
      this.#send(kinds.data, chunk.subarray(start, start + pieceBytes))
    this.#unread += chunk.length
    this.#resume = done
    if (this.#unread < windowBytes) this.#goOn()
  }

  override _final(done: () => void): void {
    this.#send(kinds.end, Buffer.alloc(0))
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#goOn()
    this.#options.closed(!(this.readableEnded && this.writableFinished))
    done(error)
  }

  #goOn(): void {
    const resume = this.#resume
    this.#resume = null
    resume?.()
  }

  #send(kind: number, content: Buffer): void {
    const { key, isCaller, send } = this.#options
    const cipher = createCipheriv(algorithm, key, nonceOf(isCaller, this.#sent++))
    send(Buffer.concat([cipher.update(Buffer.of(kind)), cipher.update(content), cipher.final(), cipher.getAuthTag()]))
  }

  /** Returns the content of the next message; null where it is another one. */
  #opened(message: Buffer): Buffer | null {
    const { key, isCaller } = this.#options
    try {
      const decipher = createDecipheriv(algorithm, key, nonceOf(!isCaller, this.#received++), {
        authTagLength: tagBytes,
      })
      decipher.setAuthTag(message.subarray(-tagBytes))
      return Buffer.concat([decipher.update(message.subarray(0, -tagBytes)), decipher.final()])
    } catch {
      return null
    }
  }
}

/** The messages of each direction are numbered, so that none is missing, repeated or out of order. */
function nonceOf(isCaller: boolean, number: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt8(isCaller ? 1 : 0)
  nonce.writeBigUInt64BE(BigInt(number), 4)
  return nonce
}
