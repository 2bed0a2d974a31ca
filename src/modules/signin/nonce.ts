// Sign-in nonces for wallets to sign: issued once, valid for ten minutes, deleted at their first use.
import { randomUUID } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import type { Sql } from '../../kit/transaction.ts'

export const nonceLifeMs = 10 * 60_000

// Evaluated by the database's clock, because all processes share it.
const alive = `created_at > now() - interval '${nonceLifeMs} milliseconds'`

const refused = () =>
  new AppError('invalid_signature', 'The nonce is unknown, was used already, or is older than ten minutes.')

/** Issues a nonce: a UUID as 32 hex digits, because EIP-4361 allows letters and digits only. */
export async function giveNonce({ pool }: Pick<App, 'pool'>): Promise<string> {
  const nonce = randomUUID().replaceAll('-', '')
  await pool.query('insert into sign_in_nonces (nonce) values ($1)', [nonce])
  return nonce
}

/** Throws `invalid_signature` unless the nonce is valid. Called before the signature is checked, which costs more. */
export async function demandNonce({ pool }: Pick<App, 'pool'>, nonce: string): Promise<void> {
  const { rowCount } = await pool.query(`select from sign_in_nonces where nonce = $1 and ${alive}`, [nonce])
  if (rowCount !== 1) throw refused()
}

/**
 * Deletes the nonce in the transaction of the operation that it was signed for: of concurrent uses one succeeds, and a
 * failed transaction leaves the nonce valid. Errors: `invalid_signature`.
 */
export async function useNonce(sql: Sql, nonce: string): Promise<void> {
  const used = await sql(`delete from sign_in_nonces where nonce = $1 and ${alive} returning nonce`, [nonce])
  if (used.length !== 1) throw refused()
}

/** Deletes expired nonces. */
export async function cleanNonces(sql: Sql): Promise<void> {
  await sql(`delete from sign_in_nonces where not (${alive})`)
}
