// The budget of a project for models per day (UTC). Before each step, one statement checks that budget is left and
// reserves the maximum cost of the step, so that concurrent requests together exceed the budget by less than one step.
// A reservation stays spent unless the step's usage is known to be less, also when the process dies.
import { AppError } from '../../core/errors.ts'
import { ownProject, type Principal } from '../../core/principal.ts'
import type { Ai, App } from '../../kit/context.ts'
import type { Usage } from '../../ports/model.ts'

export type Purse = {
  /** Reserves the maximum cost of a step with this many bytes of input. Throws `ai_budget_spent`. */
  before(bytes: number): Promise<void>
  after(usage: Usage | null): Promise<void>
}

const cost = (input: string, output: string) =>
  `(${input}::numeric * $3::numeric + ${output}::numeric * $4::numeric) / 1000000`

const setAside = `
  insert into model_usage as kept (subject, day, spent)
  values ($1, (now() at time zone 'utc')::date, ${cost('$5', '$6')})
  on conflict (subject, day) do update set spent = kept.spent + excluded.spent where kept.spent < $2::numeric
  returning day::text`

const settle = `
  update model_usage set input_tokens = input_tokens + $5, output_tokens = output_tokens + $6,
    spent = spent + ${cost('($5::bigint - $7::bigint)', '($6::bigint - $8::bigint)')}
  where subject = $1 and day = $2::date`

const secondsOfDay = 86_400

const payerOf = (principal: Principal): string =>
  principal.kind === 'admin' ? 'admin' : `project:${ownProject(principal)}`

/** Returns the purse of one conversation, whose steps follow one another. A token is at least one byte. */
export function purseOf({ pool }: App, ai: Ai, principal: Principal): Purse {
  const subject = payerOf(principal)
  const prices = [ai.inputPrice, ai.outputPrice]
  let open: { day: string; most: Usage } | null = null
  return {
    async before(bytes) {
      const most = { inputTokens: bytes, outputTokens: ai.maxOutputTokens }
      const values = [subject, ai.dailyBudget, ...prices, most.inputTokens, most.outputTokens]
      const { rows } = await pool.query<{ day: string }>(setAside, values)
      const [row] = rows
      if (row === undefined) {
        const seconds = secondsOfDay - Math.floor((Date.now() / 1_000) % secondsOfDay)
        throw new AppError('ai_budget_spent', undefined, { retryAfterSeconds: seconds })
      }
      open = { day: row.day, most }
    },
    async after(usage) {
      if (open === null) return
      const { day, most } = open
      open = null
      const used = usage ?? most
      await pool.query(settle, [
        ...[subject, day, ...prices],
        ...[used.inputTokens, used.outputTokens, most.inputTokens, most.outputTokens],
      ])
    },
  }
}
