// Connections between the processes of a service through PostgreSQL's NOTIFY, because a process may be able to reach
// nothing but the database. What they carry is encrypted with keys that the two processes agree on: it contains
// credentials, and a PostgreSQL may log its statements.

import { createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Logger } from 'pino'
import { outOfScope } from '../core/scope.ts'
import type { Tunnels } from '../ports/tunnels.ts'
import { channelOf, type Mailbox, processLockClass } from './pg-event-feed.ts'
import { Tunnel } from './tunnel.ts'

const acceptedWithinMs = 5_000
const beatEveryMs = 2_000
const mostUnheard = 5

type Peer = {
  tunnels: Map<string, Tunnel>
  /** The tunnels that the peer has not accepted yet. */
  calls: Map<string, (publicKey: string | null) => void>
  outbox: string[]
  /** Whether the outbox is for a process that may not run. */
  isDoubted: boolean
  isSending: boolean
  beat: NodeJS.Timeout | null
  /** How many beats were sent since the peer was heard. */
  unheard: number
}

// Without synchronous_commit, each notification would wait for the disk.
const notify = `
  select set_config('synchronous_commit', 'off', true), pg_notify($1, line) from unnest($2::text[]) as line
  where not $3 or exists (
    select from pg_locks where locktype = 'advisory' and classid = ${processLockClass} and objid = $4::bigint::oid
    and database = (select oid from pg_database where datname = current_database())
  )`

/** `accept` gets the tunnels that other processes open to this one. */
export function openTunnels(
  pool: pg.Pool,
  { processId, receive }: Mailbox,
  log: Pick<Logger, 'warn'>,
  accept: (tunnel: Tunnel) => void,
): Tunnels & { close(): void } {
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  const ownKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const peers = new Map<string, Peer>()

  function peerOf(id: string): Peer {
    const known = peers.get(id)
    if (known) return known
    const peer: Peer = {
      tunnels: new Map(),
      calls: new Map(),
      outbox: [],
      isDoubted: false,
      isSending: false,
      beat: null,
      unheard: 0,
    }
    peers.set(id, peer)
    return peer
  }

  function post(id: string, line: string, isDoubted = false): void {
    const peer = peerOf(id)
    peer.outbox.push(`${processId} ${line}`)
    peer.isDoubted ||= isDoubted
    if (!peer.isSending) void send(id, peer)
  }

  /** Sends what is in the outbox, in one transaction after the other, because the order counts. */
  async function send(id: string, peer: Peer): Promise<void> {
    peer.isSending = true
    // Lines that are posted in this turn go along.
    await null
    try {
      while (peer.outbox.length > 0) {
        const lines = peer.outbox.splice(0)
        const { isDoubted } = peer
        peer.isDoubted = false
        const { rowCount } = await pool.query(notify, [channelOf(id), lines, isDoubted, Number.parseInt(id, 16)])
        if (rowCount === 0) lose(peer)
      }
    } catch (error) {
      log.warn({ err: error }, 'a request for another process could not be sent')
      lose(peer)
    }
    peer.isSending = false
    forget(id, peer)
  }

  function forget(id: string, peer: Peer): void {
    if (peer.tunnels.size > 0 || peer.calls.size > 0 || peer.isSending) return
    if (peer.beat !== null) clearInterval(peer.beat)
    peers.delete(id)
  }

  /** Closes all tunnels, because the other process is gone or messages were lost. */
  function lose(peer: Peer): void {
    peer.outbox.length = 0
    for (const answer of peer.calls.values()) answer(null)
    for (const tunnel of peer.tunnels.values()) tunnel.destroy()
  }

  /** Tells the other process that this one lives, and finds out whether it does. */
  function beat(id: string, peer: Peer): void {
    peer.unheard += 1
    if (peer.unheard > mostUnheard) lose(peer)
    else post(id, 'beat', true)
  }

  function open(id: string, name: string, theirKey: string, isCaller: boolean, clientAddress: string): Tunnel {
    const peer = peerOf(id)
    const key = createPublicKey({ key: Buffer.from(theirKey, 'base64'), format: 'der', type: 'spki' })
    const tunnel = new Tunnel({
      key: Buffer.from(hkdfSync('sha256', diffieHellman({ privateKey, publicKey: key }), name, 'quittance tunnel', 32)),
      isCaller,
      clientAddress,
      send: message => post(id, `${name} message ${message.toString('base64')}`),
      closed(isBroken) {
        peer.tunnels.delete(name)
        if (isBroken) post(id, `${name} reset`)
        forget(id, peer)
      },
    })
    peer.tunnels.set(name, tunnel)
    peer.beat ??= outOfScope(() => setInterval(() => beat(id, peer), beatEveryMs).unref())
    return tunnel
  }

  function handle([from = '', name = '', kind, content = '', address = '']: string[]): void {
    const peer = peers.get(from)
    if (peer) peer.unheard = 0
    const tunnel = peer?.tunnels.get(name)
    if (kind === 'connect') {
      const opened = open(from, name, content, false, address)
      post(from, `${name} accept ${ownKey}`)
      accept(opened)
    } else if (kind === 'accept') {
      peer?.calls.get(name)?.(content)
    } else if (kind === 'message') {
      if (tunnel) tunnel.receive(Buffer.from(content, 'base64'))
      else post(from, `${name} reset`)
    } else if (kind === 'reset') {
      tunnel?.destroy()
    }
  }

  receive({
    message(text) {
      try {
        handle(text.split(' '))
      } catch (error) {
        log.warn({ err: error }, 'a message of another process is unreadable')
      }
    },
    lost() {
      for (const peer of peers.values()) lose(peer)
    },
  })

  return {
    processId,
    async connect(id, clientAddress) {
      const name = randomBytes(8).toString('hex')
      const peer = peerOf(id)
      const theirKey = await new Promise<string | null>(resolve => {
        const timer = setTimeout(resolve, acceptedWithinMs, null).unref()
        peer.calls.set(name, key => {
          clearTimeout(timer)
          resolve(key)
        })
        post(id, `${name} connect ${ownKey} ${clientAddress}`, true)
      })
      peer.calls.delete(name)
      if (theirKey !== null) return open(id, name, theirKey, true, clientAddress)
      // It may accept later.
      post(id, `${name} reset`, true)
      return null
    },
    close() {
      for (const peer of peers.values()) lose(peer)
    },
  }
}
