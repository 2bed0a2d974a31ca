// The embedded servers survive a developer's accidents: kill -9, half-written folders, two starts at once.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect } from 'vitest'
import { endOrphanedChain, startChain } from '../../src/embedded/chain.ts'
import { killWithUs } from '../../src/embedded/on-death.ts'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { StartError } from '../../src/embedded/start-error.ts'
import { onlyInFull as it } from '../kit/size.ts'

const log = pino({ level: 'silent' })
let folder: string
const running: { stop(): Promise<void> }[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-embedded-'))
})

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop().catch(() => {})
  await rm(folder, { recursive: true, force: true })
})

const postgresIn = async (name: string) => {
  const server = await startPostgres(join(folder, name), log)
  running.push(server)
  return server
}

const chainIn = async (name: string) => {
  const server = await startChain(join(folder, name), log)
  running.push(server)
  return server
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query({ text: sql, rowMode: 'array' })
  await client.end()
  return rows.flat()
}

async function rpc(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  return JSON.parse(await response.text()).result
}

const postgresPid = async () =>
  Number((await readFile(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0])
const chainPid = async (): Promise<number> =>
  JSON.parse(await readFile(join(folder, 'chain', 'process.json'), 'utf8')).pid

// A process leaves the process table a moment after its server has ended.
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    try {
      process.kill(pid, 0)
    } catch {
      return true
    }
    await sleep(20)
  }
  return false
}

/** Starts both servers in another process, which keeps them until it is killed; returns their addresses. */
async function otherProcess() {
  const module = (name: string) => JSON.stringify(new URL(`../../src/embedded/${name}.ts`, import.meta.url).href)
  const code = `
    const { startPostgres } = await import(${module('postgres')})
    const { startChain } = await import(${module('chain')})
    const log = { info() {}, error() {} }
    const { url } = await startPostgres(${JSON.stringify(join(folder, 'postgres'))}, log)
    const { rpcUrl, contract } = await startChain(${JSON.stringify(join(folder, 'chain'))}, log)
    console.log(JSON.stringify({ url, rpcUrl, contract }))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  child.once('exit', killWithUs(child.pid))
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (output.includes('\n')) break
  }
  const { url, rpcUrl, contract }: { url: string; rpcUrl: string; contract: string } = JSON.parse(output)
  const kill = async () => {
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  return { url, rpcUrl, contract, output, kill }
}

it('after kill -9 the next start adopts both servers with all their data, and its stop leaves none running', async () => {
  const other = await otherProcess()
  await query(other.url, 'create table kept as select 42 as n')
  await rpc(other.rpcUrl, 'anvil_mine', '0x5')
  const pids = [await postgresPid(), await chainPid()]
  await other.kill()

  const postgres = await postgresIn('postgres')
  const chain = await chainIn('chain')
  expect([postgres.url, chain.rpcUrl]).toEqual([other.url, other.rpcUrl])
  expect([await postgresPid(), await chainPid()]).toEqual(pids)
  expect(await query(postgres.url, 'select n from kept')).toEqual([42])
  expect(await rpc(chain.rpcUrl, 'eth_blockNumber')).toBe('0x7')

  await chain.stop()
  await postgres.stop()
  running.length = 0
  expect(await Promise.all(pids.map(isGone))).toEqual([true, true])
  // Everything that the adopting process stopped is on disk.
  expect(await query((await postgresIn('postgres')).url, 'select n from kept')).toEqual([42])
  const { rpcUrl, contract } = await chainIn('chain')
  expect(await rpc(rpcUrl, 'eth_blockNumber')).toBe('0x7')
  expect(await rpc(rpcUrl, 'eth_getCode', contract, 'latest')).not.toBe('0x')
})

it('a killed PostgreSQL is started again where it was, with its data', async () => {
  const { url } = await postgresIn('postgres')
  await query(url, 'create table kept as select 42 as n')
  const pid = await postgresPid()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => query(url, 'select n from kept').catch(() => null)).toEqual([42])
  expect(await postgresPid()).not.toBe(pid)
})

it('a killed chain is started again where it was, with the blocks that were on disk', async () => {
  const { rpcUrl, contract } = await chainIn('chain')
  const pid = await chainPid()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => rpc(rpcUrl, 'eth_getCode', contract, 'latest').catch(() => null)).toMatch(/^0x[0-9a-f]{8}/)
  await expect.poll(chainPid).not.toBe(pid)
})

it('a killed process that is not started again leaves no server running, and no data is lost', async () => {
  const other = await otherProcess()
  await query(other.url, 'create table kept as select 42 as n')
  // The chain has not written this block to disk yet.
  await rpc(other.rpcUrl, 'anvil_mine', '0x5')
  const pids = [await postgresPid(), await chainPid()]
  await other.kill()
  for (const pid of pids) await expect.poll(() => isGone(pid)).toBe(true)

  expect(await query((await postgresIn('postgres')).url, 'select n from kept')).toEqual([42])
  expect(await rpc((await chainIn('chain')).rpcUrl, 'eth_blockNumber')).toBe('0x7')
})

it('servers that were adopted in time keep running when the watchdog of their former process checks them', async () => {
  const other = await otherProcess()
  await other.kill()
  const postgres = await postgresIn('postgres')
  const chain = await chainIn('chain')
  // Longer than the time after which an orphaned server is ended.
  await sleep(5_000)
  expect(await query(postgres.url, 'select 42')).toEqual([42])
  expect(await rpc(chain.rpcUrl, 'eth_blockNumber')).toMatch(/^0x/)
}, 60_000)

it('a chain that is adopted at the moment when it is ended as an orphan works and has lost nothing', async () => {
  const home = join(folder, 'chain')
  for (let round = 0; round < 12; round++) {
    const { rpcUrl, stop } = await startChain(home, log)
    await rpc(rpcUrl, 'anvil_mine', '0x1')
    const block = await rpc(rpcUrl, 'eth_blockNumber')
    const { owner, pid } = JSON.parse(await readFile(join(home, 'process.json'), 'utf8'))
    const ending = endOrphanedChain(home, owner, pid)
    await sleep(round * 2)
    const next = await startChain(home, log)
    await ending
    expect(await rpc(next.rpcUrl, 'eth_blockNumber')).toBe(block)
    await next.stop()
    await stop()
  }
}, 60_000)

it('a chain whose folder was removed after kill -9 ends by itself', async () => {
  const other = await otherProcess()
  const pid = await chainPid()
  await other.kill()
  await rm(join(folder, 'chain'), { recursive: true })
  await expect.poll(() => isGone(pid)).toBe(true)
}, 60_000)

it('after servers and process died together, the database recovers and the chain keeps logs and transactions', async () => {
  const other = await otherProcess()
  await query(other.url, 'create table kept as select 42 as n')
  const data = `0x09561a57${'ab'.repeat(32)}`
  const [from] = (await rpc(other.rpcUrl, 'eth_accounts')) as string[]
  const txid = await rpc(other.rpcUrl, 'eth_sendTransaction', { from, to: other.contract, data })
  // Longer than the interval at which a changed chain writes its state.
  await sleep(3_000)
  const pids = [await postgresPid(), await chainPid()]
  await other.kill()
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  expect(await Promise.all(pids.map(isGone))).toEqual([true, true])

  const postgres = await postgresIn('postgres')
  const chain = await chainIn('chain')
  expect(await query(postgres.url, 'select n from kept')).toEqual([42])
  expect(await rpc(chain.rpcUrl, 'eth_getTransactionReceipt', txid)).toMatchObject({
    status: '0x1',
    blockNumber: '0x3',
  })
  const logs = await rpc(chain.rpcUrl, 'eth_getLogs', { fromBlock: '0x0', address: chain.contract })
  expect(logs).toMatchObject([{ transactionHash: txid }])
}, 30_000)

it('a second Quittance on the same folder is refused in one plain sentence, and the first keeps running', async () => {
  const first = await postgresIn('postgres')
  const refusal = await startPostgres(join(folder, 'postgres'), log).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StartError)
  expect(String(refusal)).toMatch(
    /^StartError: Another Quittance uses the data folder \S+: stop it, or set DATA_DIR to another\.$/,
  )
  expect(await query(first.url, 'select 1')).toEqual([1])
})

it('the remains of a first start that was killed half-way are no obstacle, and are removed', async () => {
  const home = join(folder, 'postgres')
  await mkdir(join(home, 'new-abc123', 'base'), { recursive: true })
  await writeFile(join(home, 'new-abc123', 'PG_VERSION'), '18\n')
  const { url } = await postgresIn('postgres')
  expect(await query(url, 'show server_encoding')).toEqual(['UTF8'])
  expect(await query(url, 'select datcollate from pg_database where datname = current_database()')).toEqual(['C'])
  expect(await readdir(home)).toEqual(['cluster'])
  expect((await stat(join(home, 'cluster', 'password'))).mode & 0o777).toBe(0o600)
  await expect(query(url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password/)
})

it('a pid file of a dead server, whose pid another process now has, does not prevent a start', async () => {
  await (await postgresIn('postgres')).stop()
  running.length = 0
  const cluster = join(folder, 'postgres', 'cluster')
  await writeFile(join(cluster, 'postmaster.pid'), `${process.pid}\n${cluster}\n1\n1\n\n127.0.0.1\n1 1\nready   \n`)
  expect(await query((await postgresIn('postgres')).url, 'select 1')).toEqual([1])
})

it('a damaged chain file is reported with its name and a remedy, and no server is left running', async () => {
  await (await chainIn('chain')).stop()
  running.length = 0
  const state = join(folder, 'chain', 'state.json')
  await truncate(state, 1_000)
  const refusal = await startChain(join(folder, 'chain'), log).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StartError)
  expect(String(refusal)).toContain(`If ${state} is damaged, remove ${join(folder, 'chain')} to begin a new chain.`)
  expect(await isGone(await chainPid())).toBe(true)
})

it('a folder that cannot be created is reported with its setting', async () => {
  await writeFile(join(folder, 'file'), '')
  for (const start of [startPostgres, startChain]) {
    const refusal = await start(join(folder, 'file', 'data'), log).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(StartError)
    expect(String(refusal)).toContain('DATA_DIR')
  }
  expect(existsSync(join(folder, 'file', 'data'))).toBe(false)
})
