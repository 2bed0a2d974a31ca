// The code that a user writes with the typescript-fetch client of openapi-generator, which is the folder `quittance`.
import { Configuration, ReceiptsApi, ResponseError, TipRecordRequestFromJSON } from './quittance'

const { BASE = '', KEY = '', TIP = '', ABSENT = '' } = process.env

async function main() {
  const api = new ReceiptsApi(new Configuration({ basePath: BASE, headers: { 'X-API-Key': KEY } }))
  const tipRecordRequest = TipRecordRequestFromJSON(JSON.parse(TIP))
  const { receiptId } = await api.postRecordTip({ tipRecordRequest })
  const receipt = await api.getReceipt({ rid: receiptId })
  const { items } = await api.receipts({ reference: tipRecordRequest.reference, since: '2020-01-01' })
  const absent = await api.getReceipt({ rid: ABSENT }).then(
    () => 200,
    (error: unknown) => (error instanceof ResponseError ? error.response.status : 0),
  )
  const listed = items.map(({ id, amount }) => [id === receiptId, amount])
  console.log(JSON.stringify({ read: receipt.id === receiptId, listed, absent }))
}

void main()
