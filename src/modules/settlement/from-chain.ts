// Records a payment of which the caller names only the transaction: amount, parties and time are read from its chain.
import { z } from 'zod'
import { fromUnits } from '../../core/decimal.ts'
import { AppError, type Issue, invalid } from '../../core/errors.ts'
import { chainKey, settlementOf, transactionKey } from '../../core/identity.ts'
import { assetNamed, type LabelledAsset } from '../../core/known-assets.ts'
import { actorOf, ownProject } from '../../core/principal.ts'
import { originNow } from '../../core/scope.ts'
import { assetOf, type ChainAsset } from '../../core/settlement.ts'
import { text } from '../../core/text.ts'
import type { Context } from '../../kit/context.ts'
import { parse } from '../../kit/parse.ts'
import { demandReachable } from '../../kit/reachable.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { verb } from '../../kit/verb.ts'
import type { PaidTransaction, PaymentChain } from '../../ports/payment-chain.ts'
import { recordAll } from '../receipts/record.ts'
import { recordReceiptInput } from '../receipts/record-input.ts'
import { presentConfiguration } from '../settings/read.ts'
import { type Leg, ownValue, tokenLegs, valueLegs } from './match.ts'

const { settlementTx, transferIndex, chain, reference, resourceHash, callbackUrl } = recordReceiptInput.shape

const fromChainInput = z.strictObject({
  ...{ settlementTx, transferIndex, chain },
  currency: text()
    .nullish()
    .describe(
      'Asset label, where the transaction has transfers of several assets; the only one with a label unless given.',
    ),
  ...{ reference, resourceHash, callbackUrl },
})
type Input = z.output<typeof fromChainInput>

/** Errors: `unauthenticated`, `forbidden`, `project_key_required`, `validation_failed`, `chain_unavailable`. */
export const recordFromChain = verb({
  name: 'receipt.record_from_chain',
  access: 'write',
  input: fromChainInput,
  async prepare(input, context) {
    ownProject(context.principal, 'A receipt')
    if (input.callbackUrl != null) demandReachable(context, input.callbackUrl, 'callbackUrl')
    const transaction = await transactionOf(context, input)
    const { leg, label, asset } = await legOf(context, input, transaction)
    const { currency: _, ...stated } = input
    return parse(
      recordReceiptInput,
      {
        ...stated,
        ...{ currency: label, senderWallet: leg.from, receiverWallet: leg.to },
        amount: fromUnits(leg.units, asset.decimals),
        settledAt: transaction.blockTime.toISOString(),
      },
      ['input'],
    )
  },
  async run(tx, _input, { principal, chainAliases }, input) {
    const recording = { input, projectId: ownProject(principal), actor: actorOf(principal), origin: originNow() }
    const [recorded] = await recordAll(tx.sql, [recording], chainAliases)
    if (recorded === undefined) throw new Error('a payment was neither recorded nor found')
    // Recording writes its own audit row.
    return { result: recorded, audit: 'unchanged' }
  },
})

const refused = (member: keyof Input, message: string) => {
  const issue: Issue = { path: ['input', member], message, type: 'value_error' }
  return invalid([issue])
}

function chainOf({ paymentChains, chainAliases }: Context, input: Input): PaymentChain {
  const found = paymentChains.get(chainKey(input.chain, chainAliases))
  if (found === undefined) throw refused('chain', 'This service has no nodes of this chain.')
  return found
}

async function transactionOf(context: Context, input: Input): Promise<PaidTransaction> {
  const key = transactionKey(input.settlementTx)
  const { transaction = key } = settlementOf(key) ?? {}
  const isHash = /^0x[0-9a-f]{64}$/.test(transaction)
  const [looked = 'unknown'] = isHash ? await chainOf(context, input).look([transaction]) : []
  if (looked === 'unknown') throw refused('settlementTx', 'No node of the chain has this transaction in a block.')
  if ('unavailable' in looked) throw new AppError('chain_unavailable', looked.unavailable)
  if (!looked.found.succeeded) throw refused('settlementTx', 'The transaction was reverted: it paid nothing.')
  return looked.found
}

type Named = { leg: Leg; label: string; asset: ChainAsset }

const shownLegs = 10

/** Returns the leg that is named, or the only transfer of an asset with a label. */
async function legOf(context: Context, input: Input, transaction: PaidTransaction): Promise<Named> {
  const { caip2 } = chainOf(context, input)
  const { assets } = (await presentConfiguration(context, sqlOf(context.pool), ownProject(context.principal))).checks
  const legs = labelled(context.knownAssets, assets, caip2).flatMap(({ label, asset }) => {
    const own = asset.contract === null ? valueLegs(ownValue(transaction)) : tokenLegs(transaction, asset.contract)
    return own.map(leg => ({ leg, label, asset }))
  })
  const index = settlementOf(transactionKey(input.settlementTx))?.leg ?? input.transferIndex ?? null
  const fitting = legs.filter(
    ({ leg, label }) =>
      (index ?? leg.index) === leg.index && (input.currency ?? label).toLowerCase() === label.toLowerCase(),
  )
  const [only, ...others] = fitting
  if (only === undefined) {
    const what = input.currency == null ? 'an asset with a label' : input.currency
    throw refused(index === null ? 'settlementTx' : 'transferIndex', `The transaction has no such transfer of ${what}.`)
  }
  if (others.length === 0) return only
  const named = fitting.slice(0, shownLegs).map(({ leg, label }) => `${leg.index} (${label})`)
  throw refused('transferIndex', `The transaction has several transfers; name one: ${named.join(', ')}.`)
}

/** Returns the assets of a chain that have a label, each once. */
function labelled(known: readonly LabelledAsset[], configured: readonly LabelledAsset[], caip2: string) {
  const named = [...known, ...configured].flatMap(({ label, caip19 }) => {
    const asset = assetOf(caip19, 0)?.caip2 === caip2 ? assetNamed(label, caip2, known, configured) : null
    return asset === null ? [] : { label, asset }
  })
  return [...new Map(named.map(one => [one.asset.id, one])).values()]
}
