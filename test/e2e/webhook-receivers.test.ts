// The receivers of docs/webhooks.md, unchanged, accept the deliveries of a real service and nothing else.
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../kit/clients.ts'
import { type Service, startService } from '../kit/service.ts'
import { lacks, type Program, programOf, startProgram } from '../kit/webhook-receivers.ts'
import { freshSecret, send, signedBy, signedByNothing, wrongWebhooks } from '../kit/wrong-webhooks.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ ALLOW_PRIVATE_TARGETS: 'true' })
})
afterAll(() => service.stop())

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const life = ['receipt.pending', 'receipt.awaiting_anchor', 'receipt.anchored']

async function ask(key: string, query: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await service.api.graphql(query, { key, variables })
  expect(errors).toBeUndefined()
  return data
}
const secretOf = async (key: string): Promise<string> =>
  (await ask(key, '{ me { project { callbackSecret } } }')).me.project.callbackSecret
const rotate = async (key: string, overlapHours: number): Promise<string> =>
  (
    await ask(
      key,
      'mutation ($h: Int) { rotateCallbackSecret(input: { overlapHours: $h }) { project { callbackSecret } } }',
      { h: overlapHours },
    )
  ).rotateCallbackSecret.project.callbackSecret

type Delivery = {
  id: string
  webhookId: string
  type: string
  status: string
  attempts: { statusCode: number | null }[]
}
const deliveriesOf = async (key: string, receiptId: string): Promise<Delivery[]> =>
  (
    await ask(
      key,
      `query ($id: ID) { webhookDeliveries(filter: { receiptId: $id }, first: 100) { nodes {
         id webhookId type status attempts { statusCode } } } }`,
      { id: receiptId },
    )
  ).webhookDeliveries.nodes

const statesOf = async (key: string, receiptId: string) =>
  (await deliveriesOf(key, receiptId)).map(({ status }) => status)

const recorded = async (key: string, program: Program): Promise<string> =>
  (await service.api.record(key, { callback_url: `${program.url}/hooks?order=1` })).json.receipt_id

describe.each(['TypeScript', 'Python', 'Shell'] as const)('the receiver in %s', language => {
  const lacking = lacks(language)
  if (lacking) console.warn(`Skipped: the receiver in ${language} of docs/webhooks.md; ${lacking}.`)

  it.skipIf(lacking !== null)('keeps each event of a receipt once, however often the service sends it', async () => {
    const { key } = await service.api.project()
    await using program = await startProgram(language, await secretOf(key))
    const receiptId = await recorded(key, program)
    await service.api.anchored(receiptId)
    await expect.poll(async () => Object.keys(await program.kept()).length).toBe(3)
    await expect.poll(() => statesOf(key, receiptId)).toEqual(Array(3).fill('DELIVERED'))
    const deliveries = (await deliveriesOf(key, receiptId)).toReversed()
    const kept = await program.kept()
    expect(deliveries.map(({ webhookId }) => JSON.parse(kept[webhookId] ?? '{}').type)).toEqual(life)
    for (const { id } of deliveries)
      await ask(key, 'mutation ($id: ID!) { replayWebhookDelivery(input: { id: $id }) { webhookDelivery { id } } }', {
        id,
      })
    const codes = async () =>
      (await deliveriesOf(key, receiptId)).map(({ attempts }) => attempts.map(one => one.statusCode))
    await expect.poll(codes).toEqual(Array(3).fill([204, 204]))
    expect(await program.kept()).toEqual(kept)
    expect(program.said().toSorted()).toEqual(Object.keys(kept).toSorted())
  })

  it.skipIf(lacking !== null)('refuses a delivery that is changed, outdated, or not from the service', async () => {
    const secret = freshSecret()
    await using program = await startProgram(language, secret)
    const told = []
    for (const [what, change] of wrongWebhooks) {
      const sent = signedBy(secret)
      told.push([what, await send(program.url, { ...sent, ...change(sent, secret) })])
    }
    expect(told).toEqual(wrongWebhooks.map(([what]) => [what, 401]))
    expect(await program.kept()).toEqual({})
    // After all refusals it still accepts valid deliveries, also one with further unknown signatures.
    const good = signedBy(secret)
    expect(await send(program.url, good)).toBe(204)
    const among = signedBy(secret)
    const { signature } = among
    const several = `v1a,x v2,${signature.slice(3)} ${signedBy(freshSecret()).signature} ${signature}`
    expect(await send(program.url, { ...among, signature: several })).toBe(204)
    expect(await program.kept()).toEqual({ [good.id]: good.body, [among.id]: among.body })
  })

  it.skipIf(lacking !== null)(
    'accepts deliveries with the old and with the new secret while both are valid',
    async () => {
      const { key } = await service.api.project()
      await using before = await startProgram(language, await secretOf(key))
      await using after = await startProgram(language, await rotate(key, 1))
      const receipts = [await recorded(key, before), await recorded(key, after)]
      for (const program of [before, after])
        await expect.poll(async () => Object.keys(await program.kept()).length).toBe(3)
      for (const id of receipts) await expect.poll(() => statesOf(key, id)).toEqual(Array(3).fill('DELIVERED'))
    },
  )

  it.skipIf(lacking !== null)(
    'refuses deliveries after its secret was replaced, which the delivery shows',
    async () => {
      const { key } = await service.api.project()
      await using old = await startProgram(language, await secretOf(key))
      await rotate(key, 0)
      const receiptId = await recorded(key, old)
      const first = async () => (await deliveriesOf(key, receiptId)).at(-1)?.attempts.at(-1)?.statusCode
      await expect.poll(first).toBe(401)
      expect(await statesOf(key, receiptId)).not.toContain('DELIVERED')
      expect(await old.kept()).toEqual({})
    },
  )

  it.skipIf(lacking !== null)('does not start, or accepts nothing, without a secret', async () => {
    const program = await startProgram(language, '').catch(() => null)
    if (program === null) return
    await using running = program
    expect(await send(running.url, signedByNothing())).toBe(500)
    expect(await running.kept()).toEqual({})
  })
})

it('the TypeScript receiver compiles in strict mode', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-receiver-'))
  await symlink(modules, join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'receiver.ts'), await programOf('TypeScript'))
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const told = await run(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', folder])
  expect(told).toMatchObject({ code: 0, stdout: '' })
  await rm(folder, { recursive: true })
})
