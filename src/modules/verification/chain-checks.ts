// The checks of the anchor: a final transaction of the configured contract carries exactly this hash.
import { type Check, type Finding, failed, passed, skipped } from './check.ts'
import { type Evidence, type Silence, type Step, steps } from './evidence.ts'

/** Returns a check that passes if the best transaction got beyond `step`, and fails if it got no further. */
const beyond =
  (step: Step, fault: (best: NonNullable<Evidence['best']>) => string) =>
  ({ best }: Evidence): Finding => {
    if (best === null) return skipped('There is no anchor transaction to check.')
    if (best.step === step) return failed(fault(best))
    return steps.indexOf(best.step) > steps.indexOf(step) ? passed() : skipped('An earlier check did not pass.')
  }

/** Returns a check that fails if any chain has this kind of silence, unless another chain proves the anchor. */
const noneOf =
  (kind: Silence, fault: (chains: string) => string) =>
  ({ sightings, best }: Evidence): Finding => {
    if (sightings.length === 0) return skipped('No chain was asked.')
    const silent = new Set(sightings.flatMap(sighting => (sighting.kind === kind ? [sighting.chain] : [])))
    if (silent.size === 0) return passed()
    const sentence = fault([...silent].join(', '))
    return best?.step === 'proven' ? passed(`${sentence} Another chain proves it.`) : failed(sentence)
  }

function notFound({ subject, hash, sightings, best, hasChains }: Evidence): Finding {
  if (!hasChains) return skipped('No chain was asked.')
  if (best !== null) return passed(`Transaction ${best.transaction.txid} on ${best.chain}.`)
  // "Not found" needs an answer from every chain; another check names the chains that gave none.
  if (sightings.some(({ kind }) => kind !== 'absent')) return skipped('Not every chain could be asked.')
  if (hash === null && subject.txid === null) {
    return subject.bundle === null ? failed('Nothing was given to verify.') : skipped('There is no hash to look up.')
  }
  return failed(subject.txid === null ? `No anchor of ${hash}.` : `No transaction ${subject.txid}.`)
}

/** A hash on the chain does not show who made the evidence: the signature in the bundle does, or our own records. */
function issuer({ subject, hash, isRecorded }: Evidence): Finding {
  if (subject.bundle !== null) return skipped('The signature in the bundle shows the issuer.')
  if (isRecorded === null) return skipped(hash === null ? 'No hash is meant.' : 'No anchor is proven.')
  return isRecorded
    ? passed('The records of this service contain this anchor.')
    : failed('Anyone can anchor any hash, and this anchor is not in the records of this service: give the bundle too.')
}

export const chainChecks: Check[] = [
  {
    id: 'chain_unavailable',
    title: 'Enough nodes of every chain have answered',
    run: noneOf('unavailable', chains => `No answer that can be believed from ${chains}.`),
  },
  {
    id: 'chain_disagreement',
    title: 'The nodes of every chain agree',
    run: noneOf('disagreeing', chains => `The nodes of ${chains} contradict each other.`),
  },
  {
    id: 'chain_not_served',
    title: 'The anchor is on a chain that the verifier queries itself',
    run: noneOf('unserved', chains => `Only the node of a project serves ${chains}: query a node you trust.`),
  },
  { id: 'anchor_not_found', title: 'There is an anchor transaction', run: notFound },
  {
    id: 'bundle_hash_ambiguous',
    title: 'It is clear which bundle is meant',
    run({ hash, candidates }) {
      if (candidates.length === 0 && hash !== null)
        return skipped('The hash is known from the bundle or the request, so the transaction does not need to name it.')
      if (candidates.length === 0) return skipped('There is no transaction with an anchor event.')
      if (candidates.length === 1) return passed()
      if (hash !== null) return passed(`It anchors ${candidates.length} bundles, one of them of the caller’s project.`)
      return failed(`It anchors ${candidates.length} bundles; give the hash or the bundle too.`)
    },
  },
  {
    id: 'transaction_failed',
    title: 'The transaction succeeded',
    run: beyond('failed', ({ transaction }) => `Transaction ${transaction.txid} was reverted.`),
  },
  {
    id: 'wrong_contract',
    title: 'The event is from the configured contract',
    run: beyond('foreign', ({ chain }) => `It has no EvidenceAnchored event of the contract configured for ${chain}.`),
  },
  {
    id: 'event_hash_mismatch',
    title: 'The event carries the hash',
    run: beyond('other_hash', () => 'Its event carries another hash.'),
  },
  {
    id: 'block_not_canonical',
    title: 'The block is in the canonical chain',
    run: beyond('vanished', ({ transaction }) => `Block ${transaction.blockNumber} is no longer part of the chain.`),
  },
  {
    id: 'not_final',
    title: 'The block is final',
    run: beyond('not_final', ({ transaction }) => `Block ${transaction.blockNumber} may still change.`),
  },
  { id: 'issuer_unchecked', title: 'The issuer of the evidence is known', run: issuer },
]
