// Anchors hashes that an agent requests, and configures whether the worker records, and so anchors, the payments of an
// agent's wallet.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { chainText, hash32, uuid } from '../../core/text.ts'
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { type VerbTransaction, verb } from '../../kit/verb.ts'
import { anchoringOf } from '../evidence/anchoring-of.ts'
import { configOf } from '../projects/config.ts'
import { presentOrganisation } from '../settings/read.ts'
import { lockedAgent, nothingToChange } from './manage.ts'

const flag = z.boolean().meta({ graphql: 'Boolean' }).optional()

const configureAgentAnchoringInput = z.strictObject({
  id: uuid.describe('The agent’s UUID.'),
  autoAnchorEnabled: flag.describe(
    'Whether every payment of the agent’s wallet in its project, also an earlier one, is recorded as a receipt and anchored.',
  ),
  anchorOnPayment: flag.describe(
    'Whether payments of the agent’s wallet that are settled from now on are recorded as receipts and anchored.',
  ),
  anchorWalletAddress: chainText()
    .nullish()
    .describe(
      'The wallet that sends the agent’s own anchor transactions; they are listed with the agent’s anchors; null: none.',
    ),
})

/** Members that are absent stay as they are. Errors: `not_found`, `validation_failed`. */
export const configureAgentAnchoring = verb({
  name: 'agent.configure_anchoring',
  access: 'write',
  input: configureAgentAnchoringInput,
  async run(tx, { id, autoAnchorEnabled, anchorOnPayment, anchorWalletAddress }, { principal }) {
    const agent = await lockedAgent(tx, id, principal)
    if ([autoAnchorEnabled, anchorOnPayment, anchorWalletAddress].every(value => value === undefined))
      throw nothingToChange()
    const since = anchorOnPayment ? (agent.anchorPaymentsSince ?? new Date()) : null
    const details = {
      ...(autoAnchorEnabled !== undefined && { auto_anchor_enabled: autoAnchorEnabled }),
      ...(anchorOnPayment !== undefined && { anchor_on_payment: anchorOnPayment }),
      ...(anchorWalletAddress !== undefined && { anchor_wallet: anchorWalletAddress }),
    }
    const result = await tx.db.agent.update({
      where: { id },
      data: {
        ...(autoAnchorEnabled !== undefined && { autoAnchorEnabled }),
        ...(anchorOnPayment !== undefined && { anchorPaymentsSince: since }),
        ...(anchorWalletAddress !== undefined && { anchorWallet: anchorWalletAddress }),
      },
    })
    return { result, audit: [{ objectType: 'agent', objectId: id, projectId: agent.projectId, details }] }
  },
})

const anchorForAgentInput = z.strictObject({
  agentId: uuid.describe('The agent’s UUID.'),
  bundleHash: hash32.describe('The SHA-256 to anchor, 0x-prefixed.'),
  receiptId: uuid.nullish().describe('The receipt whose bundle has this hash; its own anchor is then returned.'),
})

/**
 * Anchors a hash in the next transaction on the first of the project's chains. For one agent the same hash is anchored
 * once. Errors: `not_found`, `conflict`.
 */
export const anchorForAgent = verb({
  name: 'agent.anchor',
  access: 'write',
  input: anchorForAgentInput,
  async run(tx, { agentId, bundleHash, receiptId }, context) {
    const { principal } = context
    const { projectId } = await lockedAgent(tx, agentId, principal)
    if (receiptId) {
      return { result: await anchorOfReceipt(tx, projectId, receiptId, bundleHash), audit: 'unchanged' }
    }
    const chain = await chainOf(tx, projectId, context)
    const earlier = await tx.db.anchor.findFirst({ where: { agentId, chain, bundleHash } })
    if (earlier !== null) return { result: earlier, audit: 'unchanged' }
    tx.job(jobs.anchor({ chain }))
    const anchor = await tx.db.anchor.create({ data: { id: randomUUID(), agentId, chain, bundleHash } })
    const unanchored = { bundleHash, txid: null, anchoredAt: null }
    tx.event({ type: 'agent.anchor_requested', projectId, anchorId: anchor.id, anchor: unanchored })
    const details = { chain, bundle_hash: bundleHash }
    return { result: anchor, audit: [{ objectType: 'agent', objectId: agentId, projectId, details }] }
  },
})

/** Returns the receipt's own anchor: its bundle is anchored already, or will be. Throws `not_found` and `conflict`. */
async function anchorOfReceipt({ db }: VerbTransaction, projectId: string, receiptId: string, bundleHash: string) {
  const receipt = await db.receipt.findFirst({
    where: { id: receiptId, projectId },
    select: { bundleHash: true, anchors: { orderBy: { chain: 'asc' }, take: 1 } },
  })
  if (receipt === null) throw notFound('receipt')
  const [anchor] = receipt.anchors
  if (receipt.bundleHash !== bundleHash || anchor === undefined) {
    throw new AppError('conflict', 'The hash is not the present bundle hash of this receipt.')
  }
  return anchor
}

/** Returns the first of the project's chains. Throws `conflict` if the project sends its anchors itself. */
async function chainOf({ db, sql }: VerbTransaction, projectId: string, app: App): Promise<string> {
  const project = await db.project.findUniqueOrThrow({ where: { id: projectId }, select: { config: true } })
  const organisation = await presentOrganisation(app, sql)
  const { isTenant, chains } = anchoringOf(app, configOf(project.config), organisation)
  if (isTenant) throw new AppError('conflict', 'In tenant mode the project sends its anchors itself.')
  const [chain = app.chains[0].name] = chains
  return chain
}
