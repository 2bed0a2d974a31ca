// The GraphQL type of the transaction that carries anchors.

import { statusInChain, statusInChainInSql } from '../../core/anchor-status.ts'
import { finality } from '../../core/finality.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { described } from '../../kit/enum-names.ts'
import { enumOf } from '../../kit/input.ts'
import { Node } from '../../kit/node.ts'
import { type InSql, inSql, type Row } from '../../kit/sql/index.ts'
import { configOf } from '../projects/config.ts'

const StatusEnum = builder.enumType('AnchorTransactionStatus', {
  description: 'Status of an anchor transaction.',
  values: described({
    signed: 'Signed, and in no block yet.',
    included: 'In a block of the chain.',
    safe: 'In a block that the chain’s nodes report as safe.',
    final: 'In a final block, by the chain’s finality policy.',
    reverted: 'In a block, and failed or without the expected events.',
    overtaken: 'Another transaction used its nonce.',
  }),
})

export const FinalityEnum = enumOf(finality)

type Sent = { chain: string; txid: string }
type Configured = { config: { config: unknown } | null } | null | undefined

/** Returns the page of a transaction in the explorer of its chain, or else in that which the project configured. */
export function explorerPage({ chains }: Context, { chain, txid }: Sent, project: Configured): string | null {
  const ofProject = () =>
    configOf(project?.config ?? null)
      .anchoring.chains.find(({ name }) => name === chain)
      ?.explorerBaseUrl?.replace(/\/+$/, '')
  const base = chains.find(({ name }) => name === chain)?.explorerBaseUrl ?? ofProject()
  return base ? `${base}/tx/${txid}` : null
}

/** The same in SQL, for the transaction and the configuration in these columns. */
export function explorerPageInSql({ chains }: Context, { value }: Row, { chain, txid }: Sent, config: string): string {
  const ofService = chains.flatMap(({ name, explorerBaseUrl: base }) =>
    base === null ? [] : [`when ${value(name)} then ${value(base)}`],
  )
  const ofProject = `(select regexp_replace(entry->>'explorerBaseUrl', '/+$', '')
    from jsonb_array_elements(${config}->'anchoring'->'chains') entry where entry->>'name' = ${chain} limit 1)`
  const base = ofService.length === 0 ? ofProject : `case ${chain} ${ofService.join(' ')} else ${ofProject} end`
  return `${base} || '/tx/' || ${txid}`
}

/** Returns the CAIP-2 id of a chain of the service; null for one that a project configured. */
export const networkOf = ({ chains }: Pick<Context, 'chains'>, chain: string): string | null =>
  chains.find(({ name }) => name === chain)?.caip2 ?? null

/** The same in SQL. */
const networkInSql: InSql<Pick<Context, 'chains'>> = ({ column, value }, { chains }) => {
  const known = chains.flatMap(({ name, caip2 }) =>
    caip2 === null ? [] : [`when ${value(name)} then ${value(caip2)}`],
  )
  return known.length === 0 ? 'null::text' : `case ${column('chain')} ${known.join(' ')} end`
}

const networkText = 'The CAIP-2 id of the chain, such as `eip155:8453`; null for a chain that a project configured.'
export const network = {
  type: 'String',
  nullable: true,
  description: networkText,
  extensions: inSql(networkInSql),
} as const

// Its block says nothing of a transaction that failed in it, nor of one that is not there any more.
const statusInSql = (state: string, finality: string) =>
  `case when ${state} in ('reverted', 'overtaken') then ${state}::text else ${statusInChainInSql(state, finality)} end`

const attempts = { attempts: { select: { txid: true, maxFeePerGas: true } } }

builder.prismaObject('AnchorTransaction', {
  interfaces: [Node],
  description: 'A transaction that writes anchors to a chain. One transaction can carry the anchors of many projects.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    chain: t.exposeString('chain', { description: 'Name of the chain.' }),
    network: t.field({ ...network, resolve: ({ chain }, _, context) => networkOf(context, chain) }),
    hash: t.expose('txid', {
      type: 'Hash32',
      description: 'Its hash, 0x-prefixed. Until it is mined, a dearer attempt with another hash may replace it.',
    }),
    contract: t.expose('contract', { type: 'Address', description: 'The evidence anchor contract.' }),
    sender: t.field({
      type: 'Address',
      nullable: true,
      description: 'The account that sent it: of the service, or in tenant mode of the project.',
      extensions: inSql(({ column }) => `lower(coalesce(${column('signer')}, ${column('sender')}))`),
      resolve: ({ signer, sender }) => (signer ?? sender)?.toLowerCase() ?? null,
    }),
    nonce: t.expose('nonce', {
      type: 'BigInt',
      nullable: true,
      description: 'Its nonce; null for a transaction of the project.',
    }),
    maxFeePerGas: t.field({
      type: 'BigInt',
      nullable: true,
      select: attempts,
      description: 'The most that it pays for a unit of gas, in wei; null for a transaction of the project.',
      resolve: ({ txid, attempts }) => {
        const fee = attempts.find(attempt => attempt.txid === txid)?.maxFeePerGas
        return fee === undefined ? null : BigInt(fee.toFixed())
      },
    }),
    status: t.field({
      type: StatusEnum,
      description: 'What became of it.',
      extensions: inSql(({ column }) => statusInSql(column('state'), column('finality'))),
      resolve: ({ state, finality }) =>
        state === 'reverted' || state === 'overtaken' ? state : statusInChain({ state, finality }),
    }),
    blockNumber: t.int({
      nullable: true,
      description: 'Number of the block that carries it.',
      extensions: inSql(({ column }) => column('blockNumber')),
      resolve: ({ blockNumber }) => (blockNumber === null ? null : Number(blockNumber)),
    }),
    blockHash: t.expose('blockHash', {
      type: 'Hash32',
      nullable: true,
      description: 'Hash of the block that carries it.',
    }),
    blockTime: t.expose('blockTime', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the block that carries it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was stored.' }),
    explorerUrl: t.field({
      type: 'URL',
      nullable: true,
      select: { project: { select: { config: true } } },
      description: 'Its page in a block explorer; null where no explorer is configured.',
      extensions: inSql((row, context: Context) => {
        const sent = { chain: row.column('chain'), txid: row.column('txid') }
        return explorerPageInSql(context, row, sent, row.through('project.config', 'config'))
      }),
      resolve: (transaction, _, context) => explorerPage(context, transaction, transaction.project),
    }),
  }),
})
