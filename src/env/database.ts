// The settings of the database.
import { z } from 'zod'
import { readPostgresUrl } from '../core/postgres-url.ts'
import { secretUrl } from './secret.ts'
import { list, orNull } from './values.ts'

/** The URL of one server, or of several of which one takes writes. */
const postgresUrl = z.string().transform((text, { addIssue }) => {
  const read = readPostgresUrl(text)
  if (typeof read === 'string') addIssue(read)
  return text
})

/** A balancer or a list of servers would answer for several standbys, which differ in what they have replayed. */
const standbyUrl = z.string().transform((text, { addIssue }) => {
  const read = readPostgresUrl(text)
  if (typeof read === 'string') addIssue(read)
  else if (read.writes) addIssue('must name standbys, which take no writes: leave target_session_attrs out')
  return text
})

const poolerUrl = z.string().transform((text, { addIssue }) => {
  const read = readPostgresUrl(text)
  if (typeof read === 'string') addIssue(read)
  else if (read.writes) addIssue('must name one pooler: it looks for the server that takes writes itself')
  return text
})

export const databaseVariables = {
  /** Null: the embedded PostgreSQL. */
  DATABASE_URL: secretUrl(orNull(postgresUrl)),
  /** The role that owns the tables, for `quittance migrate` alone. Null: that of `DATABASE_URL`. */
  MIGRATION_DATABASE_URL: secretUrl(orNull(postgresUrl)),
  /** A pooler of transactions for requests, before the database of `DATABASE_URL`. Null: none. */
  DATABASE_POOLER_URL: secretUrl(orNull(poolerUrl)),
  /** Hot standbys, which answer reads in turn. Null: the server of `DATABASE_URL` answers all. */
  DATABASE_READ_URLS: secretUrl(orNull(list.pipe(z.array(standbyUrl).min(1)))),
}
