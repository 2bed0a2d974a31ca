// A lost job loses no receipt. The queue can lose a job that is enqueued while the same job is being claimed.
import { afterAll, beforeAll, expect } from 'vitest'
import { endPauses } from '../../src/modules/anchoring/wake.ts'
import { type Service, startService } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

let service: Service
let key: string
beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'silent' })
  key = (await service.api.project()).key
})
afterAll(() => service.stop())

const sql = async (text: string, values: unknown[] = []) => (await service.app.pool.query(text, values)).rows

async function rpc(method: string, params: unknown[] = []) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'Content-Type': 'application/json' }
  return (await fetch(service.localChain ?? '', { method: 'POST', headers, body })).json()
}

/** Makes waiting rows old enough for the service to notice that their job is missing. */
const age = (table: string) => sql(`update ${table} set created_at = created_at - interval '10 seconds'`)

it('a receipt is anchored although the job that sends anchors is lost', async () => {
  const { json } = await service.api.record(key)
  const lane = () =>
    sql(`delete from graphile_worker._private_jobs where key = 'anchor:local' and locked_at is null returning id`)
  await expect.poll(async () => (await lane()).length, { interval: 10 }).toBe(1)
  expect(await sql(`select state from anchors where receipt_id = $1`, [json.receipt_id])).toEqual([
    { state: 'waiting' },
  ])
  await age('anchors')
  expect((await service.api.anchored(json.receipt_id)).status).toBe('anchored')
})

it('a receipt is anchored although the job that confirms its transaction is lost', async () => {
  await rpc('evm_setAutomine', [false])
  const { json } = await service.api.record(key)
  const follow = () =>
    sql(
      `delete from graphile_worker._private_jobs where locked_at is null and key = (
         select 'confirm:' || transaction_id from anchors where receipt_id = $1) returning id`,
      [json.receipt_id],
    )
  await expect.poll(async () => (await follow()).length, { interval: 10 }).toBe(1)
  await age('anchor_transactions')
  await rpc('evm_setAutomine', [true])
  await rpc('evm_mine')
  expect((await service.api.anchored(json.receipt_id)).status).toBe('anchored')
})

it('a retry delay after failures ends when the service restarts, because a restart may have removed the cause', async () => {
  const paused = async () =>
    (await sql(`select 1 from graphile_worker._private_jobs where key = 'anchor:paused' and run_at > now()`)).length
  await sql(
    `select graphile_worker.add_job('anchor', json_build_object('chain', 'local'), job_key := 'anchor:paused',
       run_at := now() + interval '1 hour')`,
  )
  expect(await paused()).toBe(1)
  await endPauses(service.app)
  expect(await paused()).toBe(0)
})
