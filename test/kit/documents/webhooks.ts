// The rows of webhook endpoints, and of the deliveries to them.
import { add, moment, times, type World } from './projects.ts'
import { oddTexts } from './texts.ts'

export function addWebhooks(world: World, projectId: string, count: number): void {
  const { uuid, pick, chance } = world.random
  const maybe = <Value>(value: Value) => (chance(0.5) ? value : null)
  const endpointRows = times(count, n => ({
    id: uuid(),
    project_id: projectId,
    url: `https://hooks.example/${n}?'"`,
    description: pick(oddTexts),
    event_types: n % 2 ? ['receipt.anchored'] : ['receipt.failed', 'payment.settled'],
    disabled_at: n === 2 ? moment(n) : null,
    disabled_reason: n === 2 ? 'gone' : null,
    failing_since: maybe(moment(n)),
    created_at: moment(n),
    updated_at: moment(n + 1),
    deleted_at: n === 1 ? moment(n + 2) : null,
  }))
  add(world, 'webhook_endpoints', endpointRows)
  const events = (world.rows.events ?? []).filter(({ project_id }) => project_id === projectId).slice(0, count * 5)
  for (const [n, { id: event_id, receipt_id }] of events.entries()) {
    const id = (world.rows.webhook_deliveries?.length ?? 0) + 1
    const endpoint = n % 4 === 0 ? null : pick(endpointRows)
    const isOpen = chance(0.3)
    add(world, 'webhook_deliveries', [
      {
        id,
        project_id: projectId,
        event_id,
        endpoint_id: endpoint?.id ?? null,
        url: endpoint === null ? 'https://shop.example/callback' : null,
        receipt_id,
        lane: uuid(),
        state: isOpen ? 'waiting' : pick(['delivered', 'failed', 'gone', 'cancelled']),
        attempts: n % 4,
        next_attempt_at: isOpen ? moment(n) : null,
        created_at: moment(n),
        finished_at: isOpen ? null : moment(n + 1),
      },
    ])
    add(
      world,
      'webhook_attempts',
      times(n % 4, number => ({
        delivery_id: id,
        number: number + 1,
        started_at: moment(n),
        duration_ms: maybe(12),
        status_code: maybe(500),
        error: maybe('timeout'),
        answer_start: maybe(pick(oddTexts)),
      })),
    )
  }
}
