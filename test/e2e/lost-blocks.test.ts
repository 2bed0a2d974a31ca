// A chain that lost its newest blocks gets the same transactions again, so that none is stuck above a nonce gap.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../kit/service.ts'

let service: Service
let key: string
beforeAll(async () => {
  service = await startService()
  key = (await service.api.project()).key
})
afterAll(() => service.stop())

async function rpc(method: string, params: unknown[] = []) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(service.localChain ?? '', { method: 'POST', headers, body })
  return (await answer.json()).result
}

it('anchors in lost blocks are mined again by the same transactions, and new receipts are anchored', async () => {
  const snapshot = await rpc('evm_snapshot')
  const lost: Record<string, string>[] = []
  for (let n = 0; n < 3; n++) lost.push(await service.api.anchored((await service.api.record(key)).json.receipt_id))
  await rpc('evm_revert', [snapshot])
  expect(await rpc('eth_getTransactionReceipt', [lost[0]?.ledger_txid])).toBeNull()

  const next = await service.api.anchored((await service.api.record(key)).json.receipt_id)
  for (const receipt of [...lost, next]) {
    const { json } = await service.api.call('POST', '/v1/iso/verify', { body: { bundle_url: receipt.bundle_url } })
    expect([json.matches_onchain, json.ledger_txid, json.errors]).toEqual([true, receipt.ledger_txid, []])
  }
})
