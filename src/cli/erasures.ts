// `quittance erasures`: lists the receipts that were erased, and erases them again after a restored backup brought them
// back.
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { z } from 'zod'
import { isSealed } from '../kit/moving.ts'
import { inTransaction, sqlOf } from '../kit/transaction.ts'
import { erase } from '../modules/erasure/erase.ts'
import { answersNaming } from '../modules/erasure/erase-answers.ts'
import { CommandError, command, readArguments, UsageError } from './command.ts'
import { withDatabase } from './project-archive.ts'

const usage = `usage: quittance erasures [--again FILE]

Prints the ids of all erased receipts, one a line. Keep the list outside the database, where backups do not take it
back. --again erases the receipts that such a list names, with the statements of their wallets over all projects and the
exports of administrators: run it after a backup was restored, before users return, and where a project was moved away.
Receipts that the backup does not have, or that are not anchored yet, are named; repeat the command for the latter.
Exit code: 0 when done, 1 when some could not be erased, 2 for wrong usage.`

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    const { values } = readArguments(args, { again: { type: 'string' } }, z.object({ again: z.string().optional() }))
    const ids = values.again === undefined ? null : await idsIn(values.again)
    return withDatabase(({ pool }) => (ids === null ? list(pool) : again(pool, ids)))
  })

async function idsIn(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(error => {
    throw new UsageError(`${path} cannot be read: ${error.message}`)
  })
  const ids = text.split('\n').flatMap(line => line.trim() || [])
  const wrong = ids.find(id => !z.guid().safeParse(id).success)
  if (wrong !== undefined) throw new UsageError(`${wrong} is no id of a receipt.`)
  return ids
}

async function list(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from receipts where erased_at is not null order by erased_at, id',
  )
  for (const { id } of rows) console.log(id)
  return 0
}

async function again(pool: pg.Pool, ids: string[]): Promise<number> {
  let failures = 0
  for (const id of ids) {
    try {
      const answers = await answersNaming(sqlOf(pool), id, 'installation')
      await inTransaction({ pool }, async tx => {
        const [receipt] = await tx.sql<{ projectId: string; isSealed: boolean }>(
          `select project_id as "projectId", ${isSealed('project_id')} as "isSealed" from receipts where id = $1::uuid`,
          [id],
        )
        if (receipt === undefined) throw new CommandError('is not in this database')
        const details = await erase(tx, id, 'installation', answers)
        // The trail of a project that was moved goes on in the other installation, and the rows that stayed are erased.
        if (receipt.isSealed) return
        const object = { objectType: 'receipt', objectId: id, projectId: receipt.projectId }
        tx.audit({ action: 'receipt.erase', ...object, actor: 'operator', details })
      })
    } catch (error) {
      failures += 1
      console.error(`${id}: ${error instanceof Error ? error.message : error}`)
    }
  }
  console.log(`Erased again: ${ids.length - failures}.`)
  return failures === 0 ? 0 : 1
}
