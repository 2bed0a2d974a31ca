// The clients of the fan-out benchmark, in a process of their own: plain sockets that send one request each and note
// when each event arrives.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type Command = { open: { port: number; requests: string[] } } | { take: 'begin' | 'end' } | { close: true }
/** `ids` and `at` are parallel: the event, and the monotonic microsecond at which a stream received it. */
export type Answered = { opened: number } | { ids: string[]; at: number[]; closed: number } | { done: true }

const openingAtOnce = 64
const event = /(?:^id: |"cursor":")(\d+)/gm

export const microseconds = (): number => Number(process.hrtime.bigint() / 1_000n)

let sockets: Socket[] = []
let ids: string[] = []
let at: number[] = []
let closed = 0
let isTaking = false

async function open(port: number, request: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(request)
  const [head] = await once(socket, 'data')
  if (!String(head).startsWith('HTTP/1.1 200')) throw new Error(`a stream was refused: ${head}`)
  socket.on('data', chunk => {
    if (!isTaking) return
    const now = microseconds()
    for (const [, id = ''] of chunk.toString('latin1').matchAll(event)) {
      ids.push(id)
      at.push(now)
    }
  })
  socket.on('close', () => closed++).on('error', () => undefined)
  sockets.push(socket)
}

async function openAll(port: number, requests: string[]): Promise<void> {
  const rest = requests.values()
  await Promise.all(
    Array.from({ length: openingAtOnce }, async () => {
      for (const request of rest) await open(port, request)
    }),
  )
}

async function answer(command: Command): Promise<Answered> {
  if ('open' in command) {
    closed = 0
    await openAll(command.open.port, command.open.requests)
    return { opened: sockets.length }
  }
  if ('close' in command) {
    for (const socket of sockets) socket.destroy()
    sockets = []
    return { done: true }
  }
  isTaking = command.take === 'begin'
  if (!isTaking) return { ids, at, closed }
  ids = []
  at = []
  return { done: true }
}

process.on('message', async (command: Command) => {
  process.send?.(await answer(command))
})
