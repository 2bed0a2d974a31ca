// The archive of a project with erased receipts, open payments and anchors of its own, read and written by roles that
// own no table; and archives that somebody has changed, which reach for what other projects have.
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wrapFetchWithPayment } from '@x402/fetch'
import { type BaseWallet, JsonRpcProvider } from 'ethers'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../src/adapters/migrate.ts'
import { openPool } from '../../src/adapters/pg-pool.ts'
import type { Manifest } from '../../src/modules/moves/manifest.ts'
import { importArchive } from '../../src/modules/moves/read-archive.ts'
import { onceOf } from '../../src/modules/statements/made.ts'
import { account } from '../kit/anvil.ts'
import { until } from '../kit/child.ts'
import { runCommand } from '../kit/command.ts'
import { type ObjectStore, startObjectStore } from '../kit/object-store.ts'
import { clientOf, createPayer, type Payer } from '../kit/payer.ts'
import { adminKey, freshDatabase, type Service, startService } from '../kit/service.ts'
import { deployWallets, messageText, newWallet } from '../kit/sign-in.ts'

const role = `archive_role_${process.pid}`
const owned: pg.Pool[] = []
const soon = (what: string, isSo: () => Promise<boolean>) => until(what, isSo, () => '', 30_000)
const publicUrl = { PUBLIC_BASE_URL: 'https://quittance.test' }

let folder: string
let archive: string
let store: ObjectStore
let here: Service
let thereUrl: string
let project: { id: string; key: string }
let victim: { id: string; key: string }
const of = { kept: '', erased: '', tenant: '', victim: '' }
let owed: Request
let payer: Payer
const [shop, till, rival] = [newWallet(), newWallet(), newWallet()]
/** A contract whose owner is the wallet `shop`. */
let vault: string

/** Returns the URL of a database for a role that may read and write rows, and own or change no table. */
async function databaseOfRole(): Promise<string> {
  const url = await freshDatabase()
  const pool = openPool(url, 2, console)
  if (owned.length === 0) await pool.query(`create role ${role} login password 'secret'`)
  owned.push(pool)
  await migrate(pool, { grantTo: role })
  return Object.assign(new URL(url), { username: role, password: 'secret' }).toString()
}

async function exportMoved(id: string, to: string): Promise<void> {
  const env = { DATABASE_URL: here.databaseUrl, ...store.settings }
  const { code, out } = await runCommand(['export-project', id, to, '--move'], env)
  expect([code, out]).toEqual([0, expect.stringContaining('only reads here now')])
}

async function recorded({ key }: { key: string }, to: object = {}): Promise<string> {
  const { json } = await here.api.record(key, { sender_wallet: payer.address, ...to })
  await here.api.anchored(json.receipt_id)
  return json.receipt_id
}

/** Calls a paid route as the official client does. Returns the answer and the last request. */
async function buy(path: string, init: RequestInit = {}) {
  const { facilitator, paymentsTo: payTo } = here.app
  if (facilitator === null) throw new Error('no facilitator')
  const requirement = await facilitator.requirement({ amount: '0.005', payTo, maxTimeoutSeconds: 120 })
  const sent: Request[] = []
  const noted: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    sent.push(request.clone())
    return fetch(request)
  }
  const answer = await wrapFetchWithPayment(noted, clientOf(payer, requirement))(here.base + path, init)
  return { answer, sent: sent.at(-1) }
}

async function link({ key }: { key: string }, signer: BaseWallet, address = signer.address): Promise<void> {
  const { nonce, domain } = (await here.api.call('GET', '/v1/auth/nonce')).json
  const message = messageText({ domain, uri: publicUrl.PUBLIC_BASE_URL, address, nonce })
  const body = { message, signature: await signer.signMessage(message) }
  expect((await here.api.call('POST', '/v1/auth/siwe-verify', { key, body })).json).toMatchObject({ linked: true })
}

/** Buys a message of the project, whose answer does not reach the buyer. Returns the request. */
async function unanswered(receiptId: string): Promise<Request> {
  const headers = { 'X-API-Key': project.key }
  const { answer, sent } = await buy(`/v1/x402/premium/iso-message/${receiptId}/pain.001`, { headers })
  expect(answer.status).toBe(200)
  const { pool } = here.app
  const delivered = `select from payments where status = 'delivered'`
  await soon('the payment is delivered', async () => (await pool.query(delivered)).rowCount === 1)
  await pool.query(
    `update payments set status = 'settled', delivered_at = null, answered_at = null, answer = null, answer_until = null`,
  )
  if (sent === undefined) throw new Error('nothing was sent')
  return sent
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-archives-'))
  archive = join(folder, 'archive')
  store = await startObjectStore()
  here = await startService({
    DATABASE_URL: await databaseOfRole(),
    ...publicUrl,
    ...store.settings,
    LOG_LEVEL: 'silent',
  })
  thereUrl = await databaseOfRole()
  const node = new JsonRpcProvider(here.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  payer = await createPayer(node, here.app.facilitator?.asset ?? '', 10_000_000n)
  node.destroy()
  const organisation = { key: adminKey, body: { org: { name: 'Organisation here' } } }
  expect((await here.api.call('PUT', '/v1/config', organisation)).status).toBe(200)
  ;[project, victim] = [await here.api.project('Moves'), await here.api.project('Victim')]
  vault = (await deployWallets(here.localChain ?? '', shop.address)).OwnerWallet
  await link(project, shop)
  await link(project, till)
  await link(project, shop, vault)
  await link(victim, rival)
  ;[of.kept, of.erased, of.victim] = [
    await recorded(project, { receiver_wallet: shop.address }),
    await recorded(project),
    await recorded(victim),
  ]
  owed = await unanswered(of.kept)
  const { pool } = here.app
  const erasing = 'mutation ($id: ID!) { eraseReceipt(input: { receiptId: $id }) { files } }'
  const erased = await here.api.graphql(erasing, { key: project.key, variables: { id: of.erased } })
  expect(erased.errors).toBeUndefined()
  await here.api.graphql('mutation { generateStatement(input: {}) { statement { id } } }', { key: project.key })
  const anchoring = { execution_mode: 'tenant', chains: [{ name: here.app.chains[0].name }] }
  const configured = await here.api.call('PUT', `/v1/projects/${project.id}/config`, {
    key: project.key,
    body: { anchoring },
  })
  expect([configured.status, configured.text]).toEqual([200, expect.anything()])
  of.tenant = (await here.api.record(project.key, { chain: 'local' })).json.receipt_id
  const sealed = `select from receipts where id = $1 and status = 'awaiting_anchor'`
  await soon('the receipt is sealed', async () => (await pool.query(sealed, [of.tenant])).rowCount === 1)

  await exportMoved(project.id, archive)
  await exportMoved(victim.id, join(folder, 'victim'))
  // The operator is told which keys are published now.
  expect(await imported(join(folder, 'victim'))).toEqual({ bundles: 1, keys: [here.app.signer.keyId] })
}, 120_000)
afterAll(async () => {
  await here?.stop()
  await store?.stop()
  await rm(folder, { recursive: true, force: true })
  for (const pool of owned) await pool.query(`drop owned by ${role}`)
  await owned[0]?.query(`drop role ${role}`)
  for (const pool of owned) await pool.end()
})

async function inDatabase<T>(work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: thereUrl })
  await db.connect()
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}
const imported = (from: string) => inDatabase(db => importArchive({ db, blobStore: null }, from, () => undefined))
const rowsThere = (text: string, values: unknown[] = []) => inDatabase(async db => (await db.query(text, values)).rows)

type Row = Record<string, unknown>

/** Changes the rows of a table, and the manifest with them. */
async function rewrite(at: string, table: string, change: (rows: Row[]) => Row[]): Promise<void> {
  const path = join(at, 'tables', `${table}.jsonl`)
  const rows = (await readFile(path, 'utf8')).split('\n').flatMap(line => (line === '' ? [] : JSON.parse(line)))
  const text = change(rows)
    .map(row => `${JSON.stringify(row)}\n`)
    .join('')
  await writeFile(path, text)
  await describeIn(at, manifest => {
    manifest.tables[table] = { rows: text.split('\n').length - 1, bytes: text.length, sha256: sha256(text) }
  })
}
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
async function describeIn(at: string, change: (manifest: Manifest) => void): Promise<void> {
  const path = join(at, 'manifest.json')
  const manifest: Manifest = JSON.parse(await readFile(path, 'utf8'))
  change(manifest)
  await writeFile(path, JSON.stringify(manifest))
}
const first = (change: Row) => (rows: Row[]) => rows.map((row, index) => (index === 0 ? { ...row, ...change } : row))

const ofShop = (change: Row) => (rows: Row[]) =>
  rows.map(row => (row.address === shop.address.toLowerCase() ? { ...row, ...change } : row))
const someBlock = { network: 'eip155:31337', block_number: 1, block_hash: `0x${'0b'.repeat(32)}` }

const future = '999999999999999999'
const id = '00000000-0000-4000-8000-000000000001'
const hacks: Record<string, [sentence: string, change: (at: string) => Promise<unknown>]> = {
  'a refund of another project’s receipt': [
    'receipts.jsonl refers to a row of receipts',
    at => rewrite(at, 'receipts', first({ refund_of_id: of.victim })),
  ],
  'the configuration of another project': [
    'receipts.jsonl refers to a row of project_configs',
    at => rewrite(at, 'receipts', first({ project_config_version: 999 })),
  ],
  'receipts of another project': [
    'receipts.jsonl refers to a row of projects',
    at => rewrite(at, 'receipts', first({ project_id: victim.id })),
  ],
  'an event of another project’s refund': [
    'events.jsonl refers to a row of another project',
    at => rewrite(at, 'events', first({ refund_id: of.victim })),
  ],
  'a second project': [
    'projects.jsonl has another project',
    at => rewrite(at, 'projects', rows => [...rows, { ...rows[0], id, config_version: null }]),
  ],
  'another project’s bundle, as erased': [
    'artifacts.jsonl has a file that is here already',
    async at => {
      const [bundle] = await rowsThere(`select sha256 from artifacts where receipt_id = $1 and type = 'evidence'`, [
        of.victim,
      ])
      await rewrite(at, 'artifacts', first({ sha256: bundle.sha256 }))
      await rewrite(at, 'blobs', rows => [...rows, { ...rows[0], sha256: bundle.sha256 }])
    },
  ],
  'another project’s bundle, with its bytes': [
    'artifacts.jsonl has a file that is here already',
    async at => {
      const [bundle] = await rowsThere(`select sha256 from artifacts where receipt_id = $1 and type = 'evidence'`, [
        of.victim,
      ])
      const isBundle = (row: Row) => row.type === 'evidence' && row.receipt_id === of.kept
      await rewrite(at, 'artifacts', rows => rows.map(row => (isBundle(row) ? { ...row, sha256: bundle.sha256 } : row)))
      await cp(join(folder, 'victim', 'files', of.victim, 'evidence.zip'), join(at, 'files', of.kept, 'evidence.zip'))
    },
  ],
  'the proof of another wallet': [
    'linked_wallets.jsonl has the proof of another wallet',
    at => rewrite(at, 'wallet_proofs', ofShop({ address: till.address.toLowerCase() })),
  ],
  'the proof of another receiver': [
    'receipts.jsonl has the proof of another wallet',
    at =>
      rewrite(at, 'receipts', rows => {
        const stated = rows.find(row => row.receiver_proof_id !== null)?.receiver_proof_id
        return rows.map(row => ({ ...row, receiver_proof_id: stated }))
      }),
  ],
  'a proof that another link has': [
    'wallet_proofs.jsonl has a signature that another link has',
    at => rewrite(at, 'wallet_proofs', rows => [...rows, { ...rows[0], id }]),
  ],
  'another project’s proof': [
    'wallet_proofs.jsonl has a signature that another link has',
    async at => {
      const [row] = await rowsThere('select * from wallet_proofs where address = $1', [rival.address.toLowerCase()])
      const own = { ...row, id, project_id: project.id }
      await rewrite(at, 'wallet_proofs', rows => [...rows, own])
      await rewrite(at, 'linked_wallets', rows => [...rows, { ...rows[0], id, address: row.address, proof_id: id }])
    },
  ],
  'a proof for another project': [
    'wallet_proofs.jsonl refers to a row of projects',
    at => rewrite(at, 'wallet_proofs', first({ project_id: victim.id })),
  ],
  'a proof that the archive does not have': [
    'linked_wallets.jsonl refers to a row of wallet_proofs',
    at => rewrite(at, 'linked_wallets', first({ proof_id: id })),
  ],
  'a signature that the wallet did not make': [
    'The signature is not one that the wallet’s key made',
    at => rewrite(at, 'wallet_proofs', ofShop({ signature: `0x${'12'.repeat(64)}1b` })),
  ],
  'a key’s signature that a contract is said to have accepted': [
    'The form of the signature is not that of its method',
    at => rewrite(at, 'wallet_proofs', ofShop({ method: 'eip6492', ...someBlock })),
  ],
  'a payment that nothing confirms': [
    'receipts.jsonl has a receipt with another result than the check of its payment',
    at => rewrite(at, 'receipts', rows => rows.map(row => ({ ...row, settlement_status: 'confirmed' }))),
  ],
  'a check that says more than what is sealed': [
    'settlements.jsonl confirms a payment that its sealed check does not confirm',
    at => rewrite(at, 'settlements', rows => rows.map(row => ({ ...row, status: 'confirmed', grade: 'proved' }))),
  ],
  'a proof of another time': [
    'was issued at another time',
    at => rewrite(at, 'wallet_proofs', ofShop({ created_at: '2026-01-01T00:00:00.000Z' })),
  ],
  'a proof of another kind': ['It is of another kind', at => rewrite(at, 'wallet_proofs', ofShop({ kind: 'nonce' }))],
  'a key’s proof with a block': [
    'has a row that no project can have',
    at => rewrite(at, 'wallet_proofs', ofShop(someBlock)),
  ],
  'a transaction that the service would send': [
    'anchor_transactions.jsonl has a transaction that is not of the project',
    at =>
      rewrite(at, 'anchor_transactions', rows => [
        ...rows,
        { ...rows[0], id, project_id: null, nonce: 7, state: 'signed', txid: `0x${'7'.repeat(64)}` },
      ]),
  ],
  'an event of the future': [
    'events.jsonl has a number of the future',
    at => rewrite(at, 'events', rows => [...rows.slice(0, -1), { ...rows.at(-1), id: Number.MAX_SAFE_INTEGER }]),
  ],
  'deleted events of the future': [
    'deleted events of the future',
    at => describeIn(at, manifest => Object.assign(manifest, { eventHorizon: future })),
  ],
  'a file outside the folder': [
    'is no name of a file',
    at => rewrite(at, 'artifacts', rows => rows.map(row => ({ ...row, name: `../../../${row.name}` }))),
  ],
  'a link to a file outside': [
    'evidence.zip is a link',
    async at => {
      const path = join(at, 'files', of.kept, 'evidence.zip')
      await rename(path, join(folder, 'outside'))
      await symlink(join(folder, 'outside'), path)
    },
  ],
  'a link to a folder outside': [
    'organisation_configs.jsonl is a link',
    async at => {
      await rename(join(at, 'tables'), join(folder, 'tables'))
      await symlink(join(folder, 'tables'), join(at, 'tables'))
    },
  ],
  'a line without an end': [
    'has a line that is too long',
    at => writeFile(join(at, 'tables', 'receipts.jsonl'), Buffer.alloc(40 * 1024 * 1024, ' ')),
  ],
  'a row that no column takes': [
    'has a row that no project can have',
    at => rewrite(at, 'receipts', first({ amount: 'much' })),
  ],
}

it.each(Object.keys(hacks))('an archive with %s is refused as a whole', async name => {
  const [sentence, change] = hacks[name] ?? ['', async () => undefined]
  const at = join(folder, 'changed')
  await rm(at, { recursive: true, force: true })
  await cp(archive, at, { recursive: true })
  await change(at)
  await expect(imported(at)).rejects.toThrow(sentence)
  expect(await rowsThere('select from projects where id = $1', [project.id])).toEqual([])
})

it('nobody pays for a refund that cannot be recorded here any more', async () => {
  const payments = async () => (await here.app.pool.query('select from payments')).rowCount
  const before = await payments()
  const body = JSON.stringify({ original_receipt_id: of.kept })
  const headers = { 'Content-Type': 'application/json' }
  const { answer } = await buy('/v1/x402/premium/refund', { method: 'POST', headers, body })
  expect([answer.status, (await answer.json()).detail]).toEqual([503, 'project_moving'])
  expect(await payments()).toBe(before)
  for (const last of [['--moved-to', 'https://quittance.test'], ['--undo']]) {
    const { code, err } = await runCommand(['export-project', victim.id, ...last], { DATABASE_URL: here.databaseUrl })
    expect([code, err]).toEqual([0, ''])
  }
})

it('the archive itself is added, and what was open goes on', async () => {
  // The name under which a wallet’s statement of a day is found.
  const once = onceOf('wallet', `0x${'ab'.repeat(20)}`, '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z')
  await rewrite(archive, 'statements', first({ once }))
  const done = await runCommand(['import-project', archive], { DATABASE_URL: thereUrl })
  expect([done.code, done.err.replaceAll(/.*rows and files.*\n/g, '')]).toEqual([0, ''])
  expect(await rowsThere('select from statements where once = $1', [once])).toEqual([])
  expect(
    await rowsThere('select p.address from receipts r join wallet_proofs p on p.id = r.receiver_proof_id'),
  ).toEqual([{ address: shop.address.toLowerCase() }])
  // This installation does not vouch for what a contract told the other one: the wallet is verified again.
  const links = await rowsThere(
    `select w.address, p.method::text from linked_wallets w left join wallet_proofs p on p.id = w.proof_id where w.project_id = $1`,
    [project.id],
  )
  expect(Object.fromEntries(links.map(({ address, method }) => [address, method]))).toEqual({
    [shop.address.toLowerCase()]: 'eip191',
    [till.address.toLowerCase()]: 'eip191',
    [vault.toLowerCase()]: null,
  })
  // The organisation here is as before.
  expect(await rowsThere('select config from organisation_configs order by version desc limit 1')).toEqual([
    { config: {} },
  ])

  const there = await startService({
    DATABASE_URL: thereUrl,
    ...publicUrl,
    LOG_LEVEL: 'silent',
    ANCHOR_CHAIN: here.app.chains[0].caip2 ?? '',
    ANCHOR_RPC_URL: here.localChain ?? '',
    ANCHOR_CONTRACT: here.app.chains[0].contract,
    ANCHOR_PRIVATE_KEY: account(3).privateKey,
    X402_NETWORK: here.app.facilitator?.network ?? '',
    X402_RPC_URL: here.localChain ?? '',
    X402_ASSET: here.app.facilitator?.asset ?? '',
    X402_PAY_TO: here.app.paymentsTo,
    X402_FACILITATOR_PRIVATE_KEY: account(4).privateKey,
    X402_CONFIRMATIONS: '1',
  })
  try {
    const files = [of.kept, of.erased, of.tenant].map(owner => there.api.call('GET', `/files/${owner}/evidence.zip`))
    expect((await Promise.all(files)).map(({ status }) => status)).toEqual([200, 410, 200])
    expect(await rowsThere('select state from anchors where receipt_id = $1', [of.tenant])).toEqual([
      { state: 'external' },
    ])
    expect(await rowsThere('select status from payments where project_id = $1', [project.id])).toEqual([
      { status: 'settled' },
    ])
    // Its payer sends the same request again, and gets what was paid for.
    const sentAgain = await fetch(owed.url.replace(here.base, there.base), { headers: owed.headers })
    expect([sentAgain.status, (await sentAgain.json()).xml]).toEqual([200, expect.stringContaining(of.kept)])
    const listed = await runCommand(['erasures'], { DATABASE_URL: thereUrl })
    expect(listed.out.trim()).toBe(of.erased)
    const list = join(folder, 'list')
    await writeFile(list, listed.out)
    const again = await runCommand(['erasures', '--again', list], { DATABASE_URL: thereUrl })
    expect([again.code, again.err]).toEqual([0, ''])
    const audited = await runCommand(['audit'], { DATABASE_URL: thereUrl })
    expect([audited.code, audited.out]).toEqual([0, expect.stringContaining(`ok     ${project.id}`)])
  } finally {
    await there.stop()
  }
})
