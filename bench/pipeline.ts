// Recorded to anchored: 2,000 receipts offered at once to one process with both roles; gas per receipt at a full batch.
import { JsonRpcProvider } from 'ethers'
import pg from 'pg'
import { inBench, projectKey, record } from './kit.ts'

const offered = 2_000

await inBench(async ({ serve, databaseUrl }) => {
  const quittance = await serve('src/main.ts', {})
  const key = await projectKey(quittance.url)
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  for (let warmUp = 0; warmUp < 20; warmUp++) await record(quittance.url, key)
  await new Promise(resolve => setTimeout(resolve, 3_000))
  const started = performance.now()
  await Promise.all(Array.from({ length: offered }, () => record(quittance.url, key)))
  const recorded = performance.now()
  const open = async () =>
    Number((await database.query(`select count(*) from receipts where status <> 'anchored'`)).rows[0].count)
  while ((await open()) > 0) await new Promise(resolve => setTimeout(resolve, 100))
  const seconds = (performance.now() - started) / 1_000
  const rate = offered / seconds
  console.log(
    `${rate >= 100 ? 'ok' : 'BELOW'}     ${offered} receipts recorded in ${((recorded - started) / 1_000).toFixed(1)} s, all anchored after ${seconds.toFixed(1)} s: ${rate.toFixed(0)} a second (goal 100)`,
  )

  const { rows } = await database.query(
    `select t.txid, count(*)::int as receipts from anchors a join anchor_transactions t on t.id = a.transaction_id group by 1 order by 2 desc limit 1`,
  )
  await database.end()
  const provider = new JsonRpcProvider(/Chain +(\S+)/.exec(quittance.output)?.[1])
  const receipt = await provider.getTransactionReceipt(rows[0].txid)
  provider.destroy()
  const gas = Number(receipt?.gasUsed) / rows[0].receipts
  console.log(
    `${gas <= 2450 ? 'ok' : 'ABOVE'}     ${gas.toFixed(1)} gas a receipt in a batch of ${rows[0].receipts} (goal 2,450 at 500)`,
  )
})
