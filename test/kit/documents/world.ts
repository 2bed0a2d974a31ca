// A database with everything that queries can read: two projects with rows in all their states, and an empty one.
import type pg from 'pg'
import type { Principal } from '../../../src/core/principal.ts'
import { addPayments, addStatements, addTransactions } from './payments.ts'
import { addProject, type World } from './projects.ts'
import { randomFrom } from './random.ts'
import { addReceipts } from './receipts.ts'
import { addSettlementAnchors, addWalletCoverages } from './settlements.ts'
import { type Rows, write } from './tables.ts'
import { addWebhooks } from './webhooks.ts'

export type Caller = { name: string; principal: Principal; weight: number }

/** Returns the rows, and the callers of the tests. */
export async function fill(pool: pg.Pool): Promise<{ rows: Rows; callers: Caller[] }> {
  const random = randomFrom(1)
  const projects = [random.uuid(), random.uuid(), random.uuid()] as const
  const wallets = Array.from({ length: 4 }, () => `0x${random.hex(20)}`)
  const blob = { sha256: `0x${random.hex(32)}`, bytes: '\\x00', size: null }
  const world: World = { random, projects, wallets, rows: { blobs: [blob] } }
  const [mine, other, empty] = projects
  addTransactions(world, [mine, other])
  for (const [id, large, receipts] of [
    [mine, 5, 48],
    [other, 4, 24],
  ] as const) {
    addProject(world, id, large)
    const recorded = addReceipts(world, id, receipts)
    addPayments(world, id, recorded, large * 4)
    addStatements(world, id, recorded, large * 2)
    addWebhooks(world, id, large)
    addWalletCoverages(world, id, recorded, large * 2)
  }
  addProject(world, empty, 1)
  addPayments(world, null, [], 3)
  addStatements(world, null, [], 1)
  addSettlementAnchors(world)
  await write(pool, world.rows)
  const key = (projectId: string, role: 'project_admin' | 'project' | 'viewer') =>
    ({ kind: 'key', projectId, role, keyId: projectId }) as const
  const callers: Caller[] = [
    { name: 'no key', principal: { kind: 'public' }, weight: 1 },
    { name: 'viewer', principal: key(mine, 'viewer'), weight: 2 },
    { name: 'project', principal: key(mine, 'project'), weight: 3 },
    { name: 'project_admin', principal: key(mine, 'project_admin'), weight: 5 },
    { name: 'key of another project', principal: key(other, 'project_admin'), weight: 2 },
    { name: 'key of an empty project', principal: key(empty, 'project_admin'), weight: 1 },
    {
      name: 'session',
      principal: { kind: 'key', projectId: mine, role: 'project_admin', sessionId: random.uuid() },
      weight: 2,
    },
    { name: 'service administrator', principal: { kind: 'admin', keyId: 'admin' }, weight: 3 },
  ]
  return { rows: world.rows, callers }
}
