// `quittance import` as its users run it: a process of its own, a real service, and a proxy between them that fails.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { runCommand, startCommand } from '../kit/command.ts'
import { roomForAll, type Service, startService, type Tip, tipOf } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

let folder: string
let file: string
let service: Service
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-import-'))
  file = join(folder, 'payments.csv')
  service = await startService({ ROLES: 'api', RATE_LIMITS: roomForAll })
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

const columns = ['tip_tx_hash', 'chain', 'amount', 'currency', 'sender_wallet', 'receiver_wallet', 'reference'] as const
const tips = (length: number, change: Partial<Tip> = {}) => Array.from({ length }, () => tipOf(change))
const csv = (rows: readonly Partial<Tip>[]) =>
  `${columns.join()}\n${rows.map(row => columns.map(column => row[column] ?? '').join()).join('\n')}\n`

const args = (url: string, ...more: string[]) => ['import', file, '--url', url, ...more]
const run = (key: string, ...more: string[]) => runCommand(args(service.base, ...more), { QUITTANCE_API_KEY: key })
const jsonIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

/** Returns the references of a project's receipts, sorted. */
async function referencesOf(project: string): Promise<string[]> {
  const { rows } = await service.app.pool.query('select reference from receipts where project_id = $1', [project])
  return rows.map(({ reference }) => reference).toSorted()
}
const sorted = (rows: readonly Tip[]) => rows.map(({ reference }) => reference).toSorted()

type Fault = (req: IncomingMessage, res: ServerResponse, answer: () => Promise<Response>) => Promise<void>

/** Starts a proxy, which answers the lists of payments as `faults` do, one after another, and passes on all else. */
async function startProxy(faults: Fault[]) {
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const answer = () =>
      fetch(`${service.base}${req.url}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': String(req.headers['x-api-key']) },
        body,
      })
    const fault = body.includes('recordReceipts') ? faults.shift() : undefined
    if (fault) return fault(req, res, answer)
    const response = await answer()
    res.writeHead(response.status, { 'Content-Type': 'application/json' }).end(await response.text())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise(resolve => server.close(resolve).closeAllConnections()),
  }
}

describe('a file', () => {
  it('is recorded, and is found as it is when it is imported again', async () => {
    const project = await service.api.project()
    const rows = tips(1_203)
    await writeFile(file, csv(rows))
    const first = await run(project.key, '--json')
    expect([first.code, jsonIn(first.out)]).toEqual([
      0,
      [{ type: 'summary', rows: 1_203, invalid: 0, recorded: 1_203, known: 0, different: 0 }],
    ])
    expect(await referencesOf(project.id)).toEqual(sorted(rows))
    const again = await run(project.key)
    expect([again.code, again.out]).toEqual([
      0,
      '1,203 rows: 0 recorded, 1,203 recorded before, 0 that differ from an earlier receipt, 0 not acceptable.\n',
    ])
    expect(await referencesOf(project.id)).toEqual(sorted(rows))
  })

  it('is only checked by a dry run, which needs no service', async () => {
    await writeFile(file, csv([tipOf(), tipOf({ amount: '0' })]))
    const { code, out } = await runCommand(args('http://127.0.0.1:1', '--dry-run', '--json'))
    expect([code, jsonIn(out)]).toEqual([
      1,
      [
        { type: 'invalid', line: 3, column: 'amount', message: 'An amount must be above zero.' },
        { type: 'summary', rows: 2, invalid: 1, recorded: 0, known: 0, different: 0 },
      ],
    ])
  })

  it('with a bad row records nothing, and with --skip-bad all others', async () => {
    const project = await service.api.project()
    const [one, two] = [tipOf(), tipOf()]
    await writeFile(file, csv([one, tipOf({ tip_tx_hash: '1.2E+70' }), two, tipOf({ currency: '' })]))
    const refused = await run(project.key)
    expect([
      refused.code,
      refused.out
        .split('\n')
        .slice(0, 2)
        .map(line => line.split(':')[0]),
    ]).toEqual([1, ['line 3, tip_tx_hash', 'line 5, currency']])
    expect(refused.err).toContain('Nothing was sent.')
    expect(await referencesOf(project.id)).toEqual([])
    const skipped = await run(project.key, '--skip-bad')
    expect([skipped.code, skipped.out.split('\n').at(-2)]).toEqual([
      1,
      '4 rows: 2 recorded, 0 recorded before, 0 that differ from an earlier receipt, 2 not acceptable.',
    ])
    expect(await referencesOf(project.id)).toEqual(sorted([one, two]))
  })

  it('that differs from what was recorded is told with both values', async () => {
    const project = await service.api.project()
    const [one, two, three] = [tipOf(), tipOf(), tipOf()]
    for (const tip of [one, two, three]) await service.api.record(project.key, tip)
    const report = join(folder, 'found.jsonl')
    const other = { ...tipOf(), reference: two.reference }
    await writeFile(file, csv([{ ...one, amount: '13', currency: 'EURC' }, other, three]))
    const { code, out } = await run(project.key, '--report', report)
    expect(code).toBe(1)
    const [amount, reference, summary, ...more] = jsonIn(await readFile(report, 'utf8'))
    expect(amount).toEqual({
      ...{ type: 'different', line: 2, reference: one.reference, receipt_id: expect.any(String) },
      matched_by: 'settlement',
      differences: [
        { column: 'amount', file: '13', receipt: '12.5' },
        { column: 'currency', file: 'EURC', receipt: 'USDC' },
      ],
    })
    expect(reference).toMatchObject({
      ...{ line: 3, matched_by: 'reference' },
      differences: [
        { column: 'tip_tx_hash', file: other.tip_tx_hash, receipt: two.tip_tx_hash },
        { column: 'sender_wallet', file: other.sender_wallet, receipt: two.sender_wallet },
        { column: 'receiver_wallet', file: other.receiver_wallet, receipt: two.receiver_wallet },
      ],
    })
    expect([summary, more]).toEqual([{ type: 'summary', rows: 3, invalid: 0, recorded: 0, known: 1, different: 2 }, []])
    expect(out).toContain(`line 2, reference ${one.reference}: differs from receipt ${amount.receipt_id}`)
    expect(out).toContain('amount is 13 here and 12.5 there; currency is EURC here and USDC there')
    expect(out).toContain('so that this payment is not recorded')
  })
})

describe('a service', () => {
  it('that asks to wait, goes away and loses answers gets each payment once', { timeout: 60_000 }, async () => {
    const project = await service.api.project()
    const rows = tips(1_300)
    await writeFile(file, csv(rows))
    const proxy = await startProxy([
      async (_, res) => void res.writeHead(429, { 'Retry-After': '1' }).end('{}'),
      async req => void req.socket.destroy(),
      // It is recorded, and nobody is told.
      async (req, _, answer) => {
        await answer()
        req.socket.destroy()
      },
      async (_, res) => void res.writeHead(503, { 'Retry-After': '1' }).end('<html>away</html>'),
    ])
    const { code, out, err } = await runCommand(args(proxy.url), { QUITTANCE_API_KEY: project.key })
    await proxy.stop()
    expect([code, out]).toEqual([
      0,
      '1,300 rows: 800 recorded, 500 recorded before, 0 that differ from an earlier receipt, 0 not acceptable.\n',
    ])
    expect(err).toContain('The limit of the key is used up: it goes on in 1 s.')
    expect(err).toContain('is away')
    expect(err).toContain('The service is back.')
    expect(await referencesOf(project.id)).toEqual(sorted(rows))
  })

  it('whose limits are smaller than a list gets shorter lists', { timeout: 60_000 }, async () => {
    const project = await service.api.project()
    const rows = tips(120)
    await writeFile(file, csv(rows))
    const refusal = (code: string, more: object) => async (_: IncomingMessage, res: ServerResponse) =>
      void res.end(JSON.stringify({ errors: [{ message: 'Too much.', extensions: { code, ...more } }] }))
    const proxy = await startProxy([
      refusal('too_many_requests', { limit: 'project', maximum: 100, actual: 330 }),
      refusal('document_too_costly', { limit: 'cost', maximum: 100, actual: 165 }),
    ])
    const { code, out } = await runCommand(args(proxy.url), { QUITTANCE_API_KEY: project.key })
    await proxy.stop()
    expect([code, out]).toEqual([0, expect.stringMatching(/^120 rows: 120 recorded/)])
    expect(await referencesOf(project.id)).toEqual(sorted(rows))
  })

  it('that refuses rows which the command accepted is reported by their lines', async () => {
    const project = await service.api.project()
    const rows = tips(3)
    await writeFile(file, csv(rows))
    const issues = [{ path: ['input', 'receipts', 1, 'currency'], message: 'Not here.', type: 'value_error' }]
    const refusal: Fault = async (_, res) =>
      void res.end(
        JSON.stringify({ errors: [{ message: 'Not here.', extensions: { code: 'validation_failed', issues } }] }),
      )
    for (const [options, recorded] of [
      [[], []],
      [['--skip-bad'], [rows[0], rows[2]]],
    ] as [string[], Tip[]][]) {
      const proxy = await startProxy([refusal])
      const { code, out } = await runCommand(args(proxy.url, ...options), { QUITTANCE_API_KEY: project.key })
      await proxy.stop()
      expect([code, out.split('\n')[0]]).toEqual([1, 'line 3, currency: Not here.'])
      expect(await referencesOf(project.id)).toEqual(sorted(recorded))
    }
  })

  it('that refuses the key, or has none of its own, is told at once', async () => {
    await writeFile(file, csv(tips(1)))
    expect(await run('qk_unknown')).toMatchObject({ code: 1, err: expect.stringContaining('does not accept this key') })
    const { key } = await service.api.project()
    const viewer = await service.api.key(key, 'viewer')
    expect(await run(viewer)).toMatchObject({ code: 1, err: expect.stringContaining('refuses') })
    expect(await runCommand(args(service.base))).toMatchObject({ code: 2, err: expect.stringContaining('--key') })
    const away = await runCommand(args('http://127.0.0.1:1'), { QUITTANCE_API_KEY: key })
    expect(away).toMatchObject({ code: 1, err: expect.stringContaining('No service answers') })
  })
})

describe('a command', () => {
  it.each(['SIGKILL', 'SIGINT'] as const)(
    'ended by %s in the middle continues when it is run again',
    { timeout: 60_000 },
    async signal => {
      const project = await service.api.project()
      const rows = tips(2_600)
      await writeFile(file, csv(rows))
      const middle = Promise.withResolvers<void>()
      const proxy = await startProxy([
        async (_, res, answer) => void res.end(await (await answer()).text()),
        // Recorded, and the command ends before it is told.
        async (_, __, answer) => {
          await answer()
          middle.resolve()
        },
      ])
      const command = startCommand(args(proxy.url), { QUITTANCE_API_KEY: project.key })
      await middle.promise
      const ended = await command.end(signal)
      await proxy.stop()
      if (signal === 'SIGINT') expect(ended).toMatchObject({ code: 130, err: expect.stringContaining('Stopped.') })
      expect(await referencesOf(project.id)).toHaveLength(1_000)
      const again = await run(project.key)
      expect([again.code, again.out]).toEqual([
        0,
        '2,600 rows: 1,600 recorded, 1,000 recorded before, 0 that differ from an earlier receipt, 0 not acceptable.\n',
      ])
      expect(await referencesOf(project.id)).toEqual(sorted(rows))
    },
  )

  it('imports the times of payments and the numbers of transfers', async () => {
    const project = await service.api.project()
    const tip = tipOf()
    const more = { ...tip, transfer_index: 3, settled_at: '2025-01-31T12:00:00+01:00' }
    const names = Object.keys(more)
    await writeFile(file, `\uFEFF${names.join(';')}\r\n${Object.values(more).join(';')}\r\n`.replace('12.50', '12,50'))
    expect((await run(project.key)).code).toBe(0)
    const { data } = await service.api.graphql('{ receipts { nodes { amount transferIndex settledAt } } }', {
      key: project.key,
    })
    expect(data.receipts.nodes).toEqual([{ amount: '12.5', transferIndex: 3, settledAt: '2025-01-31T11:00:00.000Z' }])
  })
})
