// The project that a wallet owns.
import { invalid, notFound } from '../../core/errors.ts'
import type { VerbTransaction } from '../../kit/verb.ts'

/** Returns the wallet's project. Throws `not_found` alike for another owner's project and for a missing project. */
export async function ownedProject(tx: VerbTransaction, address: string, requested: string | null): Promise<string> {
  const where = { ownerWallet: address, ...(requested !== null && { id: requested }) }
  const [project, another] = await tx.db.project.findMany({ where, select: { id: true }, take: 2 })
  if (project === undefined) throw notFound('project of this wallet')
  if (another === undefined) return project.id
  const message = 'Field required: the wallet owns several projects'
  throw invalid([{ path: ['input', 'projectId'], message, type: 'missing' }])
}
