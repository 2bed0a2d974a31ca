// Checks the rows of an archive, which are in temporary tables, before they are inserted: each belongs to the project,
// and none reaches for rows that are here already.
import type pg from 'pg'
import { type Claim, checkProof } from '../control/check.ts'
import { oncesOf, type Stated } from '../statements/made.ts'
import { ArchiveError } from './archive-files.ts'
import type { Manifest } from './manifest.ts'
import { moved } from './tables.ts'

/** Throws ArchiveError. */
export async function checkRows(db: pg.ClientBase, { project, eventHorizon }: Manifest): Promise<void> {
  await demandNone(db, 'projects', 'row.id <> $1::uuid', 'has another project', [project.id])
  for (const { table, column, to, key } of await references(db))
    await demandNone(
      db,
      table,
      `row.${column} is not null and not exists (select from import_${to} t where t.${key} = row.${column})`,
      `refers to a row of ${to} that the archive does not have`,
    )
  // No foreign key leads from an event to a payment that was never sent, or to a refund.
  await demandNone(
    db,
    'events',
    `exists (select from payments p where p.id = row.payment_id) or exists (select from receipts r where r.id = row.refund_id)`,
    'refers to a row of another project',
  )
  await demandNone(
    db,
    'anchor_transactions',
    `row.project_id is null and (row.state = 'signed' or not exists (select from import_anchors a where a.transaction_id = row.id))`,
    'has a transaction that is not of the project, or that is not mined',
  )
  // Bytes here are another project's, and what is erased with one would be erased with both.
  await demandNone(
    db,
    'artifacts',
    'exists (select from blobs b where b.sha256 = row.sha256)',
    'has a file that is here already',
  )
  await checkSettlements(db)
  await checkProofs(db)
  for (const table of ['events', 'webhook_deliveries', 'audit_events'])
    await demandNone(db, table, `row.id > ${latest}`, 'has a number of the future')
  const { rows } = await db.query<{ isFuture: boolean }>(`select $1::bigint > ${latest} as "isFuture"`, [eventHorizon])
  if (rows[0]?.isFuture) throw new ArchiveError('The archive deleted events of the future.')
  await dropOnces(db, project.id)
}

// Numbers are made of the time, and the clock of the other database may be ahead.
const latest = '(number_of_now(255) + 100000::bigint * 256 * 900)'

/** Throws ArchiveError if a row of the archive meets the condition. */
async function demandNone(
  db: pg.ClientBase,
  table: string,
  condition: string,
  fault: string,
  values: unknown[] = [],
): Promise<void> {
  const { rowCount } = await db.query(`select from import_${table} as row where ${condition} limit 1`, values)
  if (rowCount !== 0) throw new ArchiveError(`tables/${table}.jsonl ${fault}.`)
}

type Reference = { table: string; column: string; to: string; key: string }

/** Returns the foreign keys between the moved tables. Of files, the archive has rows only where they are erased. */
async function references(db: pg.ClientBase): Promise<Reference[]> {
  const { rows } = await db.query<Reference>(
    `select c.conrelid::regclass::text as table, a.attname as column, c.confrelid::regclass::text as to, k.attname as key
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
       join pg_attribute k on k.attrelid = c.confrelid and k.attnum = c.confkey[1]
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace
       and c.conrelid::regclass::text = any($1) and c.confrelid::regclass::text = any($1) and c.confrelid <> 'blobs'::regclass`,
    [moved.map(({ table }) => table)],
  )
  return rows
}

/** Throws ArchiveError for the check of a payment that says more than what is sealed of it. */
async function checkSettlements(db: pg.ClientBase): Promise<void> {
  const sealed = 'coalesce(row.later, row.document)'
  await demandNone(
    db,
    'settlements',
    `row.status = 'confirmed' and ${sealed} ->> 'status' is distinct from 'confirmed'
     or row.grade = 'proved' and ${sealed} ->> 'grade' is distinct from 'proved'`,
    'confirms a payment that its sealed check does not confirm',
  )
  await demandNone(
    db,
    'receipts',
    `row.settlement_status is not null and not exists (
       select from import_settlements s where s.receipt_id = row.id and s.status = row.settlement_status)`,
    'has a receipt with another result than the check of its payment',
  )
}

type Proof = Claim & { id: string; kind: string }

/** Throws ArchiveError for a proof that its own signature contradicts, or that is about another wallet or project. */
async function checkProofs(db: pg.ClientBase): Promise<void> {
  const other = (table: string, wallet: string, proof: string) =>
    demandNone(
      db,
      table,
      `exists (select from import_wallet_proofs p where p.id = row.${proof} and p.address <> row.${wallet})`,
      'has the proof of another wallet',
    )
  await other('linked_wallets', 'address', 'proof_id')
  await other('receipts', 'receiver_key', 'receiver_proof_id')
  // Its nonce was good for one link.
  await demandNone(
    db,
    'wallet_proofs',
    `exists (select from wallet_proofs p where p.address = row.address and p.message = row.message and p.project_id <> row.project_id)
     or exists (select from import_wallet_proofs p where p.message = row.message and p.id <> row.id)`,
    'has a signature that another link has',
  )
  const { rows } = await db.query<Proof>(
    `select id, kind::text, address, message, signature, method::text, network, created_at as "linkedAt" from import_wallet_proofs`,
  )
  for (const { id, kind, ...claim } of rows) {
    const finding = checkProof(claim)
    const fault = 'fault' in finding ? finding.fault : finding.kind === kind ? null : 'It is of another kind.'
    if (fault !== null)
      throw new ArchiveError(`tables/wallet_proofs.jsonl has a proof that does not hold, ${id}: ${fault}`)
  }
  // This installation does not vouch for what a contract told another one: the wallet is verified again.
  await db.query(
    `update import_linked_wallets w set proof_id = null from import_wallet_proofs p where p.id = w.proof_id and p.method <> 'eip191'`,
  )
}

type Once = Stated & { id: string; once: string }

/** Takes the names away by which a statement would be given to those who ask for another project's or a wallet's. */
async function dropOnces(db: pg.ClientBase, projectId: string): Promise<void> {
  const { rows } = await db.query<Once>(
    `select s.id, s.once, s."from", s."to", s.day, a.id as "accountId", a.wallet_key as "walletKey", a.chain_key as "chainKey", a.currency
     from import_statements s left join import_statement_accounts a on a.id = s.account_id where s.once is not null`,
  )
  const wrong = rows.filter(({ once, ...statement }) => !oncesOf(projectId, statement).includes(once))
  await db.query('update import_statements set once = null where id = any($1)', [wrong.map(({ id }) => id)])
}
