// The settings of the database.
import { z } from 'zod'
import { readPostgresUrl } from '../core/postgres-url.ts'
import { secretUrl } from './secret.ts'
import { orNull } from './values.ts'

/** The URL of one server, or of several of which one takes writes. */
const postgresUrl = z.string().transform((text, { addIssue }) => {
  const read = readPostgresUrl(text)
  if (typeof read === 'string') addIssue(read)
  return text
})

export const databaseVariables = {
  /** Null: the embedded PostgreSQL. */
  DATABASE_URL: secretUrl(orNull(postgresUrl)),
  /** The role that owns the tables, for `quittance migrate` alone. Null: that of `DATABASE_URL`. */
  MIGRATION_DATABASE_URL: secretUrl(orNull(postgresUrl)),
}
