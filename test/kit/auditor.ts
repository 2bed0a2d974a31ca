// Recomputes every claim of a Quittance from its database, its stored files and the chain alone. It uses none of the
// service's own reading, hashing or checking, so that a mistake in that code cannot hide itself.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { getCreateAddress, HDNodeWallet, Interface, JsonRpcProvider, type Log, Transaction } from 'ethers'
import JSZip from 'jszip'
import pg from 'pg'
import type { ReceiptStatus } from '../../src/core/states.ts'

type OneOrMore = string | readonly string[]

/** A chain, the contracts whose events count, and the signers whose transactions must all be in the database. */
type AuditedChain = { rpcUrl: string; contract: OneOrMore; signer: OneOrMore }

/** The service must be idle during an audit, because database and chain are read one after the other. */
export type Audited = AuditedChain & {
  databaseUrl: string
  /** Ids of the receipts that the API reported to callers as accepted. */
  accepted?: Iterable<string>
  /** True when no work is pending, except for hashes that projects anchor themselves. */
  settled?: boolean
  /** Chains by the name in the database rows; every other name means the chain above. */
  others?: Record<string, AuditedChain>
}

const development = (index: number) =>
  HDNodeWallet.fromPhrase('test test test test test test test test test test test junk', '', `m/44'/60'/0'/0/${index}`)

/** Contract and signer of the embedded chain. */
export const embedded = {
  contract: getCreateAddress({ from: development(0).address, nonce: 0 }).toLowerCase(),
  signer: development(1).address.toLowerCase(),
}

/** Returns the faults, one sentence each; empty when everything is consistent. */
export async function audit(subject: Audited): Promise<string[]> {
  const books = await readBooks(subject.databaseUrl)
  const names = new Set([...books.anchors, ...books.transactions].map(({ chain }) => chain))
  const ledgers = new Map<string, Ledger>()
  for (const name of names) ledgers.set(name, await readLedger(subject.others?.[name] ?? subject))
  const ledgerOf = (chain: string) => ledgers.get(chain) ?? emptyLedger
  return [
    ...ofReceipts(books, new Set(subject.accepted)),
    ...ofCounters(books),
    ...(await ofBundles(books)),
    ...ofAnchors(books, ledgerOf),
    ...ofOutcomes(books, ledgerOf),
    ...ofHashes(books, ledgers),
    ...ofTransactions(books, ledgerOf),
    ...ofNonces(books, ledgers),
    ...ofLives(books),
    ...ofAuditRows(books),
    ...ofAuditChains(books),
    ...ofJobs(books),
    ...(subject.settled ? ofWhatIsOpen(books) : []),
  ]
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
const lower = (value: OneOrMore): string[] => [value].flat().map(text => text.toLowerCase())
const same = (a: readonly string[], b: readonly string[]) => [...a].sort().join() === [...b].sort().join()

function grouped<T>(items: readonly T[], key: (item: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const name = key(item)
    if (name === null) continue
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [item])
    else group.push(item)
  }
  return groups
}

const repeated = <T>(items: readonly T[], key: (item: T) => string | null) =>
  [...grouped(items, key)].filter(([, group]) => group.length > 1).map(([name]) => name)

// The database

type ReceiptRow = {
  id: string
  project_id: string
  tip_tx_hash: string
  chain: string
  amount: string
  currency: string
  sender_wallet: string
  receiver_wallet: string
  chain_key: string
  tx_key: string
  is_repeated: boolean
  reference: string
  resource_hash: string | null
  refund_of_id: string | null
  refund_tx_hash: string | null
  owner_wallet: string | null
  refunded_tx_hash: string | null
  has_refund: boolean
  refunded_amount: string
  refund_claimed: boolean
  counted_as_id: string | null
  status: ReceiptStatus
  bundle_hash: string | null
  ledger_txid: string | null
  created_at: Date
  anchored_at: Date | null
  booked_at: Date | null
}
type CounterRow = Pick<ReceiptRow, 'project_id' | 'chain' | 'currency' | 'status'> & { count: number }
type EventRow = Pick<ReceiptRow, 'status' | 'bundle_hash' | 'ledger_txid' | 'anchored_at'> & { receipt_id: string }
type AnchorRow = {
  id: string
  receipt_id: string | null
  chain: string
  bundle_hash: string
  state: 'waiting' | 'external' | 'sent' | 'confirmed'
  transaction_id: string | null
}
type TransactionRow = {
  id: string
  project_id: string | null
  chain: string
  contract: string
  signer: string | null
  nonce: number | null
  txid: string
  state: 'signed' | 'confirmed' | 'reverted' | 'overtaken'
  finality: string | null
  block_number: number | null
  block_hash: string | null
  block_time: Date | null
}
type AttemptRow = { txid: string; transaction_id: string; raw_transaction: string; max_fee_per_gas: string }
type KeyRow = { key_id: string; public_key_pem: string; valid_from: Date; valid_to: Date | null }
type FileRow = { receipt_id: string | null; name: string; sha256: string; bytes: Buffer | null }
type AuditRow = {
  project_id: string | null
  seq: string
  action: string
  object_type: string
  object_id: string
  details: { txid?: string }
  hash: string
  /** The values that the hash covers, as text in PostgreSQL's own format. */
  hashed: string[]
}
type JobRow = {
  task: string
  payload: { receipts?: string[]; transaction?: string }
  last_error: string | null
  spent: boolean
}

/** Returns the bytes as they are when they cannot be inflated: they do not have the hash of the file. */
function inflated(bytes: Buffer | null): Buffer | null {
  try {
    return bytes && inflateRawSync(bytes)
  } catch {
    return bytes
  }
}

async function readBooks(connectionString: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const rows = async <Row extends pg.QueryResultRow>(text: string) => (await client.query<Row>(text)).rows
  try {
    await client.query('begin transaction isolation level repeatable read, read only')
    return {
      receipts: await rows<ReceiptRow>(
        `select r.*, p.owner_wallet, o.tip_tx_hash as refunded_tx_hash from receipts r join projects p on p.id = r.project_id
         left join receipts o on o.id = r.refund_of_id order by r.created_at, r.id`,
      ),
      counters: await rows<CounterRow>(
        'select project_id, chain, currency, status, sum(count)::int as count from receipt_counts group by 1, 2, 3, 4',
      ),
      events: await rows<EventRow>(
        `select * from events where type like 'receipt.%' and type not in ('receipt.refunded', 'receipt.settlement_checked') order by id`,
      ),
      anchors: await rows<AnchorRow>('select * from anchors order by created_at, id'),
      transactions: await rows<TransactionRow>(
        'select *, nonce::int, block_number::int from anchor_transactions t order by chain, signer, t.nonce',
      ),
      attempts: await rows<AttemptRow>('select * from anchor_attempts order by created_at'),
      keys: await rows<KeyRow>('select * from signing_keys'),
      files: (
        await rows<FileRow & { is_deflated: boolean | null }>(
          'select a.receipt_id, a.name, a.sha256, b.bytes, b.is_deflated from artifacts a left join blobs b using (sha256)',
        )
      ).map(({ is_deflated, ...file }) => ({ ...file, bytes: is_deflated ? inflated(file.bytes) : file.bytes })),
      audit: await rows<AuditRow>(
        `select project_id, seq::text, action, object_type, object_id, details, encode(hash, 'hex') as hash,
           array[seq::text, id::text, action, object_type, object_id, coalesce(project_id::text, ''), actor, details::text,
             to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')] as hashed
         from audit_events order by audit_events.seq, id`,
      ),
      heads: await rows<{ chain: string; seq: string; hash: string }>(
        `select chain, seq::text, encode(hash, 'hex') as hash from audit_heads`,
      ),
      jobs: await rows<JobRow>(
        `select t.identifier as task, j.payload, j.last_error, j.key is not null and j.attempts >= j.max_attempts as spent
         from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id`,
      ),
    }
  } finally {
    await client.end()
  }
}

type Books = Awaited<ReturnType<typeof readBooks>>

// The chain

type Emitted = { contract: string; hash: string }
type Mined = {
  txid: string
  from: string
  to: string | null
  nonce: number
  blockNumber: number
  blockHash: string
  blockTime: number
  succeeded: boolean
  emitted: Emitted[]
}
/** Every transaction of every canonical block, by its hash. */
type Ledger = { chainId: bigint; contracts: string[]; signers: string[]; mined: Map<string, Mined> }

const emptyLedger: Ledger = { chainId: 0n, contracts: [], signers: [], mined: new Map() }

const byHash = new Interface(['event EvidenceAnchored(bytes32 indexed bundleHash, address sender, uint256 ts)'])
const bySender = new Interface(['event EvidenceAnchored(bytes32 bundleHash, address indexed sender, uint256 ts)'])
const calls = new Interface(['function anchorEvidence(bytes32 hash)', 'function anchorEvidenceBatch(bytes32[] hashes)'])
const topic = byHash.getEvent('EvidenceAnchored')?.topicHash
const blocksAtOnce = 25

function emittedBy({ address, topics, data }: Log): Emitted[] {
  if (topics[0] !== topic) return []
  // The second topic is an address when it begins with twelve zero bytes, and a hash otherwise.
  const layout = /^0x0{24}/.test(topics[1] ?? '') ? bySender : byHash
  const event = layout.parseLog({ topics, data })
  return event === null ? [] : [{ contract: address.toLowerCase(), hash: String(event.args.bundleHash).toLowerCase() }]
}

async function readLedger({ rpcUrl, contract, signer }: AuditedChain): Promise<Ledger> {
  const provider = new JsonRpcProvider(rpcUrl, undefined, { staticNetwork: true, cacheTimeout: -1 })
  const mined = new Map<string, Mined>()
  async function readBlock(number: number): Promise<void> {
    const block = await provider.getBlock(number, true)
    if (block === null) throw new Error(`the chain has no block ${number}`)
    for (const { hash, from, to, nonce } of block.prefetchedTransactions) {
      const receipt = await provider.getTransactionReceipt(hash)
      if (receipt === null || receipt.blockHash !== block.hash) throw new Error(`transaction ${hash} has no receipt`)
      mined.set(hash.toLowerCase(), {
        txid: hash.toLowerCase(),
        from: from.toLowerCase(),
        to: to?.toLowerCase() ?? null,
        nonce,
        blockNumber: number,
        blockHash: receipt.blockHash.toLowerCase(),
        blockTime: block.timestamp * 1000,
        succeeded: receipt.status === 1,
        emitted: receipt.logs.flatMap(emittedBy),
      })
    }
  }
  try {
    const { chainId } = await provider.getNetwork()
    const head = await provider.getBlockNumber()
    for (let start = 0; start <= head; start += blocksAtOnce) {
      const numbers = Array.from({ length: Math.min(blocksAtOnce, head - start + 1) }, (_, index) => start + index)
      await Promise.all(numbers.map(readBlock))
    }
    return { chainId, contracts: lower(contract), signers: lower(signer), mined }
  } finally {
    provider.destroy()
  }
}

/** Returns the hashes that a call of the contract carries; null when the data is no such call. */
function carriedBy(data: string): string[] | null {
  const call = calls.parseTransaction({ data })
  if (call === null) return null
  const [hashes]: unknown[] = [...call.args]
  return [hashes].flat().map(hash => String(hash).toLowerCase())
}

// The rules that must hold

function* ofReceipts({ receipts }: Books, accepted: Set<string>): Generator<string> {
  const known = new Set(receipts.map(({ id }) => id))
  for (const id of accepted) if (!known.has(id)) yield `receipt ${id} was accepted and is not there`
  for (const id of repeated(receipts, row => row.id)) yield `receipt ${id} is there more than once`
  const settlement = (row: ReceiptRow) =>
    row.refund_of_id === null && !row.is_repeated ? `${row.project_id} ${row.chain_key} ${row.tx_key}` : null
  for (const key of repeated(receipts, settlement)) yield `more than one receipt of the settlement ${key}`
  for (const key of repeated(receipts, row => `${row.project_id} ${row.reference}`))
    yield `more than one receipt of the reference ${key}`
  for (const { id, status, bundle_hash, ledger_txid, anchored_at, booked_at, ...row } of receipts) {
    const isSettled = row.refund_of_id === null || row.refund_tx_hash !== null
    if (!isSettled && booked_at !== null) yield `refund ${id} is booked and only announced`
    const isSealed = status === 'anchored' || status === 'awaiting_anchor'
    if (isSealed && bundle_hash === null) yield `receipt ${id} is ${status} without a bundle`
    if (status === 'pending' && bundle_hash !== null) yield `receipt ${id} is pending with a bundle`
    const isBooked = (booked_at !== null) !== (row.counted_as_id !== null)
    const isPlaced = ledger_txid !== null && anchored_at !== null && (isBooked || !isSettled)
    if (status === 'anchored' && !isPlaced) yield `receipt ${id} is anchored without transaction, time or booking`
    if (status !== 'anchored' && (ledger_txid !== null || anchored_at !== null))
      yield `receipt ${id} is ${status} with a transaction or a time of anchoring`
  }
}

/** PostgreSQL always returns all 18 decimals. */
const unitsOf = (amount: string) => BigInt(amount.replace('.', ''))

function* ofCounters({ receipts, counters }: Books): Generator<string> {
  const kindOf = (row: CounterRow | ReceiptRow) => `${row.project_id} ${row.chain} ${row.currency} ${row.status}`
  const present = grouped(receipts, kindOf)
  const counted = new Map(counters.map(row => [kindOf(row), row.count]))
  for (const kind of new Set([...present.keys(), ...counted.keys()])) {
    const [is, says] = [present.get(kind)?.length ?? 0, counted.get(kind) ?? 0]
    if (is !== says) yield `the counters say ${says} receipts of ${kind}, and there are ${is}`
  }
  const refunded = new Set(receipts.map(row => row.refund_of_id))
  for (const { id, has_refund } of receipts)
    if (has_refund !== refunded.has(id)) yield `receipt ${id} says has_refund ${has_refund}`
  const refunds = grouped(
    receipts.filter(row => !row.refund_claimed),
    row => row.refund_of_id,
  )
  for (const { id, amount, refunded_amount } of receipts) {
    const units = (refunds.get(id) ?? []).reduce((sum, refund) => sum + unitsOf(refund.amount), 0n)
    if (units !== unitsOf(refunded_amount)) yield `receipt ${id} says that ${refunded_amount} of it are refunded`
    if (units > unitsOf(amount)) yield `receipt ${id} is refunded more than it has`
  }
}

async function ofBundles({ receipts, files, keys }: Books): Promise<string[]> {
  const faults = files.flatMap(({ receipt_id, name, sha256: named, bytes }) => {
    if (bytes === null) return [`file ${name} of ${receipt_id} has no bytes`]
    return `0x${sha256(bytes)}` === named ? [] : [`file ${name} of ${receipt_id} does not have the hash ${named}`]
  })
  const filesOf = grouped(files, ({ receipt_id }) => receipt_id)
  for (const receipt of receipts) {
    const own = filesOf.get(receipt.id) ?? []
    const bundles = own.filter(({ name }) => name === 'evidence.zip')
    if (receipt.bundle_hash === null) {
      if (bundles.length > 0) faults.push(`receipt ${receipt.id} has a bundle file and no bundle hash`)
      continue
    }
    const bytes = bundles[0]?.bytes
    if (bundles.length !== 1 || !bytes) {
      faults.push(`receipt ${receipt.id} has ${bundles.length} readable bundle files`)
    } else if (`0x${sha256(bytes)}` !== receipt.bundle_hash) {
      faults.push(`the bundle of receipt ${receipt.id} does not have its bundle hash`)
    } else {
      for (const fault of await ofBundle(receipt, bytes, own, keys))
        faults.push(`the bundle of ${receipt.id}: ${fault}`)
    }
  }
  return faults
}

type Manifest = {
  receipt_id: string
  reference: string
  created_at: string
  key_id: string
  files: { name: string; sha256: string; size: number }[]
}

// A block's timestamp may be behind the service's clock.
const clockSkewMs = 15 * 60_000

async function ofBundle(receipt: ReceiptRow, bytes: Buffer, own: FileRow[], keys: KeyRow[]): Promise<string[]> {
  const zip = await JSZip.loadAsync(bytes).catch(() => null)
  if (zip === null) return ['it is no ZIP']
  const content = new Map<string, Buffer>()
  for (const [name, entry] of Object.entries(zip.files)) content.set(name, await entry.async('nodebuffer'))
  const faults: string[] = []
  const [manifestBytes, signature] = [content.get('manifest.json'), content.get('manifest.sig')]
  if (manifestBytes === undefined || signature === undefined) return ['it has no signed manifest']
  const manifest: Manifest = JSON.parse(manifestBytes.toString('utf8'))
  const listed = manifest.files.map(({ name }) => name)
  if (!same([...listed, 'manifest.json', 'manifest.sig'], [...content.keys()]))
    faults.push('the manifest lists other files')
  for (const { name, sha256: hash, size } of manifest.files) {
    const file = content.get(name)
    if (file && (`0x${sha256(file)}` !== hash || file.length !== size))
      faults.push(`${name} is not as the manifest says`)
    const stored = own.find(row => row.name === name)
    if (stored && stored.sha256 !== hash) faults.push(`${name} is not the file that is stored beside it`)
  }
  const message = receipt.refund_of_id === null ? 'pain001.xml' : 'pacs004.xml'
  for (const name of [message, 'public_key.pem', 'receipt.json', 'tip.json']) {
    if (!listed.includes(name)) faults.push(`${name} is not listed`)
  }
  if (!own.some(({ name }) => name === message)) faults.push(`${message} is not stored beside it`)
  // Earlier bundles have the first 16 digits.
  const named = keys.filter(({ key_id }) => key_id === manifest.key_id || key_id.slice(0, 16) === manifest.key_id)
  const [key] = named
  if (named.length > 1) faults.push(`its key ${manifest.key_id} may be any of several`)
  if (key === undefined) return [...faults, `its key ${manifest.key_id} is not known`]
  const publicKey = createPublicKey(key.public_key_pem)
  if (sha256(publicKey.export({ format: 'der', type: 'spki' })) !== key.key_id)
    faults.push(`the key ${key.key_id} is another`)
  if (content.get('public_key.pem')?.toString('utf8') !== key.public_key_pem) faults.push('its public key is another')
  if (!verify(null, manifestBytes, publicKey, signature)) faults.push('its signature is wrong')
  const until = receipt.anchored_at?.getTime() ?? Date.now()
  if (key.valid_from.getTime() > until + clockSkewMs) faults.push(`its key ${key.key_id} was not valid yet`)
  if (key.valid_to !== null && key.valid_to < receipt.created_at)
    faults.push(`its key ${key.key_id} was no longer valid`)
  return [...faults, ...ofContent(receipt, manifest, content)]
}

/** Checks that the sealed files still state what the receipt's row states. */
function* ofContent(receipt: ReceiptRow, manifest: Manifest, content: Map<string, Buffer>): Generator<string> {
  const { id, reference, resource_hash, chain, tip_tx_hash, currency, sender_wallet, receiver_wallet } = receipt
  const created_at = receipt.created_at.toISOString()
  // PostgreSQL always returns all 18 decimals.
  const amount = receipt.amount.replace(/\.?0+$/, '')
  const project = { id: receipt.project_id, owner_wallet: receipt.owner_wallet }
  // A refund that is only announced has the transaction hash of the payment that it refunds.
  const refund_tx_hash = receipt.refund_of_id === null || tip_tx_hash === receipt.refunded_tx_hash ? null : tip_tx_hash
  const record = { id, reference, created_at, project, resource_hash, refund_of: receipt.refund_of_id, refund_tx_hash }
  const tip = { tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference, resource_hash }
  const sorted = (value: object) => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  const inside = (name: string) => sorted(JSON.parse(content.get(name)?.toString('utf8') ?? '{}'))
  if (inside('receipt.json') !== sorted(record)) yield 'receipt.json says other than the database'
  if (inside('tip.json') !== sorted(tip)) yield 'tip.json says other than the database'
  const { files: _files, key_id: _key, ...told } = manifest
  if (sorted(told) !== sorted({ version: 2, algorithm: 'ed25519', receipt_id: id, reference, created_at, project }))
    yield 'its manifest is of another receipt'
}

type LedgerOf = (chain: string) => Ledger

/** Checks the state of each row of `anchors`, and that the anchors of a receipt have its bundle hash. */
function* ofAnchors({ receipts, anchors, transactions }: Books, ledgerOf: LedgerOf): Generator<string> {
  const transactionOf = new Map(transactions.map(row => [row.id, row]))
  const anchorsOf = grouped(anchors, ({ receipt_id }) => receipt_id)
  for (const receipt of receipts) {
    const own = anchorsOf.get(receipt.id) ?? []
    for (const chain of repeated(own, anchor => anchor.chain))
      yield `receipt ${receipt.id} has several anchors on ${chain}`
    if (receipt.bundle_hash !== null && own.length === 0) yield `receipt ${receipt.id} has a bundle and no anchor`
    if (receipt.bundle_hash === null && own.length > 0) yield `receipt ${receipt.id} has an anchor and no bundle`
    if (own.some(anchor => anchor.bundle_hash !== receipt.bundle_hash))
      yield `an anchor of ${receipt.id} is of another hash`
    const isWhole = own.length > 0 && own.every(({ state }) => state === 'confirmed')
    if (receipt.status === 'anchored' && !isWhole)
      yield `receipt ${receipt.id} is anchored and not all of its anchors are confirmed`
    if (receipt.status === 'awaiting_anchor' && isWhole)
      yield `receipt ${receipt.id} waits although all of its anchors are confirmed`
  }
  for (const { id, state, chain, bundle_hash, transaction_id } of anchors) {
    const carrier = transaction_id === null ? undefined : transactionOf.get(transaction_id)
    const isCarried = state === 'sent' || state === 'confirmed'
    if (!isCarried) {
      if (transaction_id !== null) yield `anchor ${id} is ${state} and has a transaction`
      continue
    }
    if (carrier === undefined) yield `anchor ${id} is ${state} without a transaction`
    else if (carrier.chain !== chain) yield `anchor ${id} is carried by a transaction of another chain`
    else if (carrier.state !== (state === 'sent' ? 'signed' : 'confirmed'))
      yield `anchor ${id} is ${state} in a transaction that is ${carrier.state}`
    else if (state === 'confirmed') yield* ofConfirmed(id, bundle_hash, carrier, ledgerOf(chain))
  }
}

/** Checks a confirmed anchor: canonical block as stored, our signer, our contract and an event with this hash. */
function* ofConfirmed(id: string, hash: string, row: TransactionRow, ledger: Ledger): Generator<string> {
  const mined = ledger.mined.get(row.txid)
  const fault = (what: string) => `anchor ${id} in ${row.txid}: ${what}`
  if (mined === undefined) return yield fault('the transaction is not on the chain')
  if (!mined.succeeded) yield fault('the transaction failed')
  if (mined.blockNumber !== row.block_number)
    yield fault(`it is in block ${mined.blockNumber}, not ${row.block_number}`)
  if (mined.blockHash !== row.block_hash) yield fault(`its block is ${mined.blockHash}, not ${row.block_hash}`)
  if (mined.blockTime !== row.block_time?.getTime()) yield fault('its block has another time')
  if (row.finality !== 'final') yield fault(`it counts as ${row.finality}`)
  if (row.project_id === null) {
    if (!ledger.signers.includes(mined.from)) yield fault(`it is from ${mined.from}`)
    if (mined.to !== row.contract) yield fault(`it is to ${mined.to}`)
    if (!ledger.contracts.includes(row.contract))
      yield fault(`it is to the contract ${row.contract}, which is none of ours`)
  }
  const carried = mined.emitted.filter(event => event.contract === row.contract)
  if (!carried.some(event => event.hash === hash)) yield fault(`it does not carry ${hash}`)
}

/** Checks that a receipt names the transaction and time of its earliest block. */
function* ofOutcomes({ receipts, anchors, transactions }: Books, ledgerOf: LedgerOf): Generator<string> {
  const transactionOf = new Map(transactions.map(row => [row.id, row]))
  const anchorsOf = grouped(anchors, ({ receipt_id }) => receipt_id)
  for (const { id, status, ledger_txid, anchored_at } of receipts) {
    if (status !== 'anchored') continue
    const places = (anchorsOf.get(id) ?? []).flatMap(({ chain, transaction_id }) => {
      const txid = transactionOf.get(transaction_id ?? '')?.txid ?? ''
      return ledgerOf(chain).mined.get(txid) ?? []
    })
    const [first] = places.sort((a, b) => a.blockTime - b.blockTime || (a.txid < b.txid ? -1 : 1))
    if (first?.txid !== ledger_txid)
      yield `receipt ${id} names ${ledger_txid}, not its earliest transaction ${first?.txid}`
    if (first?.blockTime !== anchored_at?.getTime())
      yield `receipt ${id} is said to be anchored at another time than its block`
  }
}

/** Checks the events of the whole chain: none is repeated, and our signer anchored no unknown hash. */
function* ofHashes({ anchors, transactions }: Books, ledgers: Map<string, Ledger>): Generator<string> {
  const ofProjects = new Set(transactions.flatMap(({ id, project_id }) => (project_id === null ? [] : id)))
  for (const [name, { contracts, signers, mined }] of ledgers) {
    const rowsOf = grouped(anchors, ({ chain, bundle_hash }) => (chain === name ? bundle_hash : null))
    const seen = [...mined.values()].flatMap(({ txid, from, emitted }) =>
      emitted.filter(({ contract }) => contracts.includes(contract)).map(({ hash }) => ({ hash, txid, from })),
    )
    for (const [hash, events] of grouped(seen, event => event.hash)) {
      const rows = rowsOf.get(hash)
      const where = events.map(({ txid }) => txid).join(', ')
      if (rows === undefined) {
        if (events.some(({ from }) => signers.includes(from)))
          yield `hash ${hash} was anchored by our signer and is none of ours: ${where}`
        continue
      }
      // A project may anchor its own hash any number of times.
      if (rows.some(({ state, transaction_id }) => state === 'external' || ofProjects.has(transaction_id ?? '')))
        continue
      if (events.length > rows.length) yield `hash ${hash} is anchored ${events.length} times: ${where}`
    }
  }
}

/** Checks that every stored signed transaction matches its row and carries the hashes of its anchors. */
function* ofTransactions({ anchors, transactions, attempts }: Books, ledgerOf: LedgerOf): Generator<string> {
  const attemptsOf = grouped(attempts, ({ transaction_id }) => transaction_id)
  const known = new Set(transactions.map(({ id }) => id))
  for (const { txid, transaction_id } of attempts)
    if (!known.has(transaction_id)) yield `attempt ${txid} is of no transaction`
  for (const row of transactions) {
    const fault = (what: string) => `transaction ${row.id} (nonce ${row.nonce}): ${what}`
    const own = attemptsOf.get(row.id) ?? []
    const ledger = ledgerOf(row.chain)
    if (row.project_id !== null) {
      if (own.length > 0 || row.signer !== null || row.nonce !== null) yield fault('it is a project’s and ours')
      continue
    }
    if (!ledger.signers.includes(row.signer ?? '')) yield fault(`its signer ${row.signer} is not ours`)
    if (!own.some(({ txid }) => txid === row.txid)) yield fault(`${row.txid} is none of its attempts`)
    const hashes = anchors.filter(({ transaction_id }) => transaction_id === row.id).map(anchor => anchor.bundle_hash)
    for (const attempt of own) yield* ofAttempt(row, attempt, hashes, ledger).map(fault)
    for (const { txid, raw_transaction } of own) {
      const mined = ledger.mined.get(txid)
      if (isGivenUp(row) && mined?.succeeded && !isFiller(row, raw_transaction))
        yield fault(`it is ${row.state}, and ${txid} succeeded`)
      if (row.state === 'confirmed' && mined && txid !== row.txid) yield fault(`${txid} was mined, not ${row.txid}`)
    }
    const mined = ledger.mined.get(row.txid)
    if (row.state === 'confirmed' && mined === undefined) yield fault(`${row.txid} is confirmed and not on the chain`)
    const emitted = mined?.emitted.filter(({ contract }) => contract === row.contract).map(({ hash }) => hash) ?? []
    if (row.state === 'confirmed' && !same(emitted, hashes)) yield fault('its events are not those of its anchors')
  }
}

const isGivenUp = ({ state }: TransactionRow) => state === 'reverted' || state === 'overtaken'

/** Reports whether a transaction only fills a nonce that a reorg freed: to the signer itself, without data or value. */
function isFiller({ signer }: TransactionRow, raw: string): boolean {
  try {
    const { to, data, value } = Transaction.from(raw)
    return to?.toLowerCase() === signer && data === '0x' && value === 0n
  } catch {
    return false
  }
}

function* ofAttempt(row: TransactionRow, attempt: AttemptRow, hashes: string[], ledger: Ledger): Generator<string> {
  const { txid, raw_transaction, max_fee_per_gas } = attempt
  let read: Transaction
  try {
    read = Transaction.from(raw_transaction)
  } catch {
    return yield `the bytes of ${txid} are no transaction`
  }
  if (read.hash !== txid) yield `the bytes of ${txid} are of ${read.hash}`
  if (read.from?.toLowerCase() !== row.signer) yield `${txid} is signed by ${read.from}, not by ${row.signer}`
  if (read.nonce !== row.nonce) yield `${txid} has the nonce ${read.nonce}`
  const isNothing = isGivenUp(row) && isFiller(row, raw_transaction)
  if (read.to?.toLowerCase() !== row.contract && !isNothing) yield `${txid} is to ${read.to}, not to ${row.contract}`
  if (read.chainId !== ledger.chainId) yield `${txid} is for chain ${read.chainId}`
  if ((read.maxFeePerGas ?? read.gasPrice)?.toString() !== max_fee_per_gas)
    yield `${txid} pays another fee than is noted`
  if (row.state !== 'signed' && row.state !== 'confirmed') return
  const carried = row.contract === row.signer ? [] : carriedBy(read.data)
  if (carried === null || !same(carried, hashes)) yield `${txid} does not carry what its anchors say`
}

/** Checks that each signer's nonces are consecutive and that the chain has used none that is not stored. */
function* ofNonces({ transactions, attempts }: Books, ledgers: Map<string, Ledger>): Generator<string> {
  const attemptsOf = grouped(attempts, ({ transaction_id }) => transaction_id)
  for (const [name, { signers, mined }] of ledgers) {
    for (const signer of signers) {
      const own = transactions.filter(row => row.chain === name && row.signer === signer)
      const stored = own.flatMap(({ nonce }) => nonce ?? [])
      for (const nonce of repeated(stored, String))
        yield `nonce ${nonce} of ${signer} was given more than once on ${name}`
      const [first, last] = [Math.min(...stored), Math.max(...stored)]
      for (let nonce = first; nonce < last; nonce++) {
        if (!stored.includes(nonce)) yield `nonce ${nonce} of ${signer} was left out on ${name}`
      }
      for (const { nonce, txid } of [...mined.values()].filter(({ from }) => from === signer)) {
        const rows = own.filter(row => row.nonce === nonce)
        if (rows.length === 0)
          yield `nonce ${nonce} of ${signer} was used on ${name} by ${txid}, and we never stored it`
        // The transaction that used the nonce of an overtaken transaction is not ours.
        const isOurs = rows.some(
          ({ id, state }) => state === 'overtaken' || attemptsOf.get(id)?.some(one => one.txid === txid),
        )
        if (rows.length > 0 && !isOurs)
          yield `${txid} of ${signer} on ${name} is none of those we stored for nonce ${nonce}`
      }
    }
  }
}

/** The states from which each state may be entered. `anchored` goes back only when its anchor's block was orphaned. */
const mayBecome: Record<ReceiptStatus, readonly ReceiptStatus[]> = {
  pending: ['failed'],
  awaiting_anchor: ['pending', 'anchored'],
  anchored: ['awaiting_anchor'],
  failed: ['pending'],
}

function* ofLives({ receipts, events }: Books): Generator<string> {
  const eventsOf = grouped(events, ({ receipt_id }) => receipt_id)
  for (const receipt of receipts) {
    const life = eventsOf.get(receipt.id) ?? []
    const told = life.map(({ status }) => status).join(' → ')
    const fault = (what: string) => `receipt ${receipt.id} (${told}): ${what}`
    if (life[0]?.status !== 'pending') yield fault('its life does not begin with pending')
    for (const [index, { status }] of life.slice(1).entries()) {
      const before = life[index]?.status
      if (!mayBecome[status].some(state => state === before)) yield fault(`${before} may not become ${status}`)
    }
    const last = life.at(-1)
    if (last === undefined) continue
    if (last.status !== receipt.status) yield fault(`it is ${receipt.status}`)
    if (last.bundle_hash !== receipt.bundle_hash) yield fault('its last event has another bundle hash')
    if (last.ledger_txid !== receipt.ledger_txid) yield fault('its last event has another transaction')
    if (last.anchored_at?.getTime() !== receipt.anchored_at?.getTime())
      yield fault('its last event has another time of anchoring')
  }
}

/** Checks that each audited change has its audit row, and each audit row its change. */
function* ofAuditRows({ receipts, events, anchors, transactions, audit: rows }: Books): Generator<string> {
  const eventsOf = grouped(events, ({ receipt_id }) => receipt_id)
  const rowsOf = grouped(rows, ({ object_type, object_id }) => (object_type === 'receipt' ? object_id : null))
  const known = new Set(receipts.map(({ id }) => id))
  for (const id of rowsOf.keys()) if (!known.has(id)) yield `audit rows are about receipt ${id}, which is not there`
  const anchorsOf = grouped(anchors, ({ receipt_id }) => receipt_id)
  const sentBy = new Map(transactions.map(({ id, project_id, txid }) => [id, project_id === null ? null : txid]))
  for (const { id, project_id, refund_of_id, refund_tx_hash, tip_tx_hash } of receipts) {
    const own = rowsOf.get(id) ?? []
    const life = eventsOf.get(id) ?? []
    const moves = life.map(({ status }, index) => `${life[index - 1]?.status ?? ''}>${status}`)
    const count = (pattern: RegExp) => moves.filter(move => pattern.test(move)).length
    const expected = {
      'receipt.record': refund_of_id === null ? 1 : 0,
      'receipt.refund': refund_of_id === null ? 0 : 1,
      'refund.confirm': refund_of_id !== null && refund_tx_hash !== null && refund_tx_hash !== tip_tx_hash ? 1 : 0,
      'receipt.anchor': count(/>anchored$/),
      'receipt.anchor_lost': count(/^anchored>/),
      'receipt.deny': count(/>failed$/),
      'receipt.retry': count(/^failed>pending$/),
    }
    for (const [action, times] of Object.entries(expected)) {
      const written = own.filter(row => row.action === action).length
      if (written !== times) yield `receipt ${id} has ${written} audit rows ${action}, and ${times} such changes`
    }
    const named = own.filter(({ action }) => action === 'receipt.anchor').map(({ details }) => details.txid ?? '')
    const anchored = life.filter(({ status }) => status === 'anchored').map(event => event.ledger_txid ?? '')
    if (named.length === anchored.length && !same(named, anchored))
      yield `receipt ${id} was anchored in another transaction than its audit rows say`
    if (own.some(row => row.project_id !== project_id)) yield `an audit row of receipt ${id} is another project’s`
    for (const { transaction_id } of anchorsOf.get(id) ?? []) {
      const txid = sentBy.get(transaction_id ?? '')
      if (txid && !own.some(row => row.action === 'receipt.confirm_anchor' && row.details.txid === txid))
        yield `receipt ${id} is anchored by its project in ${txid} without an audit row`
    }
  }
}

function* ofAuditChains({ audit: rows, heads }: Books): Generator<string> {
  const chains = grouped(rows, ({ project_id }) => project_id ?? 'service')
  for (const chain of new Set([...chains.keys(), ...heads.map(head => head.chain)])) {
    let [seq, hash] = [0, '']
    const head = heads.find(one => one.chain === chain)
    for (const row of chains.get(chain) ?? []) {
      if (Number(row.seq) !== seq + 1) yield `row ${seq + 1} of the audit chain ${chain} is missing`
      const text = [hash, ...row.hashed].map(value => `${Buffer.byteLength(value)}:${value},`).join('')
      if (sha256(text) !== row.hash) yield `row ${row.seq} of the audit chain ${chain} is not as it was written`
      seq = Number(row.seq)
      hash = row.hash
    }
    if (Number(head?.seq) !== seq || head?.hash !== hash)
      yield `the end of the audit chain ${chain} is not where its head says`
  }
}

function* ofJobs({ jobs, receipts, anchors }: Books): Generator<string> {
  const anchored = new Set(receipts.flatMap(({ id, status }) => (status === 'anchored' ? id : [])))
  for (const { task, payload, last_error, spent } of jobs) {
    if (spent) yield `a job ${task} is given up: ${last_error}`
    const carried = anchors.filter(
      row => payload.transaction !== undefined && row.transaction_id === payload.transaction,
    )
    const about = [...(payload.receipts ?? []), ...carried.map(row => row.receipt_id ?? '')]
    const done = about.filter(id => anchored.has(id))
    if (last_error !== null && done.length > 0)
      yield `a job ${task} of the anchored ${done.join(', ')} is left failing: ${last_error}`
  }
}

function* ofWhatIsOpen({ receipts, anchors, transactions }: Books): Generator<string> {
  const anchorsOf = grouped(anchors, ({ receipt_id }) => receipt_id)
  const ofProjects = new Set(transactions.flatMap(({ id, project_id }) => (project_id === null ? [] : id)))
  const isTheirs = ({ state, transaction_id }: AnchorRow) =>
    state === 'external' || ofProjects.has(transaction_id ?? '')
  for (const { id, status } of receipts) {
    const own = anchorsOf.get(id) ?? []
    const waitsForProject =
      status === 'awaiting_anchor' && own.length > 0 && own.every(row => row.state === 'confirmed' || isTheirs(row))
    if ((status === 'pending' || status === 'awaiting_anchor') && !waitsForProject)
      yield `receipt ${id} is still ${status}`
  }
  for (const row of anchors) {
    if ((row.state === 'waiting' || row.state === 'sent') && !isTheirs(row))
      yield `anchor ${row.id} is still ${row.state}`
  }
  for (const { id, state, project_id } of transactions) {
    if (state === 'signed' && project_id === null) yield `transaction ${id} is still signed`
  }
}
