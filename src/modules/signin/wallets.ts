// The wallets that are linked to a project: of the caller's project, of a project, and by their ids.
import { ownedBy, ownProject } from '../../core/principal.ts'
import type { WalletProofKind, WalletProofMethod } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { described } from '../../kit/enum-names.ts'
import { connectionSize, longText } from '../../kit/field-cost.ts'
import { Node, nodeType } from '../../kit/node.ts'
import { inSql } from '../../kit/sql/index.ts'

const WalletProofKindEnum = builder.enumType('WalletProofKind', {
  description: 'What a wallet signed.',
  values: described<WalletProofKind>({
    eip4361: 'An EIP-4361 message to this service.',
    nonce: 'A nonce of this service alone, which names neither the wallet nor the service.',
  }),
})

const WalletProofMethodEnum = builder.enumType('WalletProofMethod', {
  description: 'How a wallet’s signature was checked.',
  values: described<WalletProofMethod>({
    eip191: 'The wallet’s key made it (EIP-191).',
    eip1271: 'The wallet is a contract, which accepted it at a block (ERC-1271).',
    eip6492:
      'The wallet is a contract that would accept it at a block, once it is deployed as the signature says (ERC-6492).',
  }),
})

builder.prismaObject('WalletProof', {
  description: 'The signature by which a wallet was linked to a project.',
  fields: t => ({
    kind: t.expose('kind', { type: WalletProofKindEnum, description: 'What was signed.' }),
    message: t.exposeString('message', {
      description: 'The text, exactly as it was signed.',
      extensions: longText(4_096),
    }),
    signature: t.exposeString('signature', {
      description: 'The signature: 0x and lower-case hex.',
      extensions: longText(8_194),
    }),
    method: t.expose('method', { type: WalletProofMethodEnum, description: 'How it was checked.' }),
    network: t.exposeString('network', {
      nullable: true,
      description: 'CAIP-2 id of the chain of the contract that accepted it; null for a key’s signature.',
    }),
    blockNumber: t.int({
      nullable: true,
      description: 'Number of the block at which the contract accepted it; null for a key’s signature.',
      extensions: inSql(({ column }) => column('blockNumber')),
      resolve: ({ blockNumber }) => (blockNumber === null ? null : Number(blockNumber)),
    }),
    blockHash: t.expose('blockHash', {
      type: 'Hash32',
      nullable: true,
      description: 'Hash of that block; null for a key’s signature.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the service had checked it.' }),
  }),
})

const LinkedWalletType = builder.prismaObject('LinkedWallet', {
  interfaces: [Node],
  description: 'A wallet that is linked to a project.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    address: t.expose('address', { type: 'Address', description: 'The address, lower-case.' }),
    project: t.relation('project', { description: 'The project to which it is linked.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was linked.' }),
    proof: t.relation('proof', {
      nullable: true,
      description:
        'The signature by which it was linked, or that it gave later; null where none was kept: verify the wallet again.',
    }),
  }),
})

nodeType('LinkedWallet', {
  table: 'linked_wallets',
  access: 'read',
  read: ({ db, principal }, query) =>
    db.linkedWallet.findMany({ ...query, where: { ...query.where, ...ownedBy(principal) } }),
})

const LinkedWalletConnection = connectionType(LinkedWalletType, 'LinkedWallet', 'A linked wallet')

const page = { cursor: 'id', maxSize: 1000, defaultSize: 20 } as const
const oldestFirst = [{ createdAt: 'asc' as const }, { address: 'asc' as const }]
// Each needs a signature of its own, so few projects have more.
const listSize = { ...connectionSize(20, 1000), usualMost: 200 }

builder.queryField('linkedWallets', t =>
  t.prismaConnection(
    {
      ...page,
      type: LinkedWalletType,
      totalCount: (_, __, { db, principal }) =>
        db.linkedWallet.count({ where: { projectId: ownProject(principal, 'A linked wallet') } }),
      description: 'Wallets linked to the caller’s project, oldest first.',
      access: 'read',
      errors: ['project_key_required'],
      extensions: { listSize },
      resolve: (query, _, __, { db, principal }) =>
        db.linkedWallet.findMany({
          ...query,
          where: { projectId: ownProject(principal, 'A linked wallet') },
          orderBy: oldestFirst,
        }),
    },
    LinkedWalletConnection,
  ),
)

builder.prismaObjectField('Project', 'linkedWallets', t =>
  t.relatedConnection(
    'wallets',
    {
      ...page,
      totalCount: true,
      authScopes: project => ({ project: project.id }),
      query: { orderBy: oldestFirst },
      extensions: { listSize, cost: 1 },
      description: 'The wallets linked to the project, oldest first.',
    },
    LinkedWalletConnection,
  ),
)
