// The MCP endpoint, asked by the official clients of both kinds: the same tools, rules and refusals as on the other doors.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, eras, refusal } from '../kit/mcp.ts'
import { type Service, startService, tipOf } from '../kit/service.ts'

let service: Service
let key: string
beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'silent' })
  key = (await service.api.project()).key
})
afterAll(() => service?.stop())

describe.each(['2026-07-28', '2025-11-25'] as const)('a client of %s', era => {
  let mine: Caller
  let anyone: Caller
  beforeAll(async () => {
    mine = await eras[era](
      service.base,
      era === '2026-07-28' ? { Authorization: `Bearer ${key}` } : { 'X-API-Key': key },
    )
    anyone = await eras[era](service.base)
  })
  afterAll(() => Promise.all([mine?.close(), anyone?.close()]))

  it('records a payment, waits until it is anchored, and verifies it', async () => {
    const names = (await mine.list()).map(({ name }) => name)
    expect(names).toContain('record_payment')
    const tip = tipOf()
    const first = await mine.call('record_payment', tip)
    expect(first).toMatchObject({ isError: false, structuredContent: { status: 'pending', matched_by: null } })
    const id = first.structuredContent?.receipt_id
    expect((await mine.call('record_payment', tip)).structuredContent).toMatchObject({
      receipt_id: id,
      matched_by: 'settlement',
    })
    await service.api.anchored(String(id))
    const { structuredContent: receipt } = await anyone.call('get_receipt', { rid: id })
    expect(receipt).toMatchObject({ id, status: 'anchored' })
    const verified = await anyone.call('verify_evidence', { bundle_url: receipt?.bundle_url })
    expect(verified.structuredContent).toMatchObject({ matches_onchain: true, errors: [] })
    expect(JSON.parse(verified.content[0]?.text ?? '')).toEqual(verified.structuredContent)
    expect((await anyone.call('list_messages', { rid: id })).structuredContent).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ type: 'pain.001' })]),
    })
    const statement = await mine.call('generate_statement')
    expect(statement.structuredContent).toMatchObject({ type: 'camt.053' })
    const again = await mine.call('get_statement', { statement_id: statement.structuredContent?.id })
    expect(again.structuredContent).toEqual(statement.structuredContent)
  })
})
