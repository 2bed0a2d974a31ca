// A user's program with the downloaded client, whose base URL is the one that it was built for.
import { Quittance, QuittanceError, type TipRecordRequest } from 'quittance-client'
import { type PaymentRequired, paidFetch } from 'quittance-client/paid-fetch'

const { KEY = '', TIP = '', ABSENT = '' } = process.env
const tip: TipRecordRequest = JSON.parse(TIP)
const client = new Quittance({ apiKey: KEY })

const { receipt_id } = await client.recordTip(tip)
const { bundle_hash, bundle_url } = await client.waitForAnchored(receipt_id)
const verified = await client.verify({ bundle_url })
const list = await client.receipts({ reference: tip.reference, since: '2020-01-01' })
const zip = await client.downloadBundle(receipt_id)
const audit = await client.auditEvents({ object_id: receipt_id })
const wrong = await client.recordTip({ ...tip, amount: 'many' }).catch((error: unknown) => error)
const absent = await client.receipt(ABSENT).catch((error: unknown) => error)

console.log(
  JSON.stringify({
    bundle_hash,
    listed: list.items.map(({ id, amount }) => [id === receipt_id, amount]),
    verified: [verified.matches_onchain, verified.bundle_hash, verified.errors],
    zip: Buffer.from(zip).toString('base64'),
    audit: audit.map(({ id, action }) => [/^[1-9]\d*$/.test(id), action]).at(-1),
    issues: wrong instanceof QuittanceError && wrong.issues.map(({ loc, type }) => [loc.join('.'), type]),
    absent: absent instanceof QuittanceError && [absent.code, absent.requestId?.length],
  }),
)

/** Never run: the compiler refuses each of these lines. */
export async function refused() {
  // @ts-expect-error An amount is a decimal string.
  await client.recordTip({ ...tip, amount: 12.5 })
  // @ts-expect-error A status is one of four.
  if ((await client.receipt(ABSENT)).status === 'done') return
  // @ts-expect-error There is no such operation.
  await client.receiptz()
}

/** Never run: checks that a payer fits the type. */
export const payer = new Quittance({
  pay: paidFetch({ sign: async ({ accepts: [first] }: PaymentRequired) => first?.amount ?? '' }),
})
