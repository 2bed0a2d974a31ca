// The input of recording, and the identity of what is recorded.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { amount } from '../../core/amount.ts'
import { addressKey, type ChainAliases, chainKey, settlementOf, transactionKey } from '../../core/identity.ts'
import { timestamp } from '../../core/moment.ts'
import { chainText, hash32, receiverUrl, settlementText, text } from '../../core/text.ts'
import { otherKeys } from './same-movement.ts'

const genesis = Date.parse('2009-01-03T00:00:00Z')
const clockSkewMs = 15 * 60_000

const members = z.strictObject({
  settlementTx: settlementText().describe(
    'Settlement transaction hash, as the chain writes it. Hex is folded to lower-case. One of several transfers in it has its number behind it, such as `0x…#3`.',
  ),
  transferIndex: z
    .int32()
    .min(0)
    .nullish()
    .meta({ graphql: 'Int' })
    .describe(
      'Number of one transfer in the transaction, where it has several: the index of its log on EVM chains, of the output or operation elsewhere. The same as `#3` behind `settlementTx`.',
    ),
  chain: text().describe(
    'Chain of the payment, by the name the integration uses, or its CAIP-2 id. All names of a chain are one chain.',
  ),
  amount: amount.describe(
    'Exact decimal string above zero: at most 20 integer and 18 fraction digits. Never a JSON number.',
  ),
  currency: text().describe('Asset or currency label.'),
  senderWallet: chainText().describe('Payer address.'),
  receiverWallet: chainText().describe('Recipient address.'),
  reference: text().describe('Stable business identifier: the order or invoice id. Unique in the project.'),
  resourceHash: hash32.nullish().describe('SHA-256 of the delivered bytes, 0x-prefixed.'),
  settledAt: timestamp
    .refine(date => date.getTime() >= genesis, {
      error: 'No blockchain is older than 2009-01-03.',
      params: { type: 'datetime_past' },
    })
    .refine(date => date.getTime() <= Date.now() + clockSkewMs, {
      error: 'A payment that already happened has no time in the future.',
      params: { type: 'datetime_future' },
    })
    .nullish()
    .describe(
      'When the payment took place, as an RFC 3339 timestamp: from 2009-01-03 to now, and 15 minutes more for clocks that differ. It is stated, not checked.',
    ),
  callbackUrl: receiverUrl
    .nullish()
    .describe(
      'URL that each change of the receipt is POSTed to, signed as Standard Webhooks says: a public http or https address without user and password.',
    ),
})

/** Two numbers of one transfer contradict each other. */
export const recordReceiptInput = members
  .superRefine(({ settlementTx, transferIndex }, { addIssue }) => {
    const leg = settlementOf(settlementTx)?.leg ?? null
    if (transferIndex == null || leg === transferIndex) return
    const message = leg === null ? 'Too long with the number of the transfer.' : `settlementTx has the number ${leg}.`
    if (leg !== null || settlementTx.length > 240) addIssue({ code: 'custom', path: ['transferIndex'], message })
  })
  .meta({ graphql: 'RecordReceipt', description: 'A payment that already happened.' })

/** `origin`: the request that records it, as `originNow` returns it. */
export type Recording = {
  input: z.output<typeof recordReceiptInput>
  projectId: string
  actor: string
  origin: string | null
}

/** Keys of src/core/identity.ts. `first` and `last` are those of `otherKeys`. */
type Keys = { chain: string; tx: string; first: string; last: string; sender: string; receiver: string }
/** `settlementTx`: the transaction, with its leg behind it. */
export type Entry = Recording & { id: string; settlementTx: string; keys: Keys }

export function entryOf(recording: Recording, aliases: ChainAliases): Entry {
  const { settlementTx: written, transferIndex, chain, senderWallet, receiverWallet } = recording.input
  const isWhole = settlementOf(written)?.leg == null
  const settlementTx = isWhole && transferIndex != null ? `${written}#${transferIndex}` : written
  const tx = transactionKey(settlementTx)
  const [first, last] = otherKeys(tx)
  const [sender, receiver] = [addressKey(senderWallet), addressKey(receiverWallet)]
  return {
    ...recording,
    id: randomUUID(),
    settlementTx,
    keys: { chain: chainKey(chain, aliases), tx, first, last, sender, receiver },
  }
}
