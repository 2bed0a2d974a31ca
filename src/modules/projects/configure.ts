// Changes a project's configuration. Every chain is checked first: with the service's own nodes, or with an untrusted
// node through the guarded client.
import { z } from 'zod'
import { AppError, type Issue, invalid, isChainFault, notFound } from '../../core/errors.ts'
import { actorOf, owns, type Principal } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { timeZone } from '../../core/time-zone.ts'
import type { App } from '../../kit/context.ts'
import { verb } from '../../kit/verb.ts'
import { configOf, type ProjectChain, type ProjectConfig, parties, projectConfig } from './config.ts'
import { projectFxPolicy } from './fx-policy.ts'
import { walletIssues, withoutWallets } from './party.ts'
import { assetIssues, projectSettlement } from './settlement-policy.ts'
import { addVersion, lockedConfig } from './versions.ts'

const configureProjectInput = z.strictObject({
  projectId: uuid.describe('The project’s UUID.'),
  anchoring: projectConfig.shape.anchoring,
  parties: parties
    .nullish()
    .describe('Data that messages state about the parties, for receipts recorded from now on. Unchanged unless given.'),
  fxPolicy: projectFxPolicy
    .nullish()
    .describe('Whether receipts recorded from now on get a fiat equivalent. Unchanged unless given.'),
  settlement: projectSettlement
    .nullish()
    .describe(
      'How the payments of receipts recorded from now on are checked on their own chains. Unchanged unless given.',
    ),
  timeZone: timeZone
    .nullish()
    .describe(
      'Time zone of the days of its statements, by its name in the IANA database, for instance Europe/Zurich. It applies from the next day that is closed. Unchanged unless given.',
    ),
})

type Fault = { member: keyof ProjectChain; message: string } | null

const noContract: Fault = { member: 'contract', message: 'There is no contract at this address on this chain.' }

async function faultOf(
  app: App,
  mode: ProjectConfig['anchoring']['executionMode'],
  chain: ProjectChain,
): Promise<Fault> {
  const { name, contract, rpcUrl } = chain
  const known = app.chains.find(one => one.name === name)
  if (known !== undefined) {
    if (rpcUrl !== null) return { member: 'rpcUrl', message: 'This service asks its own nodes about this chain.' }
    if (contract === null || contract === known.contract) return null
    if (mode === 'platform') return { member: 'contract', message: `Platform mode uses ${known.contract}.` }
    return (await known.hasCode(contract)) ? null : noContract
  }
  if (mode === 'platform') return { member: 'name', message: 'This service does not anchor on a chain of this name.' }
  if (rpcUrl === null) return { member: 'name', message: 'This service does not know this chain: give an rpc url.' }
  if (contract === null) return { member: 'contract', message: 'A chain of your own needs its contract.' }
  try {
    return (await app.openProjectChain({ name, rpcUrl, contract }).hasCode(contract)) ? null : noContract
  } catch (error) {
    if (error instanceof AppError && error.code === 'chain_misconfigured') {
      return { member: 'rpcUrl', message: 'The node at this address serves another chain than the name says.' }
    }
    if (isChainFault(error)) return { member: 'rpcUrl', message: 'No answer could be had from this address.' }
    throw error
  }
}

/** The initiator has an effect without wallets: it is the initiating party of messages. */
const noticeOf = ({ debtor, creditor }: ProjectConfig['parties']): string | null => withoutWallets({ debtor, creditor })

/** Throws `not_found` for a project that is not the caller's to manage. */
export function demandOwn(principal: Principal, projectId: string): void {
  if (!owns(principal, projectId)) throw notFound('project')
}

/** Errors: `forbidden`, `not_found`, `validation_failed`, `chain_unavailable`. */
export const configureProject = verb({
  name: 'project.configure',
  access: 'manage',
  input: configureProjectInput,
  async prepare({ projectId, anchoring, parties, settlement }, context) {
    demandOwn(context.principal, projectId)
    const faults = await Promise.all(anchoring.chains.map(chain => faultOf(context, anchoring.executionMode, chain)))
    const issues = faults.flatMap((fault, index): Issue[] =>
      fault === null
        ? []
        : [
            {
              path: ['input', 'anchoring', 'chains', index, fault.member],
              message: fault.message,
              type: 'value_error',
            },
          ],
    )
    const listed = Object.entries(parties ?? {}).map(([member, { wallets }]) => ({
      path: ['input', 'parties', member],
      wallets,
    }))
    issues.push(
      ...walletIssues(listed, context.chainAliases),
      ...assetIssues(settlement?.assets ?? [], context.knownAssets, ['input', 'settlement', 'assets']),
    )
    if (issues.length > 0) throw invalid(issues)
  },
  async run(tx, { projectId, ...input }, { principal }) {
    const before = await lockedConfig(tx, projectId)
    const present = configOf(before)
    const config: ProjectConfig = {
      anchoring: input.anchoring,
      // A client that does not send the parties must not delete their names.
      parties: input.parties ?? present.parties,
      fxPolicy: input.fxPolicy ?? present.fxPolicy,
      settlement: input.settlement ?? present.settlement,
      timeZone: input.timeZone ?? present.timeZone,
    }
    const actor = actorOf(principal)
    // Its present day may have ended already in the other zone.
    if (config.timeZone !== present.timeZone)
      await tx.sql('update projects set closes_at = now() where id = $1::uuid', [projectId])
    await addVersion(tx, projectId, { config, isHouse: before?.isHouse ?? false, actor })
    const details = {
      execution_mode: input.anchoring.executionMode,
      chains: input.anchoring.chains.map(({ name }) => name),
      ...(input.parties && { parties: input.parties }),
      ...(input.fxPolicy && { fx_policy: { mode: input.fxPolicy.mode, base_ccy: input.fxPolicy.baseCurrency } }),
      ...(input.settlement && { settlement: input.settlement }),
      ...(input.timeZone && { time_zone: input.timeZone }),
    }
    return {
      result: { projectId, config, notice: noticeOf(config.parties) },
      audit: [{ objectType: 'project', objectId: projectId, projectId, details }],
    }
  },
})
