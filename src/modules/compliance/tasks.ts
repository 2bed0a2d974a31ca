// Screening: what the provider says of each payment is stored; a denial ends the receipt, anything else lets it go on.
import { plainAmount } from '../../core/amount.ts'
import { receiptTask } from '../../kit/receipt-task.ts'
import { inTransaction, type Transaction } from '../../kit/transaction.ts'
import type { ComplianceFinding, ScreenedPayment } from '../../ports/compliance.ts'

export const screen = receiptTask('screen', async (app, receiptIds) => {
  const { rows } = await app.pool.query<ScreenedPayment>(
    `select id, amount, currency, sender_wallet as "senderWallet", receiver_wallet as "receiverWallet"
     from receipts where id = any($1::uuid[]) and status = 'pending'`,
    [receiptIds],
  )
  const screened = await Promise.all(
    rows.map(async row => {
      const findings = await app.compliance.screen({ ...row, amount: plainAmount(row.amount) })
      return { id: row.id, findings, denied: findings.find(finding => finding.decision === 'deny') }
    }),
  )
  await inTransaction(app, async tx => {
    await store(
      tx,
      app.compliance.name,
      screened.flatMap(({ id, findings }) => findings.map(finding => ({ id, ...finding }))),
    )
    for (const { id, denied } of screened) if (denied) await deny(tx, id, denied)
    const allowed = screened.filter(({ denied }) => !denied).map(({ id }) => id)
    if (allowed.length > 0) tx.job({ task: 'seal', payload: { receipts: allowed } })
  })
})

const store = (tx: Transaction, provider: string, findings: (ComplianceFinding & { id: string })[]) =>
  tx.sql(
    `insert into compliance_checks (id, provider, receipt_id, type, decision, reason)
     select gen_random_uuid(), $1, * from unnest($2::uuid[], $3::compliance_type[], $4::compliance_decision[], $5::text[])
     on conflict (receipt_id, type) do update
     set provider = excluded.provider, decision = excluded.decision, reason = excluded.reason, checked_at = now()`,
    [
      provider,
      findings.map(f => f.id),
      findings.map(f => f.type),
      findings.map(f => f.decision),
      findings.map(f => f.reason),
    ],
  )

async function deny(tx: Transaction, receiptId: string, { type, reason }: ComplianceFinding): Promise<void> {
  const moved = await tx.sql<{ projectId: string }>(
    `update receipts set status = 'failed', failure_reason = $2 where id = $1 and status = 'pending'
     returning project_id as "projectId"`,
    [receiptId, `denied by ${type}${reason === null ? '' : `: ${reason}`}`],
  )
  for (const { projectId } of moved) {
    tx.changed(receiptId)
    tx.audit({
      action: 'receipt.deny',
      objectType: 'receipt',
      objectId: receiptId,
      projectId,
      actor: 'worker',
      details: { type },
    })
  }
}
