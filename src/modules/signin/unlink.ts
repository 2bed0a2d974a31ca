// Unlinks a wallet from the caller's project.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { ownProject } from '../../core/principal.ts'
import { evmAddress } from '../../core/text.ts'
import { verb } from '../../kit/verb.ts'
import { endLink } from './link.ts'

const unlinkWalletInput = z.strictObject({ address: evmAddress.describe('The wallet.') })

/** Errors: `forbidden`, `not_found`, `conflict` for the wallet that owns the project, `validation_failed`. */
export const unlinkWallet = verb({
  name: 'wallet.unlink',
  access: 'manage',
  input: unlinkWalletInput,
  async run(tx, { address }, { principal }) {
    const projectId = ownProject(principal, 'A linked wallet')
    const owned = await tx.db.project.count({ where: { id: projectId, ownerWallet: address } })
    if (owned > 0) throw new AppError('conflict', 'The wallet that owns the project cannot be unlinked.')
    if (!(await endLink(tx.sql, projectId, address))) throw notFound('linked wallet')
    return { result: { address }, audit: [{ objectType: 'wallet', objectId: address, projectId }] }
  },
})
