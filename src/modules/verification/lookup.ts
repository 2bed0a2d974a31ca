// Queries the chains. A chain that cannot be queried is recorded as such; this never counts as an answer.
import { isChainFault } from '../../core/errors.ts'
import type { Chain } from '../../ports/chain.ts'
import { type Evidence, type Hint, type Ports, type Sighting, type Step, steps } from './evidence.ts'

async function ask(chain: Chain, txid: string | null, question: () => Promise<Sighting[]>): Promise<Sighting[]> {
  try {
    return await question()
  } catch (error) {
    if (!isChainFault(error)) throw error
    const kind = error.code === 'chain_disagreement' ? 'disagreeing' : 'unavailable'
    return [{ kind, chain: chain.name, txid }]
  }
}

/** Returns the transaction as this chain knows it. */
const sightingsOn = (chain: Chain, txid: string, hints: readonly Hint[]): Promise<Sighting[]> =>
  ask(chain, txid, async () => {
    const transaction = await chain.transaction(txid)
    if (transaction === null) return [{ kind: 'absent', chain: chain.name, txid }]
    const blockStatus = await chain.blockStatus(transaction.blockNumber, transaction.blockHash)
    const named = hints.filter(hint => hint.chain === chain.name && hint.txid === txid)
    const contracts = [chain.contract, ...named.map(({ contract }) => contract)]
    return [{ kind: 'seen', chain, contracts, transaction, blockStatus }]
  })

// Anyone can anchor a hash any number of times, so one verification queries at most this many transactions.
const mostLookedAt = 16

/** Returns the transactions of this chain with the hash, up to the first that proves the hash. */
const search = (chain: Chain, hash: string, since?: Date): Promise<Sighting[]> =>
  ask(chain, null, async () => {
    const found: Sighting[] = []
    for (const txid of (await chain.findAnchor(hash, since)).slice(0, mostLookedAt)) {
      found.push(...(await sightingsOn(chain, txid, [])))
      if (furthest(found, hash)?.step === 'proven') break
    }
    return found.length === 0 ? [{ kind: 'absent', chain: chain.name, txid: null }] : found
  })

const ofEach = async <T>(items: readonly T[], question: (item: T) => Promise<Sighting[]>): Promise<Sighting[]> =>
  (await Promise.all(items.map(question))).flat()

/** Returns the anchors that our records name on chains for which we have no nodes. */
const unserved = (ports: Ports, hints: readonly Hint[]): Sighting[] =>
  hints
    .filter(hint => ports.chains.every(({ name }) => name !== hint.chain))
    .map(({ chain, txid }) => ({ kind: 'unserved', chain, txid }))

export async function lookForTransaction(ports: Ports, txid: string): Promise<Sighting[]> {
  const hints = await ports.anchorsOf({ txid })
  return [...(await ofEach(ports.chains, chain => sightingsOn(chain, txid, hints))), ...unserved(ports, hints)]
}

/**
 * Checks the transactions of the hints first; searches every chain only if they prove nothing. The hash did not exist
 * before `since`.
 */
export async function lookForHash(ports: Ports, bundleHash: string, since?: Date): Promise<Sighting[]> {
  const hints = await ports.anchorsOf({ bundleHash })
  const hinted = await ofEach(hints, async ({ chain: name, txid }) => {
    const chain = ports.chains.find(one => one.name === name)
    return chain === undefined ? [] : sightingsOn(chain, txid, hints)
  })
  if (furthest(hinted, bundleHash)?.step === 'proven') return hinted
  const searched = await ofEach(ports.chains, chain => search(chain, bundleHash, since))
  // A hint to a missing transaction says nothing about the hash. Transactions seen and chains not reached stay
  // recorded.
  return [...searched, ...hinted.filter(sighting => sighting.kind !== 'absent'), ...unserved(ports, hints)]
}

/** Returns the distinct hashes in the events of these transactions that count. */
export const hashesIn = (sightings: readonly Sighting[]): string[] => [
  ...new Set(sightings.flatMap(sighting => (sighting.kind === 'seen' ? ownHashes(sighting) : []))),
]

type Seen = Extract<Sighting, { kind: 'seen' }>

const ownHashes = ({ contracts, transaction }: Seen): string[] =>
  transaction.events.filter(event => contracts.includes(event.contract)).map(event => event.bundleHash)

function stepOf(sighting: Seen, hash: string | null): Step {
  if (!sighting.transaction.succeeded) return 'failed'
  const hashes = ownHashes(sighting)
  if (hashes.length === 0) return 'foreign'
  if (hash === null || !hashes.includes(hash)) return 'other_hash'
  if (sighting.blockStatus === 'vanished') return 'vanished'
  return sighting.blockStatus === 'final' ? 'proven' : 'not_final'
}

/** Returns the transaction that proves most, the one in the earliest block among equals. */
export function furthest(sightings: readonly Sighting[], hash: string | null): Evidence['best'] {
  const seen = sightings.filter(sighting => sighting.kind === 'seen')
  const ranked = seen.map(sighting => ({
    step: stepOf(sighting, hash),
    chain: sighting.chain.name,
    transaction: sighting.transaction,
  }))
  ranked.sort(
    (a, b) =>
      steps.indexOf(b.step) - steps.indexOf(a.step) ||
      a.transaction.blockTime.getTime() - b.transaction.blockTime.getTime() ||
      // For equal block times, the order by which a receipt's `ledger_txid` is chosen.
      (a.transaction.txid < b.transaction.txid ? -1 : 1),
  )
  return ranked[0] ?? null
}
