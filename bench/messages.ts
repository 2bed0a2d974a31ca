// Measures how many messages of each type are built in a second, and their share of the pipeline's time.
import { performance } from 'node:perf_hooks'
import { allMessages } from '../test/kit/messages.ts'
import { plainFacts } from '../test/kit/receipts.ts'

const millisecondsEach = 1_000
const rates = new Map<string, number>()

for (const { version, build } of allMessages) {
  for (let warm = 0; warm < 300; warm += 1) build(plainFacts)
  const begun = performance.now()
  let built = 0
  for (; performance.now() - begun < millisecondsEach; built += 1) build(plainFacts)
  const rate = (built / (performance.now() - begun)) * 1000
  rates.set(version, rate)
  console.log(`       ${version}  ${Math.round(rate)} a second`)
}

// A receipt has these three messages, unless more are configured; `npm run bench pipeline` measures receipts a second.
const perReceipt = ['pain.001.001.09', 'pain.002.001.10', 'camt.054.001.08'].reduce(
  (sum, version) => sum + 1_000 / (rates.get(version) ?? Number.NaN),
  0,
)
console.log(
  `       the three messages of a receipt: ${perReceipt.toFixed(2)} ms; at 400 receipts a second ${(perReceipt * 40).toFixed(0)} % of one core`,
)
