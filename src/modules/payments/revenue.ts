// Revenue by endpoint and by day, summed in one SQL statement, so that the parts add up to the total.
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
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

type OfEndpoint = { endpoint: string; count: number; revenue: string }
type OfDay = { date: string; count: number; revenue: string }
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
    select (now() at time zone 'UTC')::date - ($3::int - 1) as first, (now() at time zone 'UTC')::date as last
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
async function readRevenue({ facilitator }: App, sql: Sql, days: number, projectId: string | null): Promise<Revenue> {
  if (facilitator === null) throw new AppError('payments_disabled')
  const { network, asset } = facilitator
  const { symbol: currency } = await facilitator.token()
  const [sums] = await sql<Omit<Revenue, 'days' | 'currency'>>(revenueSql, [network, asset, days, projectId])
  if (sums === undefined) throw new Error('no sums')
  return { ...sums, days, currency }
}

// At least the payments that `revenueSql` reads.
const countSql = `
  select count(*)::int as count from payments
  where project_id = $1 and settled_at >= date_trunc('day', now(), 'UTC') - ($2::int - 1) * interval '24 hours'`
const paymentsPerUnit = 50

const revenueOf = (projectId: string, days: number, context: Context): Promise<Revenue> =>
  addingUp(context, 'payments', async sql => {
    const [{ count } = { count: 0 }] = await sql<{ count: number }>(countSql, [projectId, days])
    context.allowance.spend(Math.floor(count / paymentsPerUnit))
    return readRevenue(context, sql, days, projectId)
  })

const daysIn = (args: unknown): number => parse(revenueArguments, args).days ?? 7

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
    days: t.exposeInt('days', { description: 'Number of days, today included.' }),
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
    resolve: (_, args, context) => readRevenue(context, sqlOf(context.pool), daysIn(args), null),
  }),
)

builder.prismaObjectField('Project', 'revenue', t =>
  t.field({
    type: RevenueType,
    description:
      'Revenue of this service from the project’s payments that settled in the last days, in the current token.',
    args: argumentsOf(revenueArguments),
    authScopes: project => ({ project: project.id }),
    errors: revenueErrors,
    extensions: { cost: 20 },
    resolve: ({ id }, args, context) => revenueOf(id, daysIn(args), context),
  }),
)
