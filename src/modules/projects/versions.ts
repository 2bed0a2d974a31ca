// The versions of a project's configuration, written one after the other.
import { notFound } from '../../core/errors.ts'
import type { VerbTransaction } from '../../kit/verb.ts'
import type { ProjectConfig } from './config.ts'

/** Locks the project for the transaction and returns its current version; null before the first. Throws `not_found`. */
export async function lockedConfig({ db, sql }: VerbTransaction, projectId: string) {
  const locked = await sql('select id from projects where id = $1::uuid for no key update', [projectId])
  if (locked.length === 0) throw notFound('project')
  const { config } = await db.project.findUniqueOrThrow({ where: { id: projectId }, select: { config: true } })
  return config
}

/** Stores a version, which is in force from now on. */
export async function addVersion(
  { db }: VerbTransaction,
  projectId: string,
  change: { config: ProjectConfig; isHouse: boolean; actor: string },
): Promise<void> {
  const { version } = await db.projectConfig.create({ data: { projectId, ...change } })
  await db.project.update({ where: { id: projectId }, data: { configVersion: version } })
}
