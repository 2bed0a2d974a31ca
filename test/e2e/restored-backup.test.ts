// A drill: a base backup and the archived write-ahead log are restored to an earlier moment, and the service goes on.
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { signingKeys } from '../../src/modules/evidence/keys.ts'
import { runChecks } from '../../src/modules/verification/checks.ts'
import { portsOf } from '../../src/modules/verification/ports-of.ts'
import { account } from '../kit/anvil.ts'
import { until } from '../kit/child.ts'
import { runCommand } from '../kit/command.ts'
import { startPaidChain } from '../kit/paid-chain.ts'
import { fxPath, fxQuestion } from '../kit/paid-world.ts'
import { answerTo, createPayer, dollars, inside } from '../kit/payer.ts'
import { auditPayments } from '../kit/payment-books.ts'
import { type Service, startService, tipOf } from '../kit/service.ts'
import { onlyInFull } from '../kit/size.ts'
import { startServers } from '../kit/standby.ts'

/** How many receipts the backup has, and how many bundles are verified after it was restored. */
const many = Number(process.env.DRILL ?? 20)

onlyInFull(
  'goes on from an earlier moment without a second charge, and without a second anchor of what was sent',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quittance-drill-'))
    const archive = join(folder, 'archive')
    await mkdir(archive)
    // As root, the tests start PostgreSQL as another user.
    await chmod(folder, 0o755)
    await chmod(archive, 0o777)
    const servers = await startServers({ archive_mode: 'on', archive_command: `cp %p ${archive}/%f` })
    const chain = await startPaidChain()
    const { signer, payTo, settings: till } = await chain.till()
    const payer = await createPayer(chain.node, chain.asset, 1_000_000n)
    const settings = {
      ...till,
      ANCHOR_CONFIRMATIONS: '1',
      ANCHOR_PRIVATE_KEY: account(1).privateKey,
      LOG_LEVEL: 'silent',
    }
    const services: Service[] = []
    const serviceOn = async (url: string) => {
      const service = await startService({ ...settings, DATABASE_URL: url })
      services.push(service)
      return service
    }
    const soon = (what: string, isSo: () => Promise<boolean>) => until(what, isSo, () => '', 60_000)
    try {
      const before = await serviceOn(servers.primary.url)
      const project = await before.api.project()
      const recordAll = (service: Service, count: number) =>
        Promise.all(
          Array.from({ length: count }, async () => (await service.api.record(project.key)).json.receipt_id as string),
        )
      const anchored = async (service: Service, ids: string[]) => {
        for (const id of ids) await service.api.anchored(id)
      }
      const earned = async (): Promise<bigint> => dollars(chain.asset, chain.node).getFunction('balanceOf')(payTo)
      const buy = ({ api }: Service, header: string) =>
        api.call('POST', fxPath, { body: fxQuestion, headers: { 'PAYMENT-SIGNATURE': header } })
      const authorization = async ({ api }: Service) =>
        answerTo(payer, (await api.call('POST', fxPath, { body: fxQuestion })).headers.get('payment-required'))
      const old = await recordAll(before, many)
      await anchored(before, old)
      // The base backup: copied while the server runs, and started only after the disaster.
      const restored = await servers.addStandby('restored', servers.primary, {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_name: 'before_the_disaster',
        recovery_target_action: 'promote',
      })
      await restored.stop()
      const later = await recordAll(before, 5)
      await anchored(before, later)
      // At the restored moment, these anchors and this payment are sent and in no block.
      await chain.rpc('evm_setAutomine', false)
      const sent = await recordAll(before, 5)
      await soon('the anchors are sent', async () => {
        const { rows } = await before.app.pool.query(`select from anchors where state = 'sent'`)
        return rows.length === sent.length
      })
      const paid = await authorization(before)
      const bought = buy(before, paid)
      await soon('the payment is sent', async () => {
        const { rows } = await before.app.pool.query('select from payments where raw_transaction is not null')
        return rows.length > 0
      })
      // These are sealed then, and sent afterwards.
      const holder = new pg.Client({ connectionString: servers.primary.url })
      await holder.connect()
      await holder.query('begin; lock table anchor_attempts in exclusive mode')
      const waiting = await recordAll(before, 3)
      await soon('these wait', async () => {
        const { rows } = await before.app.pool.query(
          `select from receipts where id = any($1) and status = 'awaiting_anchor'`,
          [waiting],
        )
        return rows.length === waiting.length
      })
      await servers.primary.sql(`select pg_create_restore_point('before_the_disaster')`)
      await holder.query('rollback')
      await holder.end()
      await chain.rpc('evm_setAutomine', true)
      await chain.rpc('evm_mine')
      await anchored(before, [...sent, ...waiting])
      expect((await bought).status).toBe(200)
      const paidLater = await authorization(before)
      expect((await buy(before, paidLater)).status).toBe(200)
      const { rows: gifts } = await before.app.pool.query<{ txid: string }>(
        `select txid from payments where '0x' || encode(nonce, 'hex') = $1`,
        [inside(paidLater).authorization.nonce],
      )
      const income = await earned()
      const tip = tipOf()
      const lost = (await before.api.record(project.key, tip)).json
      await before.api.anchored(lost.receipt_id)
      const { rows: newest } = await before.app.pool.query('select max(id)::text as id from events')
      const lostHash = (await before.api.call('GET', `/v1/iso/receipts/${lost.receipt_id}`)).json.bundle_hash
      const [segment] = await servers.primary.sql<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')
      await soon('the log is archived', async () => {
        const [row] = await servers.primary.sql<{ done: boolean }>(
          'select last_archived_wal >= $1 as done from pg_stat_archiver',
          [segment?.name],
        )
        return row?.done === true
      })
      await before.stop()
      services.pop()
      await servers.primary.kill()

      await restored.start()
      await soon('it takes writes', async () => {
        const rows = await restored.sql<{ so: boolean }>('select not pg_is_in_recovery() as so').catch(() => [])
        return rows[0]?.so === true
      })
      const after = await serviceOn(restored.url)
      const { pool } = after.app
      await anchored(after, [...sent, ...waiting])
      const { rows: receipts } = await pool.query<{ id: string; hash: string }>(
        'select id, bundle_hash as hash from receipts',
      )
      expect(receipts.map(({ id }) => id).toSorted()).toEqual([...old, ...later, ...sent, ...waiting].toSorted())
      const keys = await signingKeys(after.app)
      for (const { id, hash } of receipts) {
        const bundle = Buffer.from(await (await fetch(`${after.base}/files/${id}/evidence.zip`)).arrayBuffer())
        const verified = await runChecks({ bundle, expectedHash: hash, txid: null, keys }, portsOf(after.app))
        expect(verified).toMatchObject({ matchesOnchain: true, errors: [] })
        expect(await after.app.chains[0].findAnchor(hash)).toHaveLength(waiting.includes(id) ? 2 : 1)
      }
      // The payment that was sent is settled by its transfer. One that the database does not know is refused.
      const delivered = await buy(after, paid)
      expect([delivered.status, delivered.json.rate]).toEqual([200, expect.anything()])
      const refused = await buy(after, paidLater)
      expect([refused.status, refused.json.detail]).toEqual([402, expect.any(String)])
      expect(await earned()).toBe(income)
      expect((await buy(after, await authorization(after))).status).toBe(200)
      const txids = gifts.map(({ txid }) => txid)
      const books = { databaseUrl: restored.url, rpcUrl: chain.url, asset: chain.asset, payTo, signer, gifts: txids }
      expect(await auditPayments(books)).toEqual([`nonce 1 was sent for no payment: ${txids[0]}`])
      // The anchor of the receipt that was lost is on the chain, and in no record. Its payment is recorded again.
      const known = await after.api.call('POST', '/v1/iso/verify', { body: { bundle_hash: lostHash } })
      expect(known.json.errors).toEqual(['issuer_unchecked'])
      const again = (await after.api.record(project.key, tip)).json.receipt_id
      expect(again).not.toBe(lost.receipt_id)
      await anchored(after, [again])
      const { rows: numbers } = await pool.query(
        'select min(id) > $1::bigint as so from events where receipt_id = $2',
        [newest[0].id, again],
      )
      expect(numbers[0].so).toBe(true)
      const audited = await runCommand(['audit'], { DATABASE_URL: restored.url })
      expect([audited.code, audited.out.includes('BROKEN')]).toEqual([0, false])
    } finally {
      for (const service of services) await service.stop()
      await chain.stop()
      await servers.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
