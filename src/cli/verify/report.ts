// Formats the judgement of `quittance verify`: as text with the verdict first, or as JSON.
import { visible } from '../../core/visible.ts'
import { whatIsProven } from '../../core/what-is-proven.ts'
import type { CheckResult } from '../../modules/verification/checks.ts'
import type { FinalityPolicy } from '../../ports/chain.ts'
import type { Judgement } from './judge.ts'

const chainOf = ({ queried }: Judgement) =>
  queried &&
  `${queried.chain.name}${queried.chain.caip2 === queried.chain.name ? '' : ` (${queried.chain.caip2 ?? 'unknown'})`}`

function verdict(judgement: Judgement): string {
  const { isGood, queried, errors, anchoredAt } = judgement
  if (!isGood) return `NOT VERIFIED: ${errors.join(', ') || 'the checks could not be made'}.`
  if (queried === null) return `SIGNED AND INTACT. ${notLookedAt}`
  return `VERIFIED: signed, intact, and anchored on ${chainOf(judgement)} at ${anchoredAt?.toISOString()}.`
}

/** A reader who reads no further must not take a sealed contradiction for a payment. */
function payment({ isGood, manifest, checks }: Judgement): string[] {
  const { detail = null } = checks.find(({ id }) => id === 'payment_unchecked') ?? {}
  const isOfReceipt = manifest !== null && 'receipt_id' in manifest
  return isGood && isOfReceipt && detail !== null ? [`The payment: ${visible(detail)}`] : []
}

const notLookedAt = 'The anchor was not checked: give --rpc.'

const rebuilt = {
  folder: 'The bundle was rebuilt from the files of the folder: this result is about those files.',
  zip: 'The ZIP is not the bundle: the bundle was rebuilt from its files, and this result is about those files.',
}

/** Lists what the user must not assume to be checked. */
const notChecked = ({ queried, retiredAt, input, manifest, checks }: Judgement): string[] => [
  ...(input.others.length === 0
    ? []
    : [`Files that are no part of the bundle: ${input.others.map(visible).join(', ')}.`]),
  ...(queried === null ? [notLookedAt, 'Whether the key was valid when the bundle was anchored.'] : []),
  ...(retiredAt === null
    ? []
    : [`Whether it was signed before its key was retired, ${retiredAt.toISOString()}: no earlier anchor was found.`]),
  ...paymentOf(checks, manifest !== null && 'statement_id' in manifest),
]

function paymentOf(checks: readonly CheckResult[], isStatement: boolean): string[] {
  if (isStatement) return ['Whether the payments in the statement took place: only their own chains show them.']
  const shown = checks.find(({ id }) => id === 'payment_unchecked')
  return shown?.status === 'passed'
    ? []
    : ['Whether the payment itself took place: tip.json names it, and only its own chain shows it.']
}

const words = { passed: 'passed ', failed: 'FAILED ', skipped: 'skipped' }

const line = ({ id, title, status, detail }: CheckResult) =>
  `  ${words[status]}  ${title} (${id})${detail === null ? '' : `: ${visible(detail)}`}`

const finality = (policy: FinalityPolicy) =>
  typeof policy === 'string'
    ? `the nodes’ “${policy}”`
    : `${policy.confirmations} ${policy.confirmations === 1 ? 'confirmation' : 'confirmations'}, including its block`

function nodesOf({ nodes }: NonNullable<Judgement['queried']>): string {
  return nodes === 1 ? 'one node, whose answers no other node confirms' : `${nodes} nodes; more than half must agree`
}

/** Returns what the bundle is evidence of. */
const subjectIn = ({ manifest }: Judgement) => ({
  receipt: manifest !== null && 'receipt_id' in manifest ? manifest : null,
  statement: manifest !== null && 'statement_id' in manifest ? manifest : null,
})

/** Returns the project that recorded the receipt; null for a bundle of version 1. */
const recorderIn = ({ manifest }: Judgement) => (manifest?.version === 2 ? manifest.project : null)

function facts(judgement: Judgement): [string, string | null | undefined][] {
  const { queried, bundleHash, ledgerTxid, anchoredAt } = judgement
  const recorder = recorderIn(judgement)
  const { receipt, statement } = subjectIn(judgement)
  const explorer = queried?.chain.explorerBaseUrl
  // Shown only when the nodes have said which chain they serve.
  const chain = queried?.chain.caip2 ? queried.chain : null
  return [
    ['hash', bundleHash],
    ['receipt', receipt?.receipt_id],
    ['statement', statement?.statement_id],
    // `visible` replaces characters that a terminal would execute or that would reverse the text beside them.
    ['reference', receipt && visible(receipt.reference)],
    ['project', recorder?.id],
    ['its owner', recorder?.owner_wallet && visible(recorder.owner_wallet)],
    ['key', judgement.keyId],
    ['transaction', ledgerTxid],
    ['block time', anchoredAt?.toISOString()],
    ['link', explorer && ledgerTxid ? `${explorer}/tx/${ledgerTxid}` : null],
    ['chain', chain && chainOf(judgement)],
    ['contract', chain?.contract],
    ['final after', chain && finality(chain.finality)],
    ['asked', queried && nodesOf(queried)],
  ]
}

const hint = ({ ledgerTxid }: Judgement) =>
  ledgerTxid === null
    ? ['  Some nodes limit or refuse searches: name the transaction of the anchor with --txid, and none is needed.']
    : []

export function asText(judgement: Judgement): string {
  const { checks, queried } = judgement
  const known = facts(judgement).flatMap(([name, value]) => (value ? [`  ${name.padEnd(12)} ${value}`] : []))
  const { rebuiltFrom } = judgement.input
  const blocks = [
    [verdict(judgement), ...(rebuiltFrom === null ? [] : [rebuilt[rebuiltFrom]]), ...payment(judgement)],
    checks.map(line),
    known,
    notChecked(judgement).map(text => `  not checked  ${text}`),
    [whatIsProven],
  ]
  const faults = [...(queried?.faults ?? [])].map(text => `  ${text}`)
  if (faults.length > 0) blocks.push(['From the nodes:', ...faults, ...hint(judgement)])
  return blocks.flatMap(lines => (lines.length === 0 ? [] : [lines.join('\n')])).join('\n\n')
}

export function asJson(judgement: Judgement): string {
  const { isGood, queried, bundleHash, ledgerTxid, anchoredAt, matchesOnchain, errors, checks } = judgement
  const { name, caip2, contract, finality } = queried?.chain ?? {}
  const { receipt, statement } = subjectIn(judgement)
  const document = {
    verified: isGood,
    matches_onchain: queried === null ? null : matchesOnchain,
    bundle_hash: bundleHash,
    ledger_txid: ledgerTxid,
    anchored_at: anchoredAt,
    receipt_id: receipt?.receipt_id ?? null,
    reference: receipt?.reference ?? null,
    statement_id: statement?.statement_id ?? null,
    project: recorderIn(judgement),
    key_id: judgement.keyId,
    rebuilt_from: judgement.input.rebuiltFrom,
    chain: queried && { name, caip2, contract, finality, nodes: queried.nodes },
    errors,
    not_checked: notChecked(judgement),
    node_faults: [...(queried?.faults ?? [])],
    checks,
  }
  return JSON.stringify(document, null, 2)
}
