// The dashboards of ops/grafana for Prometheus.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const datasource = z.strictObject({ type: z.literal('prometheus'), uid: z.templateLiteral(['$', '{datasource}']) })
const dashboard = z.object({
  uid: z.string(),
  title: z.string().min(1),
  schemaVersion: z.literal(39),
  templating: z.object({
    list: z.tuple([z.object({ name: z.literal('datasource'), query: z.literal('prometheus') })]),
  }),
  panels: z.array(
    z.object({
      id: z.int().positive(),
      type: z.enum(['timeseries', 'stat']),
      title: z.string().min(1),
      description: z.string().min(1),
      datasource,
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      targets: z.array(z.object({ refId: z.string(), datasource, expr: z.string(), legendFormat: z.string() })).min(1),
    }),
  ),
})
type Dashboard = z.output<typeof dashboard>

const folder = fileURLToPath(new URL('../../ops/grafana/dashboards', import.meta.url))

export const dashboards: readonly Dashboard[] = globSync(`${folder}/*.json`)
  .toSorted()
  .map(file => dashboard.parse(JSON.parse(readFileSync(file, 'utf8'))))

/** Grafana fills in a time of at least four scrapes. */
export const expressionsOf = ({ panels }: Pick<Dashboard, 'panels'>): string[] =>
  panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')))
