// The nonces that wallets sign: given out once, alive for ten minutes, gone with their first use.
import { randomUUID } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import type { Sql } from '../../kit/transaction.ts'

export const nonceLifeMs = 10 * 60_000

// The database's clock decides, which all processes share.
const alive = `created_at > now() - interval '${nonceLifeMs} milliseconds'`

const refused = () =>
  new AppError('invalid_signature', 'The nonce is unknown, was used already, or is older than ten minutes.')

/** A new nonce: a UUID as 32 hex digits, because EIP-4361 allows letters and digits only. */
export async function giveNonce({ pool }: Pick<App, 'pool'>): Promise<string> {
  const nonce = randomUUID().replaceAll('-', '')
  await pool.query('insert into sign_in_nonces (nonce) values ($1)', [nonce])
  return nonce
}

/** Before any work is done for its signature. Errors: `invalid_signature`. */
export async function demandNonce({ pool }: Pick<App, 'pool'>, nonce: string): Promise<void> {
  const { rowCount } = await pool.query(`select from sign_in_nonces where nonce = $1 and ${alive}`, [nonce])
  if (rowCount !== 1) throw refused()
}

/**
 * Uses it up in the transaction of what it was signed for: of any number at once one succeeds, and a transaction that
 * fails leaves it as it was. Errors: `invalid_signature`.
 */
export async function useNonce(sql: Sql, nonce: string): Promise<void> {
  const used = await sql(`delete from sign_in_nonces where nonce = $1 and ${alive} returning nonce`, [nonce])
  if (used.length !== 1) throw refused()
}

/** Removes those that nobody can use any more. */
export async function cleanNonces(sql: Sql): Promise<void> {
  await sql(`delete from sign_in_nonces where not (${alive})`)
}
