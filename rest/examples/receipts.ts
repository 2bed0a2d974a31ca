// The receipt lifecycle: recorded, followed, anchored, verified, queried and refunded; and a receipt of a project that
// sends its anchors itself.
import type { Project } from './project.ts'
import { ask, isAnchored, type Stage, until } from './stage.ts'
import { accountOf, anchorBy, signIn, walletOf } from './wallets.ts'

const absent = '00000000-0000-4000-8000-000000000000'

const tip = {
  tip_tx_hash: `0x${'5f0c5b4a'.repeat(8)}`,
  chain: 'base',
  amount: '129.95',
  currency: 'USDC',
  sender_wallet: walletOf('customer'),
  receiver_wallet: walletOf('buyer'),
  reference: 'Invoice 2026-0042',
}

/** Returns the receipt's id. */
export async function callReceipts(stage: Stage, { key }: Project): Promise<string> {
  const { base, gateway, call } = stage
  const recorded = await call('recordTip', { body: { ...tip, resource_hash: `0x${'9a'.repeat(32)}` }, key })
  const rid: string = recorded.json.receipt_id
  const { amount: _, ...without } = tip
  await call('recordTip', { body: without, key }, 422)
  await call('recordTip', { body: tip }, 401)
  await call('events', { path: { rid } })
  await until(isAnchored(base, rid))
  const { json: receipt } = await call('receipt', { path: { rid } })
  await call('receipt', { path: { rid: absent } }, 404)
  await call('receipts', { query: { status: 'anchored', chain: 'base', since: '2025-01-01', page_size: 20 }, key })
  await call('complianceChecks', { path: { receipt_id: rid }, key })
  await call('anchors', { path: { rid } })
  await until(async () => (await ask(base, `/v1/iso/messages/${rid}?type=camt.054`)).length > 0)
  await call('messages', { path: { rid }, query: { type: 'pain.001' } })
  await call('file', { path: { rid, name: 'pain001.xml' } })
  await call('receiptPageRedirect', { path: { rid } })
  await call('embedPageRedirect', { query: { rid, theme: 'dark' } })

  await call('verify', { body: { bundle_url: receipt.bundle_url } })
  const bundle = await (await fetch(receipt.bundle_url)).arrayBuffer()
  await call('verifyCid', { body: { cid: await gateway.keep(new Uint8Array(bundle)), store: 'ipfs', receipt_id: rid } })
  await call('debugAnchor', { body: { bundle_hash: `0x${'c4'.repeat(32)}` }, key: stage.adminKey })

  await call('camt056', { path: { rid }, body: { reason_code: 'DUPL' }, key })
  await call('camt029', { path: { rid }, body: { resolution_code: 'RJCR' }, key })
  await call('pacs007', { path: { rid }, body: { reason_code: 'AM05' }, key })
  await call('pacs009', { path: { rid }, key })
  const returned = { reason_code: 'CUST', refund_tx_hash: `0x${'7e'.repeat(32)}` }
  const refund = await call('refund', { body: { original_receipt_id: rid, ...returned }, key })
  await until(isAnchored(base, refund.json.refund_receipt_id))
  await call('refund', { body: { original_receipt_id: refund.json.refund_receipt_id }, key }, 409)
  await call('auditEvents', { query: { action: 'receipt.record', object_id: rid }, key })
  await call('auditEvents', { query: { object_id: rid } }, 401)
  await confirmOwn(stage)
  return rid
}

async function confirmOwn({ base, rpcUrl, call }: Stage): Promise<void> {
  const owner = accountOf('owner')
  const signed = await signIn(owner, base, (await call('nonce')).json)
  const { project, api_key: key } = (await call('registerProject', { body: { name: 'Anchors its own', ...signed } }))
    .json
  const anchoring = { execution_mode: 'tenant', chains: [] }
  await call('configureProject', { path: { project_id: project.id }, body: { anchoring }, key })
  const recorded = await call('recordTip', { body: { ...tip, reference: 'Invoice 2026-0043' }, key })
  const rid: string = recorded.json.receipt_id
  const read = () => ask(base, `/v1/iso/receipts/${rid}`)
  await until(async () => (await read()).status === 'awaiting_anchor')
  const [chain] = (await ask(base, '/.well-known/evidence-keys.json')).chains
  const txid = await anchorBy(owner, rpcUrl, chain.contract, (await read()).bundle_hash)
  await until(async () => {
    const body = JSON.stringify({ receipt_id: rid, ledger_txid: txid })
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': key }
    const { status } = await fetch(`${base}/v1/iso/confirm-anchor`, { method: 'POST', headers, body })
    return status === 200 && (await read()).status === 'anchored'
  })
  await call('confirmAnchor', { body: { receipt_id: rid, ledger_txid: txid }, key })
}
