// Periodic tasks: delete expired rows, add up the counters of receipts, rename their chains, close the days of
// statements, verify anchored evidence again, settle open payments and look settled ones up again, record agents'
// payments, re-encrypt agents' keys, and check the balances of the accounts that send transactions.
import { cleanIdempotentRequests } from '../idempotency/reservations.ts'
import type { App } from '../kit/context.ts'
import { carriedOut } from '../kit/task.ts'
import { sqlOf } from '../kit/transaction.ts'
import { cleanRateWindows } from '../limits/limiter.ts'
import { rewrapAgentKeys } from '../modules/agents/ai-config.ts'
import { recordAgentPayments } from '../modules/agents/record-payments.ts'
import { cleanTranscripts } from '../modules/assistant/transcript.ts'
import { cleanEvents } from '../modules/events/clean.ts'
import { cleanExports } from '../modules/exports/clean.ts'
import { addUpCounters } from '../modules/receipts/counters.ts'
import { renameChains } from '../modules/receipts/rename-chains.ts'
import { cleanSessions } from '../modules/sessions/store.ts'
import { cleanNonces } from '../modules/signin/nonce.ts'
import { closeEnded } from '../modules/statements/close.ts'
import { watchFunds } from '../modules/transactions/watch-funds.ts'
import { reproveNext } from '../modules/verification/reprove.ts'
import { cleanCoverages } from '../modules/wallet-coverage/clean.ts'
import { cleanDeliveries } from '../modules/webhooks/clean.ts'
import { cleanAnswers } from '../modules/x402/ledger.ts'
import { recheckDue } from '../modules/x402/recheck.ts'
import { settleOpen } from '../modules/x402/tasks.ts'

async function clean(app: App): Promise<void> {
  const sql = sqlOf(app.pool)
  for (const step of [cleanNonces, cleanSessions, cleanRateWindows, cleanIdempotentRequests, cleanAnswers])
    await step(sql)
  await cleanTranscripts(app)
  await cleanDeliveries(app)
  await cleanEvents(app)
  await cleanExports(app)
  await cleanCoverages(app)
}

const regular = [
  { name: 'clean', run: clean, every: '*/5 * * * *' },
  { name: 'reprove_next', run: reproveNext, every: '* * * * *' },
  { name: 'settle_open', run: settleOpen, every: '* * * * *' },
  { name: 'recheck_payments', run: recheckDue, every: '* * * * *' },
  { name: 'record_agent_payments', run: recordAgentPayments, every: '* * * * *' },
  { name: 'rewrap_agent_keys', run: rewrapAgentKeys, every: '*/5 * * * *' },
  { name: 'add_up_counters', run: addUpCounters, every: '* * * * *' },
  { name: 'close_days', run: closeEnded, every: '* * * * *' },
  { name: 'rename_chains', run: renameChains, every: '*/5 * * * *' },
  { name: 'watch_funds', run: watchFunds, every: '*/5 * * * *' },
]

export const regularTasks = regular.map(({ name, run }) => ({
  name,
  run: (app: App) => carriedOut(app, { task: name, origins: [] }, () => run(app)),
}))

export const crontab = regular.map(({ name, every }) => `${every} ${name} ?max=1`).join('\n')
