// `quittance export-project`: writes a project with all its evidence into a folder; with --move it stops working here.
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { z } from 'zod'
import { endMove, openWork, readMove, seal, startMove, tellLocation } from '../modules/moves/freeze.ts'
import { writeArchive } from '../modules/moves/write-archive.ts'
import { CommandError, command, httpUrl, readArguments, UsageError } from './command.ts'
import { withProgress } from './progress.ts'
import { counting, withDatabase } from './project-archive.ts'

const usage = `usage: quittance export-project <project id> <folder> [--move]
       quittance export-project <project id> --moved-to URL
       quittance export-project <project id> --undo

  --move      first end the project's work here: callers' writes are refused, what is in progress is finished, and then
              nothing is written any more, so that import-project can add the project to another installation
  --moved-to  after that: the base URL of the other installation, which refused writers are told
  --undo      let the project work here again, where it was imported nowhere

Reads DATABASE_URL and the settings S3_… as a start does. Without --move the folder is a copy for reading, and the
project goes on working. The folder holds personal data, and everything but the operator's keys. A command that was cut
short may be repeated; workers must run until the project has ended its work.
Exit code: 0 when done, 1 when it could not be done, 2 for wrong usage.`

const options = { move: { type: 'boolean' }, undo: { type: 'boolean' }, 'moved-to': { type: 'string' } } as const
const shape = z.object({
  move: z.boolean().default(false),
  undo: z.boolean().default(false),
  'moved-to': httpUrl.optional(),
})

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    const isShort = args.some(arg => arg === '--undo' || arg.startsWith('--moved-to'))
    const names = isShort ? ['project id'] : ['project id', 'folder']
    const { values, positionals } = readArguments(args, options, shape, names)
    const [projectId = '', folder = ''] = positionals
    if (!z.guid().safeParse(projectId).success) throw new UsageError(`${projectId} is no id of a project.`)
    return withDatabase(async ({ pool, blobStore }) => {
      const { rows } = await pool.query('select from projects where id = $1', [projectId])
      if (rows.length === 0) throw new CommandError(`There is no project ${projectId} in this database.`)
      if (values.undo) return undo(pool, projectId)
      if (values['moved-to'] !== undefined) return tell(pool, projectId, values['moved-to'])
      if (values.move) await endWork(pool, projectId)
      const db = await pool.connect()
      try {
        const made = await version()
        const { tables, files, sealedAt } = await withProgress('rows and files', null, progress =>
          writeArchive({ db, blobStore }, projectId, folder, made, counting(progress)),
        )
        const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
        console.log(`${rows} rows and ${files.count} files written to ${folder}.`)
        console.log(sealedAt === null ? 'This is a copy: the project works on.' : 'The project only reads here now.')
        return 0
      } finally {
        db.release()
      }
    })
  })

const version = async (): Promise<string> =>
  JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')).version

const pollMs = 500

async function endWork(pool: pg.Pool, projectId: string): Promise<void> {
  const move = await readMove(pool, projectId)
  if (move?.sealedAt != null) return
  await startMove(pool, projectId)
  let told = ''
  for (;;) {
    const open = await openWork(pool, projectId)
    const rest = open.length === 0 ? await seal(pool, projectId) : open
    if (rest.length === 0) return
    const now = rest.map(([what, count]) => `${count} ${what}`).join(', ')
    if (now !== told) console.error(`Waiting for ${now}.`)
    told = now
    await sleep(pollMs)
  }
}

async function tell(pool: pg.Pool, projectId: string, location: string): Promise<number> {
  if (!(await tellLocation(pool, projectId, location)))
    throw new CommandError('The project works here: export it with --move first.')
  console.log(`Writers are told that the project is at ${location}.`)
  return 0
}

async function undo(pool: pg.Pool, projectId: string): Promise<number> {
  if (!(await endMove(pool, projectId))) throw new CommandError('The project works here already.')
  console.log('The project works here again.')
  return 0
}
