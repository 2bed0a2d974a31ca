// Generates workflow messages about a receipt on request. Each message is a new file beside the earlier ones. The
// messages are records: nothing is cancelled, reversed or transferred.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import { type CodeSet, isCode } from '../../core/iso-codes.ts'
import { ownedBy } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Context } from '../../kit/context.ts'
import { inTransaction, sqlOf } from '../../kit/transaction.ts'
import { type VerbTransaction, verb } from '../../kit/verb.ts'
import { messageOf, requestedTypes } from '../iso20022/messages/registry.ts'
import { readXml, textAt } from '../iso20022/read-xml.ts'
import type { Organisation } from '../settings/organisation.ts'
import { presentOrganisation } from '../settings/read.ts'
import { readAnchors, readFacts } from './read-facts.ts'
import { readFile } from './read-file.ts'
import { dropBytes, type KeptArtifact, keepBytes, messageArtifact, storeArtifact } from './store.ts'

const code = z.string().meta({ graphql: 'String', pattern: '^[A-Z0-9]{1,4}$' })

const generateMessageInput = z.strictObject({
  receiptId: uuid.describe('The receipt’s UUID.'),
  type: z.enum(requestedTypes).describe('The type of message to generate.'),
  reasonCode: code
    .nullish()
    .describe(
      'ISO 20022 external code of the reason. Code set: ExternalCancellationReason1Code for camt.056, ExternalPaymentCancellationRejection1Code for camt.029, ExternalReversalReason1Code for pacs.007 and pain.007. Of earlier servers, APPR and RJCT are accepted for camt.029, and DUPL, FRAD, CUST and TECH for pacs.007; AddtlInf keeps them.',
    ),
  resolutionCode: code
    .nullish()
    .describe('For camt.029: the outcome of the investigation, from ExternalInvestigationExecutionConfirmation1Code.'),
})
type Input = z.output<typeof generateMessageInput>

function checkCode(name: 'reasonCode' | 'resolutionCode', code: string | null | undefined, set: CodeSet | undefined) {
  if (code === null || code === undefined || (set !== undefined && isCode(set, code))) return
  const message =
    set === undefined ? 'This message type accepts no such code.' : 'Not a code of the ISO 20022 external code set.'
  throw invalid([{ path: ['input', name], message, type: 'enum' }])
}

// A rejection reason is accepted only beside these resolutions, because it would contradict a cancellation.
const refusals: readonly string[] = ['RJCR', 'PDCR']

function check({ type, reasonCode, resolutionCode }: Input, organisation: Organisation): void {
  const { reason, resolution, enabledBy } = messageOf(type).onRequest ?? {}
  checkCode('reasonCode', reasonCode, reason)
  checkCode('resolutionCode', resolutionCode, resolution)
  if (type === 'camt.029' && reasonCode && resolutionCode && !refusals.includes(resolutionCode)) {
    const message = 'A rejection reason is accepted only with RJCR, with PDCR or without a resolution code.'
    throw invalid([{ path: ['input', 'reasonCode'], message, type: 'value_error' }])
  }
  if (enabledBy !== undefined && !organisation.status[enabledBy]) throw new AppError('disabled_by_configuration')
}

/** The codes of earlier servers of this interface, by the type of the message and the code that each stands for. */
const olderCodes: Partial<Record<Input['type'], Readonly<Record<string, string>>>> = {
  'camt.029': { APPR: 'CNCL', RJCT: 'RJCR' },
  'pacs.007': { DUPL: 'AM05', FRAD: 'FR01', CUST: 'MS02', TECH: 'MS03' },
}

/** Returns the codes of ISO 20022, and as what an older client stated one. */
function codesOf({
  type,
  ...input
}: Input): Pick<Input, 'reasonCode' | 'resolutionCode'> & { statedAs: string | null } {
  const older = olderCodes[type] ?? {}
  const { reasonCode, resolutionCode } = input
  const [statedAs = null] = [reasonCode, resolutionCode].filter(code => code != null && code in older)
  if (statedAs == null) return { reasonCode, resolutionCode, statedAs: null }
  const code = older[statedAs] ?? null
  // The older codes of camt.029 are outcomes, wherever they are stated.
  if (type === 'camt.029') {
    const reason = reasonCode === statedAs ? null : reasonCode
    return { reasonCode: reason, resolutionCode: code, statedAs }
  }
  return { reasonCode: code, resolutionCode, statedAs }
}

/** Returns the receipt's project id. Throws `not_found` unless it is the caller's project or an administrator calls. */
async function projectOf({ principal, db }: Context, id: string): Promise<string> {
  const receipt = await db.receipt.findFirst({
    where: { id, ...ownedBy(principal) },
    select: { projectId: true, erasedAt: true },
  })
  if (receipt === null) throw notFound('receipt')
  // A new message would state the names of the parties again.
  if (receipt.erasedAt !== null) throw new AppError('content_erased')
  return receipt.projectId
}

/** Files of a receipt, from which on none is made on request. */
const mostFiles = 50

/** Throws `too_many_files`. */
async function demandRoom({ db }: Pick<VerbTransaction, 'db'>, receiptId: string): Promise<void> {
  if ((await db.artifact.count({ where: { receiptId } })) >= mostFiles) throw new AppError('too_many_files')
}

/** Returns the case of the newest camt.056 about the receipt, as that file names it; null if there is none. */
async function newestRequest(context: Context, receiptId: string) {
  const where = { receiptId, type: 'camt.056' }
  const newest = await context.db.artifact.findFirst({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })
  const file = newest && (await readFile(context, receiptId, newest.name))
  const [request] = file === null ? [] : readXml(file.content.toString()).children
  const [caseId, createdAt] = request ? [textAt(request, 'Case', 'Id'), textAt(request, 'Assgnmt', 'CreDtTm')] : []
  return caseId && createdAt ? { caseId, createdAt: new Date(createdAt) } : null
}

type Made = { projectId: string; message: KeptArtifact; messageId: string }

/**
 * Errors: `not_found`, `validation_failed`, `disabled_by_configuration`, `too_many_files`, `file_store_unavailable`.
 */
export const generateMessage = verb({
  name: 'message.generate',
  access: 'write',
  input: generateMessageInput,
  async prepare(input, context): Promise<Made> {
    const sql = sqlOf(context.pool)
    const projectId = await projectOf(context, input.receiptId)
    const { statedAs, ...codes } = codesOf(input)
    check(
      { ...input, ...codes, ...(codes.reasonCode !== input.reasonCode && { reasonCode: null }) },
      await presentOrganisation(context, sql),
    )
    // Before the message is written to the object store.
    await demandRoom(context, input.receiptId)
    const [facts] = await readFacts(context, sql, [input.receiptId])
    if (facts === undefined) throw notFound('receipt')
    const anchor = (await readAnchors(sql, [input.receiptId])).get(input.receiptId) ?? null
    const occasion = {
      id: randomUUID(),
      at: new Date(),
      reasonCode: codes.reasonCode ?? null,
      resolutionCode: codes.resolutionCode ?? null,
      statedAs,
      answers: input.type === 'camt.029' ? await newestRequest(context, input.receiptId) : null,
    }
    const requested = messageOf(input.type)
    const made = messageArtifact(requested, { ...facts, anchor, occasion }, `-${occasion.id}`)
    const message = await keepBytes(context, made)
    return { projectId, message, messageId: requested.messageId(occasion) }
  },
  async run(tx, { receiptId, type }, context, { projectId, message, messageId }) {
    // Without the lock, concurrent calls could all count below the limit, and an erasure could miss the message.
    const [receipt] = await tx.sql<{ isErased: boolean }>(
      'select erased_at is not null as "isErased" from receipts where id = $1::uuid for no key update',
      [receiptId],
    )
    if (receipt?.isErased) {
      await inTransaction(context, async other => dropBytes(other, [message]))
      throw new AppError('content_erased')
    }
    await demandRoom(tx, receiptId)
    const artifact = await storeArtifact(tx, message)
    const details = { type, name: artifact.name }
    return {
      result: { artifact, messageId, receiptId },
      audit: [{ objectType: 'receipt', objectId: receiptId, projectId, details }],
    }
  },
})
