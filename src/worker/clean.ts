// What has served its time is deleted every few minutes: sign-in nonces, windows of rate limits, kept answers.
import { cleanIdempotentRequests } from '../idempotency/reservations.ts'
import type { App } from '../kit/context.ts'
import { sqlOf } from '../kit/transaction.ts'
import { cleanRateWindows } from '../limits/limiter.ts'
import { cleanNonces } from '../modules/signin/nonce.ts'

export const clean = {
  name: 'clean',
  async run(app: App): Promise<void> {
    const sql = sqlOf(app.pool)
    for (const step of [cleanNonces, cleanRateWindows, cleanIdempotentRequests]) await step(sql)
  },
}

export const crontab = `*/5 * * * * ${clean.name} ?max=1`
