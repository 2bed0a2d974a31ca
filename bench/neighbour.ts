// Measures how much an abusive tenant, at full quota, slows another tenant: p99 of reading and of recording a receipt,
// compared with p99 without other load. Then how a shop that records a payment a second is served beside a viewer and a
// hundred live streams of its own project.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, attacks, starvations, type Target } from './attack.ts'
import { inBench, projectKey, record, tip } from './kit.ts'

const seconds = 30
const goal = 4

/** Sends requests at this pace, however long earlier responses take. Returns the milliseconds of each. */
async function pace(perSecond: number, ask: () => Promise<unknown>, during = seconds): Promise<number[]> {
  const took: number[] = []
  const pending: Promise<void>[] = []
  const began = performance.now()
  for (let index = 0; index < perSecond * during; index++) {
    const due = began + (index * 1_000) / perSecond
    await sleep(Math.max(0, due - performance.now()))
    const sent = performance.now()
    pending.push(ask().then(() => void took.push(performance.now() - sent)))
  }
  await Promise.all(pending)
  return took
}

const percentile = (values: number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

await inBench(async ({ serve }) => {
  // With the default limits. Each caller has an address of its own.
  const { url } = await serve('src/main.ts', { RATE_LIMITS: '', TRUST_PROXY: '1', ALLOW_PRIVATE_TARGETS: 'true' })
  const graphql = async (query: string, key: string) => {
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': key, 'X-Forwarded-For': '203.0.113.1' }
    return (await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })).json()
  }
  const [victim, key] = [await projectKey(url), await projectKey(url)]
  const viewerOf = async (key: string): Promise<string> =>
    (await graphql('mutation { createApiKey(input: { label: "v", role: VIEWER }) { key } }', key)).data.createApiKey.key
  const [viewer, ownViewer] = [await viewerOf(key), await viewerOf(victim)]
  const ids = []
  for (let batch = 0; batch < 15; batch++)
    ids.push(...(await Promise.all(Array.from({ length: 20 }, () => record(url, key)))))
  const [own, receipt = ''] = [await record(url, victim), ids[0]]
  await sleep(6_000)

  const headers = { 'X-Forwarded-For': '203.0.113.2', 'X-API-Key': victim }
  const timed = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { ...init, headers: { ...headers, ...init.headers } })
    const text = await response.text()
    if (!response.ok) throw new Error(`the neighbour got ${response.status}: ${text}`)
  }
  const json = { 'Content-Type': 'application/json' }
  const measure = async () => {
    const [reads, records] = await Promise.all([
      pace(40, () => timed(`/v1/iso/receipts/${own}`)),
      pace(20, () => timed('/v1/iso/record-tip', { method: 'POST', headers: json, body: tip() })),
      // Verification has its own semaphore slots; no tenant may occupy them all.
      pace(1, () =>
        timed('/v1/iso/verify', {
          method: 'POST',
          headers: json,
          body: JSON.stringify({ bundle_url: `${url}/files/${own}/evidence.zip` }),
        }),
      ),
    ])
    return { read: percentile(reads, 0.99), record: percentile(records, 0.99) }
  }

  async function under<Figures>(attack: Attack, measure: () => Promise<Figures>, as = viewer) {
    const target: Target = { url, attack, viewer: as, key, receipt }
    const attacker = spawn(process.execPath, ['bench/attack.ts', JSON.stringify(target)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    attacker.stdout.on('data', chunk => (said += chunk))
    await sleep(500)
    const figures = await measure()
    attacker.kill('SIGTERM')
    await once(attacker, 'exit')
    return { figures, said: said.trim() }
  }

  await measure()
  const chosen = attacks.filter(attack => (process.env.ATTACK ?? attack) === attack)
  for (const attack of chosen) {
    // Quotas are per minute: the attack begins with a full one.
    await sleep(60_000 - (Date.now() % 60_000))
    const { figures: attacked, said } = await under(attack, measure)
    const { read, record: recorded } = attacked
    // Measured again after each attack, because the disk of a shared machine is not always equally fast.
    const idle = await measure()
    const ratios = [read / idle.read, recorded / idle.record]
    const verdict = ratios.every(ratio => ratio < goal) ? 'ok' : 'ABOVE'
    const shown = ratios.map(ratio => ratio.toFixed(1))
    console.log(
      `${verdict.padEnd(6)} ${attack}: GET p99 ${read.toFixed(0)} ms, record-tip p99 ${recorded.toFixed(0)} ms: ${shown.join(' and ')} of idle (goal below ${goal}); attacker: ${said}`,
    )
  }

  // Outlasts a window of the limits, so that it contains the moments when nothing of what reads may use is left.
  const shop = () =>
    pace(1, () => timed('/v1/iso/record-tip', { method: 'POST', headers: json, body: tip() }), 2 * seconds)
  for (const attack of starvations) {
    if ((process.env.ATTACK ?? attack) !== attack) continue
    const alone = Math.max(...(await shop()))
    const { figures, said } = await under(attack, shop, ownViewer)
    const slowest = Math.max(...figures)
    // A refusal would have ended the measurement.
    console.log(
      `${attack}: all of ${figures.length} payments recorded, the slowest in ${slowest.toFixed(0)} ms: ${(slowest / alone).toFixed(1)} of alone; ${said}`,
    )
  }
})
