// The code that a user writes with the fetch client of orval, which is the file `quittance.ts`.
import { getReceipt, postRecordTip, receipts } from './quittance.ts'

const { KEY = '', TIP = '', ABSENT = '' } = process.env
const headers = { 'X-API-Key': KEY }
const tip = JSON.parse(TIP)

const recorded = await postRecordTip(tip, { headers })
if (recorded.status !== 200) throw new Error(JSON.stringify(recorded.data))
const id = recorded.data.receipt_id
const receipt = await getReceipt(id, { headers })
const page = await receipts({ reference: tip.reference, since: '2020-01-01' }, { headers })
const absent = await getReceipt(ABSENT, { headers })
console.log(
  JSON.stringify({
    read: receipt.status === 200 && receipt.data.id === id,
    listed: page.status === 200 ? page.data.items.map(item => [item.id === id, item.amount]) : [],
    absent: absent.status,
  }),
)
