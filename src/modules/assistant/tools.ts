// The tools of the model, which only read. No tool writes or accepts a URL, because receipts contain text of untrusted
// clients, which reaches the model.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { ownProject } from '../../core/principal.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../kit/context.ts'
import { countCost } from '../../kit/field-cost.ts'
import { parse } from '../../kit/parse.ts'
import { readFile } from '../artifacts/read-file.ts'
import { artifactUrl } from '../artifacts/url.ts'
import { decisionOf, inOrder } from '../compliance/report.ts'
import { newestFirst, receiptFilter, receiptQuery, visibleReceipts } from '../receipts/filter.ts'
import { bundleUrl } from '../receipts/urls.ts'
import { verify } from '../verification/verify.ts'
import { anchorsOf, listed, shown } from './shown.ts'

/** Maximum characters of a message that are shown to the model. */
const mostXml = 8_000

/** A tool reads only receipts that match `where`, and reports each of them by calling `see`. */
type Reach = { context: Context; where: Prisma.ReceiptWhereInput; see(id: string): void }
export type Tool = {
  description: string
  /** In the cost units of the rate limits. */
  cost: number
  input: z.ZodObject
  run(reach: Reach, input: unknown): Promise<unknown>
}

const tool = <Shape extends z.ZodRawShape>(definition: {
  description: string
  cost: number
  input: z.ZodObject<Shape>
  run(reach: Reach, input: z.output<z.ZodObject<Shape>>): Promise<unknown>
}): Tool => ({ ...definition, run: (reach, input) => definition.run(reach, parse(definition.input, input)) })

const receiptId = z.guid().describe('UUID of the receipt.')
const byReceipt = z.object({ receipt_id: receiptId })
const words = z.string().max(255)
const when = z.string().max(40)

async function receiptOf({ context, where, see }: Reach, id: string) {
  const receipt = await context.db.receipt.findFirst({
    where: { AND: [where, { id: id.toLowerCase() }] },
    include: { checks: inOrder, anchors: { include: { transaction: true }, orderBy: { chain: 'asc' } } },
  })
  if (receipt === null) throw notFound('receipt')
  see(receipt.id)
  return receipt
}

export const receiptTools: Record<string, Tool> = {
  find_receipts: tool({
    description: 'Finds receipts, newest first: the total number, and the first receipts.',
    cost: countCost + 10,
    input: z.object({
      status: z.enum(['pending', 'awaiting_anchor', 'anchored', 'failed']).optional(),
      chain: words.optional().describe('A name of the chain of the payment, or its CAIP-2 id.'),
      reference: words.optional().describe('A part of the reference.'),
      since: when.optional().describe('A date, or an RFC 3339 timestamp, in UTC.'),
      until: when.optional().describe('A date, or an RFC 3339 timestamp, in UTC.'),
      limit: z.int().min(1).max(20).default(10).describe('How many receipts are shown.'),
    }),
    async run({ context, where, see }, { limit, status, chain, reference, since, until }) {
      const visible = visibleReceipts(context.principal, null)
      const filter = parse(receiptFilter, {
        ...(status && { statuses: [status] }),
        ...(chain && { chains: [chain] }),
        ...(reference && { reference: { contains: reference } }),
        createdAt: { since, until },
      })
      const conditions = { AND: [visible, receiptQuery({ filter }, context).where, where] }
      const [receipts, total] = await Promise.all([
        context.db.receipt.findMany({ where: conditions, orderBy: newestFirst, take: limit }),
        context.db.receipt.count({ where: conditions }),
      ])
      for (const { id } of receipts) see(id)
      return { total, receipts: receipts.map(listed) }
    },
  }),
  get_receipt: tool({
    description: 'Reads one receipt with its hashes and its anchors on chain.',
    cost: 5,
    input: byReceipt,
    async run(reach, { receipt_id }) {
      const receipt = await receiptOf(reach, receipt_id)
      return { ...shown(receipt, reach.context.publicBaseUrl), anchors: anchorsOf(receipt.anchors) }
    },
  }),
  get_compliance_checks: tool({
    description: 'Reads the compliance checks of one receipt and their overall decision.',
    cost: 5,
    input: byReceipt,
    async run(reach, { receipt_id }) {
      const { checks } = await receiptOf(reach, receipt_id)
      const shownChecks = checks.map(({ type, decision, reason, provider, checkedAt }) => ({
        ...{ type, decision, reason, provider },
        checked_at: checkedAt,
      }))
      return { decision: decisionOf(checks), checks: shownChecks }
    },
  }),
  verify_receipt: tool({
    description: 'Verifies the evidence bundle of one receipt against its signature and the chain, now.',
    cost: 50,
    input: byReceipt,
    async run(reach, { receipt_id }) {
      const receipt = await receiptOf(reach, receipt_id)
      const url = bundleUrl(reach.context.publicBaseUrl, receipt.id, receipt)
      if (url === null) throw new AppError('conflict', 'The receipt has no bundle yet.')
      const found = await verify(reach.context, { bundleUrl: url, bundleHash: receipt.bundleHash })
      const { matchesOnchain, bundleHash, ledgerTxid, anchoredAt, errors } = found
      return {
        matches_onchain: matchesOnchain,
        ...{ bundle_hash: bundleHash, ledger_txid: ledgerTxid, anchored_at: anchoredAt, errors },
      }
    },
  }),
}

export const messageTools: Record<string, Tool> = {
  list_messages: tool({
    description: 'Lists the ISO 20022-style messages of one receipt.',
    cost: 5,
    input: byReceipt,
    async run(reach, { receipt_id }) {
      const { id } = await receiptOf(reach, receipt_id)
      const files = await reach.context.db.artifact.findMany({
        where: { receiptId: id, name: { endsWith: '.xml' } },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: 40,
      })
      return files.map(file => ({
        ...{ name: file.name, type: file.type, sha256: file.sha256, created_at: file.createdAt },
        url: artifactUrl(reach.context.publicBaseUrl, file),
      }))
    },
  }),
  read_message: tool({
    description: 'Reads the XML of one message of a receipt, or its beginning.',
    cost: 10,
    input: z.object({
      receipt_id: receiptId,
      name: z
        .string()
        .regex(/^[a-z0-9-]{1,60}\.xml$/)
        .describe('Name of the message, from list_messages.'),
    }),
    async run(reach, { receipt_id, name }) {
      const { id } = await receiptOf(reach, receipt_id)
      const file = await readFile(reach.context, id, name)
      if (file === null) throw notFound('message')
      return { name, xml: file.content.toString('utf8').slice(0, mostXml) }
    },
  }),
}

export const statementTools: Record<string, Tool> = {
  list_statements: tool({
    description: 'Lists the newest statements of the project, with the number of entries of each.',
    cost: 10,
    input: z.object({}),
    async run({ context }) {
      const statements = await context.db.statement.findMany({
        where: { projectId: ownProject(context.principal) },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        include: { artifacts: { orderBy: { name: 'asc' }, take: 1 } },
        take: 20,
      })
      return statements.map(({ artifacts, ...statement }) => ({
        ...{ id: statement.id, type: statement.type, kind: statement.kind, number: statement.number },
        ...{ date: statement.day, window: statement.window, time_zone: statement.timeZone },
        count: statement.count,
        url: artifacts.map(page => artifactUrl(context.publicBaseUrl, page)).join(),
      }))
    },
  }),
}

/** Names of all tools, whatever a request allows. */
export const toolNames = [receiptTools, statementTools, messageTools].flatMap(Object.keys)
