// The GraphQL types of a statement and of an account with a series of statements.
import { z } from 'zod'
import { caip2InSql, caip2Of } from '../../core/identity.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { described } from '../../kit/enum-names.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { enumOf } from '../../kit/input.ts'
import { Node } from '../../kit/node.ts'
import { inSql } from '../../kit/sql/index.ts'
import { ArtifactConnection } from '../artifacts/type.ts'
import { artifactUrl } from '../artifacts/url.ts'
import { fileUrl } from '../receipts/urls.ts'
import { statementKind, statementType } from './filter.ts'

const pages = { where: { mediaType: 'application/xml' }, orderBy: { name: 'asc' as const } }

// The names of other files come after those of pages.
const firstPage = { orderBy: { name: 'asc' as const }, take: 1 }

const StatementTypeEnum = enumOf(statementType)

const StatusEnum = builder.enumType('StatementStatus', {
  description: 'State of a numbered statement.',
  values: described({
    pending: 'Numbered; its files are being written. No list has it yet.',
    awaiting_anchor: 'Its bundle is sealed, and waits for its anchor.',
    anchored: 'Its anchors are final.',
  }),
})

export const StatementAccountType = builder.prismaObject('StatementAccount', {
  interfaces: [Node],
  description:
    'One wallet, one chain and one asset on which the project was paid, with its series of numbered statements. The balance adds up recorded payments; it is not the wallet’s balance on chain.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    wallet: t.exposeString('wallet', { description: 'The wallet, as the first receipt has it.' }),
    chain: t.exposeString('chain', { description: 'The chain, as the first receipt has it.' }),
    network: t.string({
      nullable: true,
      description: 'The CAIP-2 id of the chain, such as `eip155:8453`; null where it is not known.',
      extensions: inSql(({ column }) => caip2InSql(column('chainKey'))),
      resolve: ({ chainKey }) => caip2Of(chainKey),
    }),
    currency: t.exposeString('currency', { description: 'Asset or currency label.' }),
    lastNumber: t.exposeInt('lastNumber', { description: 'Number of its newest statement; 0 before the first.' }),
    balance: t.expose('balance', {
      type: 'Decimal',
      description:
        'Closing balance of its newest statement, in units of `currency`; before the first, what was booked before the series began.',
    }),
  }),
})

const entrySide = z.enum(['CRDT', 'DBIT']).meta({
  graphql: 'EntrySide',
  description: 'The side of an account on which an entry stands.',
  values: {
    CRDT: 'Credit: the account’s wallet was paid.',
    DBIT: 'Debit: the account’s wallet paid.',
  },
})
const SideEnum = enumOf(entrySide)

builder.prismaObject('StatementEntry', {
  description: 'A receipt as an entry of a numbered statement.',
  fields: t => ({
    side: t.field({
      type: SideEnum,
      description: 'Whether it is a credit or a debit of the account.',
      extensions: inSql(({ column }) => column('side')),
      resolve: ({ side }) => entrySide.parse(side),
    }),
    bookedAt: t.expose('bookedAt', {
      type: 'DateTime',
      description:
        'Booking time: when the service knew the payment as anchored and settled, or the start of the statement if its day was closed by then.',
    }),
    statement: t.relation('statement', { description: 'The statement.' }),
  }),
})

export const StatementType = builder.prismaObject('Statement', {
  interfaces: [Node],
  description:
    'A camt.052 or camt.053 over the anchored receipts of a period. Its balances add up the recorded payments; they are not the wallets’ balances on chain.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    type: t.field({
      type: StatementTypeEnum,
      description: 'The type of its message.',
      extensions: inSql(({ column }) => column('type')),
      resolve: ({ type }) => statementType.parse(type),
    }),
    kind: t.expose('kind', {
      type: enumOf(statementKind),
      description: 'Whether it is of the numbered series of an account, or else what it is.',
    }),
    number: t.exposeInt('number', {
      nullable: true,
      description: 'Its place in the series of the account, from 1 on without gaps; null outside a series.',
    }),
    account: t.relation('account', {
      nullable: true,
      description: 'The account of a statement of one account; null where it lists several, or the account is new.',
    }),
    opening: t.expose('opening', {
      type: 'Decimal',
      nullable: true,
      description: 'Opening balance: the closing balance of the number before. Null outside a series.',
    }),
    closing: t.expose('closing', {
      type: 'Decimal',
      nullable: true,
      description: 'Closing balance. Null outside a series.',
    }),
    closingBlock: t.expose('closingBlock', {
      type: 'BigInt',
      nullable: true,
      description:
        'The last block of the account’s chain before `to`. Null until a block from then on is final, where this service has no nodes of the chain or does not know the asset, and outside a series.',
    }),
    chainBalance: t.expose('chainBalance', {
      type: 'Decimal',
      nullable: true,
      description:
        'What the account’s wallet has of the asset on its chain at the end of `closingBlock`, as a quorum of nodes says. Not part of the message or the bundle, which are sealed before that block is final. Null until it is known, and where the nodes do not keep the state of that block.',
    }),
    balanceDifference: t.expose('balanceDifference', {
      type: 'Decimal',
      nullable: true,
      description:
        '`chainBalance` without `closing`: what the wallet had before the series began, and what moved since without being booked by `to`. Null where `chainBalance` is.',
    }),
    from: t.expose('from', { type: 'DateTime', description: 'Start of the period, inclusive.' }),
    to: t.expose('to', { type: 'DateTime', description: 'End of the period, exclusive.' }),
    date: t.expose('day', { type: 'Date', description: 'The day, in `timeZone`.' }),
    window: t.exposeString('window', {
      description: 'First and last minute of the day, in `timeZone`: HH:MM-HH:MM.',
    }),
    timeZone: t.exposeString('timeZone', {
      description: 'Time zone of its day, by its name in the IANA database.',
    }),
    count: t.exposeInt('count', { description: 'Entries on all pages.' }),
    project: t.relation('project', {
      nullable: true,
      description: 'The project whose payments it lists; null for the statement of a wallet.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it was made; when it was numbered, in a series.',
    }),
    status: t.expose('status', {
      type: StatusEnum,
      nullable: true,
      description: 'State of a numbered statement; null outside a series.',
    }),
    bundleHash: t.expose('bundleHash', {
      type: 'Hash32',
      nullable: true,
      description: 'SHA-256 of its evidence bundle, 0x-prefixed. Null until sealed, and outside a series.',
    }),
    bundleUrl: t.field({
      type: 'URL',
      nullable: true,
      description: 'URL of its evidence bundle. Null until sealed, and outside a series.',
      extensions: inSql(
        ({ column, value }, { publicBaseUrl }: Context) =>
          `case when ${column('bundleHash')} is not null then ${value(`${publicBaseUrl}/files/`)} || ${column('id')} || '/evidence.zip' end`,
      ),
      resolve: ({ id, bundleHash }, _, { publicBaseUrl }) =>
        bundleHash === null ? null : fileUrl(publicBaseUrl, id, 'evidence.zip'),
    }),
    anchorTx: t.expose('ledgerTxid', {
      type: 'Hash32',
      nullable: true,
      description: 'Anchor transaction id, 0x-prefixed. Null until anchored.',
    }),
    anchoredAt: t.expose('anchoredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the block that carries the anchor. Null until anchored.',
    }),
    pages: t.relatedConnection(
      'artifacts',
      {
        cursor: 'id',
        maxSize: 100,
        defaultSize: 20,
        totalCount: true,
        query: pages,
        extensions: { listSize: connectionSize(20, 100) },
        description: 'The documents of the statement, in page order.',
      },
      ArtifactConnection,
    ),
    url: t.field({
      type: 'URL',
      description: 'URL to download the first page.',
      extensions: inSql(
        ({ column, among, value }, { publicBaseUrl }: Context) =>
          `${value(`${publicBaseUrl}/files/`)} || ${column('id')} || '/' || ${among('artifacts', file => `min(${file('name')})`)}`,
      ),
      select: { artifacts: firstPage },
      resolve: ({ artifacts }, _, { publicBaseUrl }) => artifacts.map(page => artifactUrl(publicBaseUrl, page)).join(),
    }),
    sha256: t.field({
      type: 'Hash32',
      description: 'SHA-256 of the first page, 0x-prefixed.',
      extensions: inSql(({ among }) =>
        among('artifacts', file => `(array_agg(${file('sha256')} order by ${file('name')}))[1]`),
      ),
      select: { artifacts: firstPage },
      resolve: ({ artifacts }) => artifacts.map(page => page.sha256).join(),
    }),
    zipUrl: t.field({
      type: 'URL',
      nullable: true,
      description:
        'URL of a ZIP with one document for each account and page, for programs that merge the accounts of one document. Null where the statement has one account, or none.',
      extensions: inSql(
        ({ column, among, value }, { publicBaseUrl }: Context) =>
          `${value(`${publicBaseUrl}/files/`)} || ${column('id')} || '/' || ${among('artifacts', file => `min(${file('name')}) filter (where ${file('type')} = 'statements')`)}`,
      ),
      select: { artifacts: { where: { type: 'statements' } } },
      resolve: ({ artifacts: [archive] }, _, { publicBaseUrl }) =>
        archive === undefined ? null : artifactUrl(publicBaseUrl, archive),
    }),
  }),
})
