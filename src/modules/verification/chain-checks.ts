// The checks of the anchor: a final transaction of the configured contract carries exactly this hash.
import { type Check, type Finding, failed, passed, skipped } from './check.ts'
import { type Evidence, type Step, steps } from './evidence.ts'

/** Passes when the anchor could be followed beyond `step`, fails where it ended there. */
const beyond =
  (step: Step, fault: (best: NonNullable<Evidence['best']>) => string) =>
  ({ best, candidates }: Evidence): Finding => {
    if (best === null) return skipped('There is no anchor transaction to look at.')
    if (best.step === step && step === 'other_hash' && candidates.length > 1) {
      return skipped('It is not settled which hash is meant.')
    }
    if (best.step === step) return failed(fault(best))
    return steps.indexOf(best.step) > steps.indexOf(step) ? passed() : skipped('An earlier check did not pass.')
  }

function notFound({ subject, hash, sightings, best }: Evidence): Finding {
  if (best !== null) return passed(`Transaction ${best.transaction.txid} on ${best.chain}.`)
  // "Not there" needs an answer from every chain; chain_unavailable says what is missing.
  if (sightings.some(sighting => sighting.kind === 'unavailable')) return skipped('Not every chain could be asked.')
  if (hash === null && subject.txid === null) {
    return subject.bundle === null ? failed('Nothing was given to look for.') : skipped('There is no hash to look for.')
  }
  return failed(subject.txid === null ? `No anchor of ${hash}.` : `No transaction ${subject.txid}.`)
}

export const chainChecks: Check[] = [
  {
    id: 'chain_unavailable',
    title: 'Every chain that was asked has answered',
    run({ sightings }) {
      if (sightings.length === 0) return skipped('No chain was asked.')
      const silent = new Set(sightings.flatMap(sighting => (sighting.kind === 'unavailable' ? [sighting.chain] : [])))
      return silent.size === 0 ? passed() : failed(`No answer from ${[...silent].join(', ')}.`)
    },
  },
  { id: 'anchor_not_found', title: 'There is an anchor transaction', run: notFound },
  {
    id: 'bundle_hash_ambiguous',
    title: 'The transaction anchors one bundle',
    run({ candidates }) {
      if (candidates.length === 0) return skipped('The hash was given, or there is none.')
      if (candidates.length === 1) return passed()
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
]
