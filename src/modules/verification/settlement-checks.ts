// The checks of the payment itself: that the sealed check of it holds by itself, and that its block is in its chain.
import { isChainFault } from '../../core/errors.ts'
import { assetNamed, knownAssets } from '../../core/known-assets.ts'
import { sentenceOf } from '../../core/what-is-proven.ts'
import type { BundleParts } from '../evidence/bundle.ts'
import { type Judged, judgeSettlement } from '../settlement/judge.ts'
import { type Check, type Finding, failed, passed, skipped } from './check.ts'
import type { Evidence, PaymentBlock, Ports } from './evidence.ts'

/** Its sealed check of the payment, judged by itself; null where the bundle has none. */
export function settlementIn({ files }: BundleParts): Judged | null {
  const json = (name: string): unknown => {
    const file = files.find(one => one.name === name)
    return file && JSON.parse(file.bytes.toString('utf8'))
  }
  const settlement = json('settlement.json')
  return settlement === undefined
    ? null
    : judgeSettlement({ settlement, tip: json('tip.json'), receipt: json('receipt.json') })
}

export async function askPaymentBlock(judged: Judged | null, { paymentChain }: Ports): Promise<PaymentBlock> {
  if (!judged?.ok || judged.document.transaction === null) return 'unasked'
  const { chain: caip2, transaction } = judged.document
  const chain = paymentChain(caip2)
  if (chain === null) return 'unasked'
  try {
    const block = await chain.block(transaction.block_number)
    if (block === null) return 'unavailable'
    if (block.hash !== transaction.block_hash) return 'other'
    return block.isFinal ? 'final' : 'not_final'
  } catch (error) {
    if (isChainFault(error)) return 'unavailable'
    throw error
  }
}

const none = skipped('The bundle has no check of the payment.')

type SealedCheck = Extract<Judged, { ok: true }>['document']

/** A label of nobody's list may be a token of anybody's making, so that the reader is told which. */
function named(sentence: string, { asset, chain, grade }: SealedCheck): string {
  if (asset === null || grade === 'stated' || assetNamed(asset.label, chain, knownAssets, [])) return sentence
  return `${sentence} ${asset.label} is on no list: it stands for ${asset.id} with ${asset.decimals} decimals.`
}

const onSettlement =
  (judge: (found: SealedCheck, block: PaymentBlock) => Finding) =>
  ({ settlement, paymentBlock }: Evidence): Finding => {
    if (settlement === null) return none
    return settlement.ok ? judge(settlement.document, paymentBlock) : skipped('It is not valid.')
  }

const notInBlock = skipped('It names no block.')

export const settlementChecks: Check[] = [
  {
    id: 'settlement_invalid',
    title: 'The sealed check of the payment speaks of this payment, and its proof holds',
    run({ settlement }) {
      if (settlement === null) return none
      if (!settlement.ok) return failed(settlement.reason)
      return passed(named(sentenceOf(settlement.document), settlement.document))
    },
  },
  {
    id: 'settlement_unchecked',
    title: 'Nodes of the payment’s chain were asked about its block',
    run: onSettlement(({ transaction, chain }, block) => {
      if (transaction === null) return notInBlock
      if (block === 'unasked') return skipped(`No node of ${chain} was asked.`)
      return block === 'unavailable' ? skipped(`No answer that can be believed from ${chain}.`) : passed()
    }),
  },
  {
    id: 'settlement_vanished',
    title: 'The block of the payment is in its chain',
    run: onSettlement(({ transaction, chain }, block) => {
      if (transaction === null) return notInBlock
      const at = `Block ${transaction.block_number} of ${chain}`
      if (block === 'other') return failed(`${at} has another hash.`)
      return block === 'final' || block === 'not_final'
        ? passed(block === 'final' ? null : `${at} may still change.`)
        : skipped('Its chain gave no answer.')
    }),
  },
  {
    id: 'payment_unchecked',
    title: 'The payment took place on its chain',
    run({ settlement, paymentBlock }) {
      if (!settlement?.ok) return skipped(sentenceOf(null))
      const { status, grade, chain } = settlement.document
      if (status !== 'confirmed' || grade !== 'proved')
        return skipped(named(sentenceOf(settlement.document), settlement.document))
      if (paymentBlock !== 'final')
        return skipped(`Its proof leads to a block, and no nodes say that it is a final one of ${chain}.`)
      return passed(named('Its proof leads to a final block of its chain.', settlement.document))
    },
  },
]
