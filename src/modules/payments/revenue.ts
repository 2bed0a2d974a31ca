// Revenue by endpoint and by day, summed in one SQL statement, so that the parts add up to the total.
import { z } from 'zod'
import { AppError, invalid } from '../../core/errors.ts'
import { dayRange } from '../../core/ranges.ts'
import { builder } from '../../kit/builder.ts'
import type { App, Context } from '../../kit/context.ts'
import { addingUp } from '../../kit/counting.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { type Sql, sqlOf } from '../../kit/transaction.ts'

const revenueArguments = z.strictObject({
  days: z
    .int()
    .min(1)
    .max(365)
    .nullish()
    .meta({ graphql: 'Int', default: 7 })
    .describe('Number of days in UTC, ending with today: 1 to 365.'),
})

const mostDays = 366

const projectArguments = z.strictObject({
  range: dayRange
    .nullish()
    .describe(
      `Days on which the payments were settled, at most ${mostDays}. An open end is today, an open begin 7 days with it.`,
    ),
})

type OfEndpoint = { endpoint: string; count: number; revenue: string }
type OfDay = { date: string; count: number; revenue: string }
/** The days in UTC, both included. */
type Days = { first: string; last: string }
/** Amounts are decimal strings in units of the token. */
type Revenue = {
  totalRevenue: string
  paymentCount: number
  days: number
  currency: string
  byEndpoint: OfEndpoint[]
  byDay: OfDay[]
}

const revenueSql = `
  with span as (
    select $3::date as first, $5::date as last
  ), taken as (
    select endpoint, (settled_at at time zone 'UTC')::date as day, amount from payments, span
    where network = $1 and asset = $2 and ($4::uuid is null or project_id = $4::uuid) and status in ('settled', 'delivered')
      and settled_at >= first::timestamp at time zone 'UTC' and settled_at < (last + 1)::timestamp at time zone 'UTC'
  ), endpoints as (
    select endpoint, count(*) as count, sum(amount)::text as revenue from taken group by endpoint
  ), days as (
    select to_char(day, 'YYYY-MM-DD') as date, count(amount) as count, coalesce(sum(amount), 0)::text as revenue
    from (select generate_series(first::timestamp, last::timestamp, interval '1 day')::date as day from span) as calendar
    left join taken using (day) group by day
  )
  select
    (select coalesce(sum(amount), 0)::text from taken) as "totalRevenue",
    (select count(*)::int from taken) as "paymentCount",
    (select coalesce(json_agg(endpoints order by endpoint), '[]') from endpoints) as "byEndpoint",
    (select json_agg(days order by date) from days) as "byDay"`

/**
 * Reads revenue in the current token, because different tokens cannot be summed: from the payments of a project, or
 * from all. Errors: `payments_disabled`, `chain_unavailable`.
 */
async function readRevenue(
  { facilitator }: App,
  sql: Sql,
  { first, last }: Days,
  projectId: string | null,
): Promise<Revenue> {
  if (facilitator === null) throw new AppError('payments_disabled')
  const { network, asset } = facilitator
  const { symbol: currency } = await facilitator.token()
  const values = [network, asset, first, projectId, last]
  const [sums] = await sql<Omit<Revenue, 'days' | 'currency'>>(revenueSql, values)
  if (sums === undefined) throw new Error('no sums')
  return { ...sums, days: sums.byDay.length, currency }
}

// At least the payments that `revenueSql` reads.
const countSql = `
  select count(*)::int as count from payments
  where project_id = $1 and settled_at >= $2::date::timestamp at time zone 'UTC'
    and settled_at < ($3::date + 1)::timestamp at time zone 'UTC'`
const paymentsPerUnit = 50

const revenueOf = (projectId: string, days: Days, context: Context): Promise<Revenue> =>
  addingUp(context, 'payments', async sql => {
    const [{ count } = { count: 0 }] = await sql<{ count: number }>(countSql, [projectId, days.first, days.last])
    context.allowance.spend(Math.floor(count / paymentsPerUnit))
    return readRevenue(context, sql, days, projectId)
  })

const today = () => new Date().toISOString().slice(0, 10)
const daysBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)

/** Returns the last days, today included. */
function lastDays(args: unknown): Days {
  const last = today()
  return { first: daysBefore(last, (parse(revenueArguments, args).days ?? 7) - 1), last }
}

/** Errors: `validation_failed`. */
function daysIn(args: unknown): Days {
  const { since, until } = parse(projectArguments, args).range ?? {}
  const last = until ?? today()
  const first = since ?? daysBefore(last, 6)
  const refuse = (message: string) => {
    throw invalid([{ path: ['range'], message, type: 'value_error' }])
  }
  if (first > last) refuse('Must not end before it begins.')
  if (first < daysBefore(last, mostDays - 1)) refuse(`Must have at most ${mostDays} days.`)
  return { first, last }
}

const inUnits = 'In units of the token, exactly.'

const OfEndpointType = builder.objectRef<OfEndpoint>('EndpointRevenue').implement({
  description: 'Revenue of one endpoint.',
  fields: t => ({
    endpoint: t.exposeString('endpoint', { description: 'The endpoint’s path in the price list.' }),
    count: t.exposeInt('count', { description: 'Number of payments.' }),
    revenue: t.expose('revenue', { type: 'Decimal', description: inUnits }),
  }),
})

const OfDayType = builder.objectRef<OfDay>('DayRevenue').implement({
  description: 'Revenue of one day.',
  fields: t => ({
    date: t.expose('date', { type: 'Date', description: 'The day in UTC, such as 2026-01-31.' }),
    count: t.exposeInt('count', { description: 'Number of payments settled on this day.' }),
    revenue: t.expose('revenue', { type: 'Decimal', description: inUnits }),
  }),
})

const RevenueType = builder.objectRef<Revenue>('Revenue').implement({
  description: 'Revenue in the current token.',
  fields: t => ({
    totalRevenue: t.expose('totalRevenue', { type: 'Decimal', description: inUnits }),
    paymentCount: t.exposeInt('paymentCount', { description: 'Number of settled payments.' }),
    days: t.exposeInt('days', { description: 'Number of days.' }),
    currency: t.exposeString('currency', { description: 'The token’s ticker.' }),
    byEndpoint: t.expose('byEndpoint', { type: [OfEndpointType], description: 'Endpoints with payments, by path.' }),
    byDay: t.expose('byDay', { type: [OfDayType], description: 'Every day, oldest first.' }),
  }),
})

const revenueErrors = ['payments_disabled', 'chain_unavailable'] as const

builder.queryField('revenue', t =>
  t.field({
    type: RevenueType,
    description:
      'Revenue from payments settled in the last days, in the current token, because amounts of different tokens cannot be added up.',
    args: argumentsOf(revenueArguments),
    access: 'admin',
    input: revenueArguments,
    errors: revenueErrors,
    resolve: (_, args, context) => readRevenue(context, sqlOf(context.pool), lastDays(args), null),
  }),
)

builder.prismaObjectField('Project', 'revenue', t =>
  t.field({
    type: RevenueType,
    description:
      'Revenue of this service from the project’s payments that settled in a range of days, in the current token.',
    args: argumentsOf(projectArguments),
    authScopes: project => ({ project: project.id }),
    errors: revenueErrors,
    extensions: { cost: 20 },
    resolve: ({ id }, args, context) => revenueOf(id, daysIn(args), context),
  }),
)
