// Shared by all benchmarks: a PostgreSQL, servers as separate processes, paired load, medians of ratios.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import autocannon from 'autocannon'
import { pino } from 'pino'
import type { EmbeddedChain } from '../src/embedded/chain.ts'
import { startPostgres } from '../src/embedded/postgres.ts'
import { defaultQuotas } from '../src/limits/policy.ts'

export const adminKey = `admin_${randomBytes(24).toString('hex')}`

/** Limits that no load reaches. */
export const roomForAll = Object.keys(defaultQuotas)
  .map(policy => `${policy}=999999999`)
  .join()

export type Server = { url: string; pid: number; output: string; stop(): Promise<void> }

export async function inBench(
  run: (bench: { databaseUrl: string; serve: typeof serve; folder: string }) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-bench-'))
  const postgres = await startPostgres(join(folder, 'postgres'), pino({ level: 'silent' }))
  const servers: Server[] = []
  const started: typeof serve = async (file, env) => {
    const server = await serve(file, { DATABASE_URL: postgres.url, DATA_DIR: folder, ...env })
    servers.push(server)
    return server
  }
  try {
    await run({ databaseUrl: postgres.url, serve: started, folder })
  } finally {
    for (const server of servers.reverse()) await server.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts a server process and waits for the URL that it prints. */
export async function serve(file: string, env: Record<string, string>): Promise<Server> {
  const limits = { RATE_LIMITS: roomForAll }
  const settings = { PORT: '0', ADMIN_API_KEYS: adminKey, LOG_LEVEL: 'error', ...limits, ...env }
  const child: ChildProcess = spawn(process.execPath, [file], {
    // With NODE_ENV=test a developer's .env, which would change the measurement, is not read.
    env: { ...process.env, NODE_ENV: 'test', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${file} did not start: ${output}`)))
    child.stdout?.on('data', chunk => {
      output += chunk
      const found = /(?:"url":"|REST )(http:\/\/[^"/\s]+)/.exec(output)?.[1]
      if (found) resolve(found)
      // A process without the api role does not listen.
      if (/worker is ready/.test(output)) resolve('')
    })
  })
  return {
    url,
    pid: child.pid ?? 0,
    output,
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** The settings with which a process anchors on an embedded chain. */
export const anchoringOn = (chain: EmbeddedChain) => ({
  ANCHOR_CHAIN: `eip155:${chain.chainId}`,
  ANCHOR_RPC_URL: chain.rpcUrl,
  ANCHOR_CONTRACT: chain.contract,
  ANCHOR_PRIVATE_KEY: chain.anchorPrivateKey,
  ANCHOR_CONFIRMATIONS: '1',
})

export type Load = Omit<autocannon.Options, 'duration' | 'connections'>

/** Returns requests a second. Throws when a response is not 2xx, because a fast error is no figure. */
export async function rate(load: Load, connections: number, seconds: number): Promise<number> {
  const { requests } = load
  let begun = 0
  // Each connection begins elsewhere in the list, because connections that ask for the same at the same time are served
  // faster than others.
  const setupClient = (client: autocannon.Client) => {
    const at = (begun++ * 7) % (requests?.length ?? 1)
    if (requests) client.setRequests([...requests.slice(at), ...requests.slice(0, at)])
  }
  const result = await autocannon({ setupClient, ...load, connections, duration: seconds })
  if (result.non2xx + result.errors > 0)
    throw new Error(`${load.url}: ${result.non2xx} not 2xx, ${result.errors} errors`)
  return result.requests.total / result.duration
}

type Rounds = { connections: number; rounds?: number; seconds?: number; before?: () => Promise<unknown> }

/**
 * Runs each load in turn, round after round, so that a disturbance of the machine affects all of them alike. `before`
 * runs before each load.
 */
export async function compare<Name extends string>(
  loads: Record<Name, Load>,
  { connections, rounds = 5, seconds = 4, before }: Rounds,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(loads) as Name[]
  const rates = Object.fromEntries(names.map(name => [name, []])) as unknown as Record<Name, number[]>
  for (const name of names) await rate(loads[name], connections, Math.min(2, seconds))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      await before?.()
      rates[name].push(await rate(loads[name], connections, seconds))
    }
  }
  return rates
}

export const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

export const ratioOf = (rates: number[], baseline: number[]): number =>
  median(rates.map((value, round) => value / (baseline[round] ?? Number.NaN)))

/** Prints the median of the rounds' ratios, each against the baseline of the same round. */
export function report(title: string, rates: number[], baseline: number[], goal: number, of = 'the floor'): void {
  const ratio = ratioOf(rates, baseline)
  const verdict = ratio >= goal ? 'ok' : 'BELOW'
  console.log(
    `${verdict.padEnd(6)} ${title}: ${ratio.toFixed(2)} of ${of} (goal ${goal}); ${median(rates).toFixed(0)}/s against ${median(baseline).toFixed(0)}/s`,
  )
}

export async function projectKey(base: string): Promise<string> {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': adminKey },
    body: JSON.stringify({ query: 'mutation { createProject(input: { name: "Bench" }) { key } }' }),
  })
  const { data } = await response.json()
  return data.createProject.key
}

const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`

/** A payment to record, with these members in place of made-up ones. */
export const tipWith = (members: Record<string, string>) =>
  JSON.stringify({
    tip_tx_hash: hex(32),
    chain: 'base',
    amount: '12.5',
    currency: 'USDC',
    sender_wallet: hex(20),
    receiver_wallet: hex(20),
    reference: `bench-${randomBytes(12).toString('hex')}`,
    ...members,
  })
export const tip = () => tipWith({})

// `fetch` takes two or three times as much processor time, which the service would lack on the same cores.
const agent = new Agent({ keepAlive: true })

export const record = (base: string, key: string): Promise<string> => post(base, key, tip())

/** Records a payment, and returns the id of its receipt. */
export async function post(base: string, key: string, body: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, 'X-API-Key': key }
  const sent = request(`${base}/v1/iso/record-tip`, { method: 'POST', agent, headers })
  sent.end(body)
  const [response]: IncomingMessage[] = await once(sent, 'response')
  if (response === undefined) throw new Error('recording was not answered')
  const answer = await text(response)
  if (response.statusCode !== 200) throw new Error(`recording answered ${response.statusCode}`)
  return JSON.parse(answer).receipt_id
}
