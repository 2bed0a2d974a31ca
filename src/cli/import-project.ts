// `quittance import-project`: adds a project from an archive to the database, and verifies it.
import { z } from 'zod'
import { ArchiveError } from '../modules/moves/archive-files.ts'
import { importArchive, readManifest } from '../modules/moves/read-archive.ts'
import { CommandError, command, readArguments } from './command.ts'
import { withProgress } from './progress.ts'
import { counting, withDatabase } from './project-archive.ts'

const usage = `usage: quittance import-project <folder>

Adds the project that export-project --move wrote into the folder to the database that DATABASE_URL names, in one
transaction: whatever fails, nothing of it is there. Files go where new files are stored (S3_… or the database). In the
same transaction the rows are counted, the audit chain is recomputed, and each bundle is verified, without the chain.
Exit code: 0 when the project is there, 1 when it could not be imported, 2 for wrong usage.`

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    const { positionals } = readArguments(args, {}, z.object({}), ['folder'])
    const [folder = ''] = positionals
    return withDatabase(async ({ pool, blobStore }) => {
      const db = await pool.connect()
      try {
        const { project, tables, files } = await readManifest(folder)
        const total = Object.values(tables).reduce((sum, { rows }) => sum + rows, files.count)
        const { bundles, keys } = await withProgress('rows and files', total, progress =>
          importArchive({ db, blobStore }, folder, counting(progress)),
        )
        console.log(`The project ${project.id} (${project.name}) is here, with ${bundles} bundles that verify.`)
        for (const key of keys) console.log(`This installation publishes the key ${key} now, which signed them.`)
        return 0
      } catch (error) {
        if (error instanceof ArchiveError) throw new CommandError(error.message)
        throw error
      } finally {
        db.release(true)
      }
    })
  })
