// Creates a project with its first project_admin key, in one transaction.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { text } from '../../core/text.ts'
import { type VerbTransaction, verb } from '../../kit/verb.ts'
import { addKey } from './manage.ts'

const createProjectInput = z.strictObject({ name: text().describe('Name of the project.') })

/** Errors: `unauthenticated`, `forbidden`, `validation_failed`. */
export const createProject = verb({
  name: 'project.create',
  access: 'admin',
  input: createProjectInput,
  run: (tx, { name }) => addProject(tx, { name, ownerWallet: null }),
})

/** Creates a project with its first key; also for a project that a wallet registers. */
export async function addProject(
  tx: VerbTransaction,
  { name, ownerWallet }: { name: string; ownerWallet: string | null },
) {
  const project = await tx.db.project.create({ data: { id: randomUUID(), name, ownerWallet } })
  const first = { projectId: project.id, label: 'first key', role: 'project_admin' as const, expiresAt: null }
  const { result, entry } = await addKey(tx, first)
  const { key, ...apiKey } = result
  const created = { objectType: 'project', objectId: project.id, projectId: project.id, details: { name } }
  return { result: { project, apiKey, key }, audit: [created, { ...entry, action: 'api_key.create' }] }
}
