// Starts the comparison of a wallet's transfers with the project's receipts, which the worker carries out.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { AppError, type Issue, invalid } from '../../core/errors.ts'
import { addressKey, chainBefore, chainKey } from '../../core/identity.ts'
import { assetNamed } from '../../core/known-assets.ts'
import { timestamp } from '../../core/moment.ts'
import { ownProject } from '../../core/principal.ts'
import { chainText, text } from '../../core/text.ts'
import type { Context } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { verb } from '../../kit/verb.ts'
import { presentConfiguration } from '../settings/read.ts'
import { longestDays, mostDays, mostKept } from './bounds.ts'

const day = 86_400_000

const startWalletCoverageInput = z.strictObject({
  wallet: chainText().describe('The wallet: an account of an EVM chain. It need not be linked to the project.'),
  chain: text().describe('The chain, by any of its names or its CAIP-2 id. This service must have nodes of it.'),
  currency: text().describe('Asset label of a token, which the service or the configuration knows on the chain.'),
  since: timestamp.describe('Transfers in blocks from this time on.'),
  until: timestamp
    .nullish()
    .describe(
      `Transfers in blocks up to this time, at most ${mostDays} days after \`since\`; the present unless given.`,
    ),
})

const of = (member: string, message: string): Issue => ({ path: ['input', member], message, type: 'value_error' })

/** Returns the asset, and all labels of the project's receipts that mean it. Throws `validation_failed`. */
async function assetFor(
  context: Context,
  projectId: string,
  { wallet: written, chain: name, currency }: { wallet: string; chain: string; currency: string },
) {
  const { chainAliases, paymentChains, knownAssets } = context
  const key = chainKey(name, chainAliases)
  if (!paymentChains.has(key)) throw invalid([of('chain', 'This service has no nodes of the chain.')])
  const wallet = addressKey(written)
  const other = chainBefore(written)
  if (!/^0x[0-9a-f]{40}$/.test(wallet) || (other !== null && chainKey(other, chainAliases) !== key))
    throw invalid([of('wallet', 'Must be an account of the chain: 0x followed by 40 hex digits.')])
  const sql = sqlOf(context.pool)
  const { assets } = (await presentConfiguration(context, sql, projectId)).checks
  const meant = (label: string) => assetNamed(label, key, knownAssets, assets)
  const asset = meant(currency)
  if (asset === null) throw invalid([of('currency', 'No configuration says which asset of the chain the label means.')])
  if (asset.contract === null)
    throw invalid([
      of('currency', 'Only tokens can be compared: a chain has no log of the transfers of its own currency.'),
    ])
  const used = await sql<{ label: string }>(
    'select distinct currency as label from receipt_counts where project_id = $1::uuid and chain_key = $2',
    [projectId, key],
  )
  const labels = used.flatMap(({ label }) => (meant(label)?.id === asset.id ? [label] : []))
  return { wallet, chainKey: key, assetId: asset.id, decimals: asset.decimals, labels }
}

/** Errors: `project_key_required`, `conflict` while one of the project runs, `validation_failed`. */
export const startWalletCoverage = verb({
  name: 'wallet_coverage.start',
  access: 'read',
  input: startWalletCoverageInput,
  async prepare({ since, until: end, ...named }, context) {
    const projectId = ownProject(context.principal, 'A comparison')
    const until = end ?? new Date()
    if (until.getTime() > Date.now()) throw invalid([of('until', 'Must not be in the future.')])
    if (since >= until) throw invalid([of('since', 'Must be before `until`.')])
    if (until.getTime() - since.getTime() > mostDays * day)
      throw invalid([of('since', `Must be at most ${mostDays} days before \`until\`.`)])
    return { projectId, until, ...(await assetFor(context, projectId, named)) }
  },
  async run(tx, { chain, currency, since }, _context, { projectId, until, ...asset }) {
    // Locks the project, so that two concurrent calls cannot both see that none runs.
    await tx.sql('select id from projects where id = $1::uuid for no key update', [projectId])
    const running = await tx.db.walletCoverage.count({ where: { projectId, finishedAt: null, failedAt: null } })
    if (running > 0) throw new AppError('conflict', 'A comparison of the project runs. Wait until it is finished.')
    await tx.sql(
      `delete from wallet_coverages where id in (
         select id from wallet_coverages where project_id = $1::uuid order by created_at desc, id desc offset $2::int
       )`,
      [projectId, mostKept - 1],
    )
    const id = randomUUID()
    // By the clock of the database, as receipts have it, which rounds to milliseconds.
    const [{ now } = { now: new Date() }] = await tx.sql<{ now: Date }>(
      `select now() + interval '1 millisecond' as now`,
    )
    const expiresAt = new Date(Date.now() + longestDays * day)
    const result = await tx.db.walletCoverage.create({
      data: { id, projectId, createdAt: now, chain, currency, since, until, ...asset, expiresAt },
    })
    tx.job(jobs.coverWallet({ coverage: id }))
    const details = { wallet: asset.wallet, chain, currency, since, until }
    return { result, audit: [{ objectType: 'wallet_coverage', objectId: id, projectId, details }] }
  },
})
