// The receipt page in a real browser: a payment, an announced refund, and a label with hidden characters.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { skipWithoutBrowser, startBrowser } from '../kit/browser.ts'
import { type Service, startService } from '../kit/service.ts'

let service: Service
let browser: Browser
let page: Page
let key: string
const violations: string[] = []

beforeAll(async () => {
  service = await startService()
  key = (await service.api.project()).key
  browser = await startBrowser()
  page = await browser.newPage()
  page.on('console', message => {
    if (/content security policy/i.test(message.text())) violations.push(message.text())
  })
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

const slot = (name: string) => page.locator(`[data-slot="${name}"]`)
async function open(id: string): Promise<void> {
  await page.goto(`${service.base}/ui/receipt.html?rid=${id}`)
  await slot('headline').getByText('Complete').waitFor()
}

describe.skipIf(skipWithoutBrowser)('the page of', () => {
  it('a payment names the character that would reverse its amount, and states who recorded it', async () => {
    const { json } = await service.api.record(key, { amount: '10', currency: 'USD 1\u202e,000C' })
    await service.api.anchored(json.receipt_id)
    await open(json.receipt_id)
    expect([await slot('amount').textContent(), await slot('currency').textContent()]).toEqual([
      '10',
      'USD 1U+202E,000C',
    ])
    expect(await page.title()).toContain('10 USD 1⟨U+202E⟩,000C')
    expect(await page.content()).not.toContain('\u202e')
    const { data } = await service.api.graphql(`{ receipt(id: "${json.receipt_id}") { recordedBy { projectId } } }`)
    expect(await slot('recordedBy').textContent()).toContain(data.receipt.recordedBy.projectId)
  })

  it('a payment that its own chain contradicts is not called complete', async () => {
    const tip = { tip_tx_hash: `0x${'ab'.repeat(32)}`, chain: 'local', currency: 'TESTUSD' }
    const { json } = await service.api.record(key, tip)
    await service.api.anchored(json.receipt_id)
    await page.goto(`${service.base}/ui/receipt.html?rid=${json.receipt_id}`)
    await slot('headline').getByText('Not confirmed by its chain').waitFor()
    expect(await page.locator('#state').getAttribute('data-state')).toBe('bad')
    expect(await page.title()).not.toContain('Complete')
    expect(await slot('settlement').textContent()).toBe('Not found on its chain.')
  })

  it('a refund states that it is only announced, between whom, and of which receipt, until its transaction is recorded', async () => {
    const sender = '0xde709f2102306220921060314715629080e2fb77'
    const id = (await service.api.record(key, { sender_wallet: sender })).json.receipt_id
    await service.api.anchored(id)
    const refund = async (more: object) => {
      const body = { original_receipt_id: id, ...more }
      return (await service.api.call('POST', '/v1/iso/refund', { key, body })).json.refund_receipt_id
    }
    const refunded = await refund({})
    await service.api.anchored(refunded)
    await open(refunded)
    const told = async () => [
      await slot('title').textContent(),
      await slot('kind').textContent(),
      await slot('settlementTx').textContent(),
    ]
    expect(await told()).toEqual(['Refund receipt', 'Announced refund, not settled', 'Not stated'])
    expect(await slot('sentence').textContent()).toContain('not settled')
    expect([await slot('payeeLabel').textContent(), await slot('receiverWallet').textContent()]).toEqual([
      'Refunded to',
      sender,
    ])
    const returned = `0x${'77'.repeat(32)}`
    await refund({ refund_tx_hash: returned })
    await open(refunded)
    expect(await told()).toEqual(['Refund receipt', 'Refund', returned])
    await page.click('#original')
    await slot('id').getByText(id).waitFor()
    expect(await slot('title').textContent()).toBe('Payment receipt')
    expect(violations).toEqual([])
  })
})
