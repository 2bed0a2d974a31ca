// `npm run demo`: records one payment, waits for its anchored receipt, and verifies it with only the service's public
// keys.
import { randomBytes } from 'node:crypto'
import { EventSource } from 'eventsource'
import { checkBundle } from './check-bundle.ts'
import { ask, line, type Stage, stage, step } from './stage.ts'

await stage(demonstrate)

async function demonstrate({ base, rpcUrl, adminKey }: Stage): Promise<boolean> {
  const { data } = await ask(base, 'POST', '/graphql', adminKey, {
    query: 'mutation { createProject(input: { name: "Demo" }) { project { id } key } }',
  })

  step('Recording a payment that already happened: POST /v1/iso/record-tip')
  const { receipt_id } = await ask(base, 'POST', '/v1/iso/record-tip', data.createProject.key, {
    tip_tx_hash: `0x${randomBytes(32).toString('hex')}`,
    chain: 'base',
    amount: '129.95',
    currency: 'USDC',
    sender_wallet: `0x${randomBytes(20).toString('hex')}`,
    receiver_wallet: `0x${randomBytes(20).toString('hex')}`,
    reference: 'Invoice 2026-0042',
  })
  line('receipt', receipt_id)

  step(`Following it live: GET /v1/iso/events/${receipt_id}`)
  await follow(`${base}/v1/iso/events/${receipt_id}`)

  step(`The receipt: GET /v1/iso/receipts/${receipt_id}`)
  const receipt = await ask(base, 'GET', `/v1/iso/receipts/${receipt_id}`)
  for (const [name, value] of Object.entries(receipt)) line(name, value)

  step('Checking the bundle without trusting the service that made it')
  const bundle = Buffer.from(await (await fetch(receipt.bundle_url)).arrayBuffer())
  const { keys } = await ask(base, 'GET', '/.well-known/evidence-keys.json')
  const [anchor] = await ask(base, 'GET', `/v1/anchors/${receipt_id}`)
  const checks = await checkBundle({
    bundle,
    keys,
    bundleHash: receipt.bundle_hash,
    txid: receipt.ledger_txid,
    contract: anchor.contract,
    rpcUrl,
  })
  for (const { title, passed, detail } of checks) console.log(`  ${passed ? '✓' : '✗'} ${title}: ${detail}`)

  step('And as the service verifies it: POST /v1/iso/verify')
  const verification = await ask(base, 'POST', '/v1/iso/verify', undefined, { bundle_url: receipt.bundle_url })
  line('matches', verification.matches_onchain)
  line('errors', JSON.stringify(verification.errors))

  const proven = checks.every(check => check.passed) && verification.matches_onchain && verification.errors.length === 0
  console.log(
    proven
      ? '\nVerified: the payment’s evidence is signed, intact and anchored on chain.'
      : '\nNOT verified: see what failed above.',
  )
  return proven
}

function follow(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const source = new EventSource(url)
    const patience = setTimeout(() => reject(new Error('the receipt was not anchored within 40 seconds')), 40_000)
    source.addEventListener('update', ({ data, lastEventId }) => {
      const { status } = JSON.parse(data)
      line(`event ${lastEventId}`, status)
      if (status !== 'anchored' && status !== 'failed') return
      clearTimeout(patience)
      source.close()
      if (status === 'anchored') resolve()
      else reject(new Error('the receipt failed'))
    })
  })
}
