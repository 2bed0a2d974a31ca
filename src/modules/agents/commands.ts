// The command language of agents: short lines that run the same operations as the API, within the agent's project.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { text, uuid } from '../../core/text.ts'
import type { Agent, Receipt } from '../../generated/prisma/client.ts'
import { appErrorIn } from '../../kit/app-error-in.ts'
import type { Context } from '../../kit/context.ts'
import { parse } from '../../kit/parse.ts'
import { runVerb } from '../../kit/verb.ts'
import { artifactUrl } from '../artifacts/url.ts'
import { refundReceipt } from '../receipts/refund.ts'
import { generateStatement } from '../statements/generate.ts'
import { oneAtLeast, verify } from '../verification/verify.ts'

export const commandInput = z.strictObject({
  agentId: uuid.describe('The agent’s UUID.'),
  command: text(500).nullish().meta({ default: 'help' }).describe('One line; `help` lists the commands.'),
})

type Call = { context: Context; agent: Agent; words: string[] }
type Command = { usage: string; description: string; run(call: Call): Promise<string> }

const listed = 10

const commands: Record<string, Command> = {
  help: {
    usage: 'help',
    description: 'says what there is',
    run: async () => usages,
  },
  list: {
    usage: 'list',
    description: `the newest ${listed} receipts of the project`,
    async run({ context, agent: { projectId } }) {
      const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]
      const receipts = await context.db.receipt.findMany({ where: { projectId }, orderBy, take: listed })
      return receipts.length === 0 ? 'There are no receipts yet.' : receipts.map(lineOf).join('\n')
    },
  },
  get: {
    usage: 'get <receipt id>',
    description: 'one receipt of the project',
    run: async call => lineOf(await receiptNamed(call)),
  },
  verify: {
    usage: 'verify <receipt id, bundle hash or bundle URL>',
    description: 'whether a bundle is on chain',
    async run(call) {
      const { matchesOnchain, ledgerTxid, errors } = await verify(
        call.context,
        parse(oneAtLeast, await locatorOf(call)),
      )
      const anchor = matchesOnchain ? `The anchor is on chain, in ${ledgerTxid}.` : 'The anchor is not confirmed.'
      return errors.length === 0 ? `${anchor} Verified.` : `${anchor} Not verified: ${errors.join(', ')}.`
    },
  },
  statement: {
    usage: 'statement [YYYY-MM-DD] [HH:MM-HH:MM]',
    description: 'makes a statement of a day, or of part of it',
    async run({ context, agent: { projectId }, words: [date, window] }) {
      const period = { ...(date && { date }), ...(window && { window }) }
      const own = context.principal.kind === 'admin' ? { projectId } : {}
      const { id } = await runVerb(context, generateStatement, { ...own, ...period })
      const { type, count } = await context.db.statement.findUniqueOrThrow({ where: { id } })
      const page = await context.db.artifact.findFirstOrThrow({ where: { statementId: id }, orderBy: { name: 'asc' } })
      return `${type} with ${count} entries: ${artifactUrl(context.publicBaseUrl, page)}`
    },
  },
  refund: {
    usage: 'refund <receipt id> [amount] [reason code]',
    description: 'announces the refund of an anchored receipt, or of a part; moves no money',
    async run(call) {
      const { id } = await receiptNamed(call)
      const [, ...words] = call.words
      const amount = /^\d/.test(words[0] ?? '') ? words.shift() : null
      const [reasonCode = null] = words
      const refund = await runVerb(call.context, refundReceipt, { originalReceiptId: id, amount, reasonCode })
      return lineOf(refund)
    },
  },
}

export const commandNames = Object.keys(commands)

/** A line for each command. */
export const usages = Object.values(commands)
  .map(({ usage, description }) => `${usage} – ${description}`)
  .join('\n')

const lineOf = ({ id, status, amount, currency, reference }: Receipt): string =>
  `${id} ${status} ${amount.toFixed()} ${currency} ${reference}`

/** Returns a receipt of the agent's project, also if an administrator calls. Throws `not_found`. */
async function receiptNamed({ context, agent: { projectId }, words: [id = ''] }: Call): Promise<Receipt> {
  const receipt = uuid.safeParse(id).success ? await context.db.receipt.findFirst({ where: { id, projectId } }) : null
  if (receipt === null) throw notFound('receipt')
  return receipt
}

async function locatorOf(call: Call) {
  const [what = ''] = call.words
  if (what.startsWith('0x')) return { bundleHash: what }
  if (what.includes('://')) return { bundleUrl: what }
  const { bundleHash } = await receiptNamed(call)
  if (bundleHash === null) throw new AppError('conflict', 'The receipt has no bundle yet.')
  return { bundleHash }
}

/** Returns the response as text, also to a wrong command. Throws temporary (`too_many_requests`) and 5xx errors. */
export async function runCommand(context: Context, agent: Agent, line: string): Promise<string> {
  const [name = '', ...words] = line.split(/\s+/)
  const command = Object.hasOwn(commands, name.toLowerCase()) ? commands[name.toLowerCase()] : undefined
  if (command === undefined) return `There is no command ${name}. Try help.`
  try {
    return await command.run({ context, agent, words })
  } catch (error) {
    const known = appErrorIn(error)
    if (known === null || known.retryAfterSeconds !== null || known.status >= 500) throw error
    const details = known.issues.map(({ path, message }) => `${path.at(-1)}: ${message}`)
    return [`${known.code}: ${known.message}`, ...details, `Usage: ${command.usage}`].join('\n')
  }
}
