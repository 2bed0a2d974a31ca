// The worst behaviour of one tenant: sends requests of one kind as fast as responses arrive, until it is killed. A
// refused request is soon repeated. Settings as JSON in argv.
import { Agent, createServer, type RequestOptions, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

export const attacks = [
  'lists',
  'pages',
  'statements',
  'assets',
  'slow bundles',
  'strangers',
  'strangers of a /48',
] as const
/** Inside the neighbour's own project. */
export const starvations = ['lists of a viewer', 'streams of a viewer'] as const
export type Attack = (typeof attacks)[number] | (typeof starvations)[number]
export type Target = { url: string; attack: Attack; viewer: string; key: string; receipt: string }

type Request = { path: string; body?: unknown; headers?: Record<string, string> }

const connections = 8
const agent = new Agent({ keepAlive: true })
const pauseMs = 250
const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index))

/**
 * Callers without a key from so many addresses: introspection, fields that overlap, and documents that are new. Each
 * document is sent once.
 */
const strangers = 24
function strange(addressOf: (caller: number) => string) {
  const receipt =
    'receipt(id: "00000000-0000-4000-8000-000000000000") { id status project { name } anchors { anchorTx } }'
  const bodies = [
    (name: string) =>
      `query ${name} { __schema { types { name fields { name args { name } type { name ofType { name } } } } } }`,
    (name: string) => `query ${name} { ${times(60, () => receipt).join(' ')} }`,
    (name: string) => `query ${name} { ${times(40, index => `a${index}: ${receipt}`).join(' ')} }`,
  ]
  return (index: number) => ({
    path: '/graphql',
    body: { query: bodies[index % bodies.length]?.(`Q${index}`) },
    headers: { 'X-Forwarded-For': addressOf(index % strangers) },
  })
}

/** Starts a server that sends the first bytes of a ZIP, then one byte every half second. */
async function slowServer(): Promise<string> {
  const server = createServer((_, res) => {
    res.writeHead(200, { 'Content-Length': 100_000 }).write('PK')
    const drip = setInterval(() => res.write('x'), 500)
    res.on('close', () => clearInterval(drip))
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/**
 * Returns whether the request was refused. The response is read but not parsed, because the attacker's own work is not
 * the service's.
 */
const refuses = (url: string, { body, ...options }: RequestOptions & { body?: string }): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const asking = request(url, { agent, ...options }, response => {
      let isRefused = response.statusCode === 429
      response.on('data', (chunk: Buffer) => {
        isRefused ||= chunk.includes('too_many_requests')
      })
      response.on('end', () => resolve(isRefused)).on('error', reject)
    })
    asking.on('error', reject).end(body)
  })

async function requestOf({ attack, viewer, key, receipt }: Target): Promise<(index: number) => Request> {
  const graphql = (query: string, as: string) => () => ({
    path: '/graphql',
    body: { query },
    headers: { 'X-API-Key': as },
  })
  if (attack === 'lists' || attack === 'lists of a viewer') {
    const list =
      'receipts(first: 200) { nodes { id status amount artifacts { nodes { type url sha256 } } anchors { anchorTx } project { name } } }'
    // As many as the limits of one document allow.
    return graphql(`{ ${times(4, index => `a${index}: ${list}`).join(' ')} }`, viewer)
  }
  if (attack === 'pages') {
    const page = `file(owner: "${receipt}", name: "pain001.html") { content }`
    return graphql(`{ ${times(60, index => `a${index}: ${page}`).join(' ')} }`, viewer)
  }
  if (attack === 'statements')
    return graphql(
      `mutation { ${times(30, index => `a${index}: generateStatement(input: {}) { statement { id } }`).join(' ')} }`,
      key,
    )
  if (attack === 'assets') {
    const paths = ['/graphql/graphiql.js', '/docs/docs.js', '/openapi.json', '/graphql']
    return index => ({
      path: paths[index % paths.length] ?? '',
      headers: { Accept: 'text/html', 'Accept-Encoding': 'gzip' },
    })
  }
  if (attack === 'strangers') return strange(caller => `198.51.100.${caller}`)
  if (attack === 'strangers of a /48') return strange(caller => `2001:db8:7:${caller}::1`)
  const slow = await slowServer()
  return index => ({ path: '/v1/iso/verify', body: { bundle_url: `${slow}/${index}.zip` } })
}

const live = 'subscription { receiptChanged { cursor receipt { id status artifacts { nodes { type } } } } }'

/** Follows the receipts of the viewer's project over so many connections. Returns how many have ended. */
async function follow({ url, viewer }: Target, streams: number): Promise<() => number> {
  const headers = { 'X-API-Key': viewer, 'Content-Type': 'application/json', Accept: 'text/event-stream' }
  let ended = 0
  const open = () =>
    new Promise<void>((resolve, reject) => {
      const asking = request(`${url}/graphql/stream`, { method: 'POST', headers, agent: false }, response => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`a stream got ${response.statusCode}`))
        response
          .on('data', (chunk: Buffer) => {
            if (chunk.includes('too_many_requests')) ended++
          })
          .on('close', () => void ended++)
      })
      asking.on('error', reject).end(JSON.stringify({ query: live }))
    })
  await Promise.all(Array.from({ length: streams }, open))
  return () => ended
}

async function flood(target: Target): Promise<void> {
  const next = await requestOf(target)
  const counts = { answered: 0, refused: 0 }
  let index = 0
  const loop = async () => {
    for (;;) {
      const { path, body, headers } = next(index++)
      const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
      const isRefused = await refuses(target.url + path, {
        headers: { 'X-Forwarded-For': '203.0.113.66', ...json, ...headers },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      })
      counts[isRefused ? 'refused' : 'answered'] += 1
      if (isRefused) await sleep(pauseMs)
    }
  }
  process.on('SIGTERM', () => {
    console.log(`${counts.answered} answered, ${counts.refused} refused`)
    process.exit(0)
  })
  const callers = { 'slow bundles': 20, strangers, 'strangers of a /48': strangers }
  const count = Object.hasOwn(callers, target.attack) ? callers[target.attack as keyof typeof callers] : connections
  await Promise.all(Array.from({ length: count }, loop))
}

async function run(target: Target): Promise<void> {
  if (target.attack === 'streams of a viewer') {
    const streams = 100
    const ended = await follow(target, streams)
    process.on('SIGTERM', () => {
      console.log(`${streams} streams, ${ended()} ended`)
      process.exit(0)
    })
    return
  }
  await flood(target)
}

if (process.argv[2] !== undefined) {
  // Low priority, because a real attacker's machine would take no CPU time from the service.
  setPriority(constants.priority.PRIORITY_LOW)
  await run(JSON.parse(process.argv[2]))
}
