// Every message of the registry: valid against its schema and lossless, for plain and hostile receipts alike.
import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import type { XmlDocument } from 'libxml2-wasm'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Facts } from '../../src/modules/artifacts/facts.ts'
import { messageOf, messages } from '../../src/modules/artifacts/messages/registry.ts'
import { inBandAmount } from '../../src/modules/artifacts/slots.ts'
import { onChainPaymentNamespace } from '../../src/modules/artifacts/supplementary.ts'
import { carryable } from '../../src/modules/artifacts/xml.ts'
import { acceptedText, anyText, factsOf, plainAnchor, plainReceipt } from '../kit/receipts.ts'
import { onChainPaymentSchema, openIsoValidator, openValidator, skipWithoutSchemas, withXml } from '../kit/xsd.ts'

const anchored: Facts = { receipt: plainReceipt, anchor: plainAnchor }
const payment = `//o:OnChainPayment`
const names = { o: onChainPaymentNamespace }
const own = openValidator(onChainPaymentSchema)
afterAll(() => own.close())

const jsonText = z.string()

/** The exact value under OnChainPayment, decoded; null when absent. */
function exact(document: XmlDocument, path: string): string | null {
  const node = document.get(`${payment}/${path}`, names)
  if (node === null) return null
  const isJson = document.get(`${payment}/${path}/@enc`, names)?.content === 'json'
  return isJson ? jsonText.parse(JSON.parse(node.content)) : node.content
}

function expectLossless(document: XmlDocument, { receipt, anchor }: Facts): void {
  expect({
    id: exact(document, 'o:ReceiptId'),
    reference: exact(document, 'o:Reference'),
    chain: exact(document, 'o:Chain'),
    tipTxHash: exact(document, 'o:TxHash'),
    amount: exact(document, 'o:Amount'),
    currency: exact(document, 'o:Asset'),
    senderWallet: exact(document, 'o:Payer'),
    receiverWallet: exact(document, 'o:Payee'),
    resourceHash: exact(document, 'o:ResourceHash'),
    createdAt: new Date(exact(document, 'o:RecordedAt') ?? ''),
  }).toEqual(receipt)
  expect(document.get(`${payment}/o:Amount/@inBand`, names)?.content).toBe(
    inBandAmount(receipt.amount).exact ? 'exact' : 'truncated',
  )
  expect(document.get(`${payment}/o:Anchor`, names) === null).toBe(anchor === null)
  if (anchor === null) return
  expect({
    chain: exact(document, 'o:Anchor/o:Chain'),
    txid: exact(document, 'o:Anchor/o:TxHash'),
    blockNumber: Number(exact(document, 'o:Anchor/o:BlockNumber')),
    anchoredAt: new Date(exact(document, 'o:Anchor/o:AnchoredAt') ?? ''),
    bundleHash: exact(document, 'o:Anchor/o:BundleHash'),
  }).toEqual(anchor)
}

describe.each(messages)('$version', message => {
  const seen = (facts: Facts): Facts => (message.type === 'pain.001' ? { ...facts, anchor: null } : facts)
  const schema = skipWithoutSchemas ? null : openIsoValidator(message.version)
  afterAll(() => schema?.close())

  function check(facts: Facts): void {
    withXml(message.build(facts), document => {
      if (schema !== null) expect(schema.faults(document)).toEqual([])
      const element = document.get(payment, names)
      // Validated as a document of its own, so that lax validation inside Envlp hides nothing.
      expect(withXml(element?.toString() ?? '', part => own.faults(part))).toEqual([])
      expectLossless(document, seen(facts))
      const remitted = document.find('//*[local-name()="Ustrd"]').map(node => node.content)
      expect(remitted.join('')).toBe(carryable(facts.receipt.reference))
    })
  }

  // Without the schemas the tests below still prove that nothing is lost; this line shows that validity was not proved.
  test.skipIf(skipWithoutSchemas)('the schema of this version is at hand and refuses another message', () => {
    expect(withXml('<Document/>', document => schema?.faults(document).length)).toBeGreaterThan(0)
  })

  test('a plain receipt, anchored or not', () => {
    check(anchored)
    check({ ...anchored, anchor: null })
  })

  test('every receipt the API accepts', () => {
    fc.assert(fc.property(factsOf(acceptedText), check), { numRuns: 400 })
  }, 60_000)

  test('any text at all, also what the API refuses', () => {
    fc.assert(fc.property(factsOf(anyText), check), { numRuns: 300 })
  }, 60_000)

  test('is the golden file', () => {
    const golden = new URL(`../golden/${message.fileName}`, import.meta.url)
    const xml = message.build(anchored)
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, xml)
    expect(xml).toBe(readFileSync(golden, 'utf8'))
  })
})

test('the registry', () => {
  expect(messages.map(({ type, version, fileName }) => [type, version, fileName])).toEqual([
    ['pain.001', 'pain.001.001.09', 'pain001.xml'],
    ['pain.002', 'pain.002.001.10', 'pain002.xml'],
    ['camt.054', 'camt.054.001.08', 'camt054.xml'],
  ])
  expect(messageOf('camt.054')?.namespace).toBe('urn:iso:std:iso:20022:tech:xsd:camt.054.001.08')
  expect(messageOf('pain.008')).toBeNull()
})

test('pain.001 depends on the receipt alone and holds no URL', () => {
  const bare = messageOf('pain.001')?.build({ receipt: plainReceipt, anchor: null })
  expect(messageOf('pain.001')?.build(anchored)).toBe(bare)
  expect(bare).not.toContain('http')
})

test('pain.002 and camt.054 say where the evidence is anchored', () => {
  withXml(messageOf('pain.002')?.build(anchored) ?? '', document => {
    expect(document.get('//*[local-name()="TxSts"]')?.content).toBe('ACSC')
    const said = document.find('//*[local-name()="AddtlInf"]').map(node => node.content)
    expect(said[0]).toBe(`Evidence bundle ${plainAnchor.bundleHash}`)
    expect(said.join(' ')).toContain(`block ${plainAnchor.blockNumber} at 2026-03-01T12:35:10.000Z`)
  })
  withXml(messageOf('camt.054')?.build(anchored) ?? '', document => {
    const said = document.get('//*[local-name()="AddtlNtfctnInf"]')?.content
    expect(said).toContain(plainAnchor.bundleHash)
    expect(said).toContain(plainAnchor.txid)
  })
})
