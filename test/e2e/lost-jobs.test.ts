// A job that is lost, as the queue can lose one that is asked for while the same is taken up, loses no receipt.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { endPauses } from '../../src/modules/anchoring/wake.ts'
import { type Service, startService } from '../kit/service.ts'

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

/** What waits is old enough that its job is missed. */
const age = (table: string) => sql(`update ${table} set created_at = created_at - interval '10 seconds'`)

it('the job that sends anchors: the receipt is anchored all the same', async () => {
  const { json } = await service.api.record(key)
  const lane = () =>
    sql(`delete from graphile_worker._private_jobs where key = 'anchor:local' and locked_at is null returning id`)
  await expect.poll(async () => (await lane()).length, { interval: 10 }).toBe(1)
  expect(await sql(`select state from anchors where receipt_id = $1`, [json.receipt_id])).toEqual([
    { state: 'waiting' },
  ])
  await age('anchors')
  expect((await service.api.anchored(json.receipt_id, 40_000)).status).toBe('anchored')
})

it('the job that follows a transaction: the receipt is anchored all the same', async () => {
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
  expect((await service.api.anchored(json.receipt_id, 40_000)).status).toBe('anchored')
})

it('a pause after failures ends when the service starts anew, which is how its cause is put right', async () => {
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
