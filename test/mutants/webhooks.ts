import type { Mutant } from './mutant.ts'

const migration = 'prisma/migrations/20261126000000_init/migration.sql'

export const webhooks: Mutant[] = [
  {
    file: migration,
    text: '  PERFORM pg_advisory_xact_lock(7472, event_lock(new.project_id));\n',
    instead: '',
    tests: ['e2e/live'],
    harm: 'a dashboard never gets an event whose transaction committed after one with a larger number',
  },
  {
    file: migration,
    text: `d.state = 'gone')`,
    instead: 'false)',
    tests: ['e2e/webhooks'],
    harm: 'a receiver that answered 410 Gone is called indefinitely',
  },
  {
    file: 'src/modules/events/project.ts',
    text: `if (asked !== null && asked !== principal.projectId) throw notFound('project')`,
    instead: 'if (asked !== null) return asked',
    tests: ['http/access'],
    harm: 'a tenant follows the events of another',
  },
  {
    file: 'src/modules/events/follow.ts',
    text: ` and e.type <> 'receipt.refunded'`,
    instead: '',
    tests: ['e2e/live'],
    harm: 'a client that has followed a receipt to its end is resumed by a refund, as if the status had changed',
  },
  {
    file: 'src/modules/webhooks/replay.ts',
    text: 'where: { id: BigInt(id), ...ownedBy(principal) }',
    instead: 'where: { id: BigInt(id) }',
    tests: ['e2e/webhooks'],
    harm: 'a tenant has deliveries of another sent again',
  },
  {
    file: 'src/modules/webhooks/replay.ts',
    text: `when 'delivered' then $6::boolean`,
    instead: `when 'delivered' then true`,
    tests: ['e2e/webhooks'],
    harm: 'a replay sends delivered events again',
  },
  {
    file: 'src/modules/webhooks/endpoints.ts',
    text: '  ...ownedBy(principal),\n',
    instead: '',
    tests: ['http/access'],
    harm: 'a tenant sees and changes the endpoints of another',
  },
  {
    file: 'src/modules/webhooks/queue.ts',
    text: `next_attempt_at = now() + interval '\${leaseSeconds} seconds'`,
    instead: 'next_attempt_at = now()',
    tests: ['e2e/webhook-load'],
    harm: 'two workers send the same delivery at the same time',
  },
  {
    file: 'src/modules/webhooks/queue.ts',
    text: 'as ranked where rank <= places',
    instead: 'as ranked',
    tests: ['e2e/webhook-load'],
    harm: 'a receiver that hangs occupies the slots of all others of its project',
  },
  {
    file: 'src/modules/webhooks/send.ts',
    text: 'statusCode === 410 ?',
    instead: 'statusCode === 411 ?',
    tests: ['e2e/webhooks'],
    harm: 'an endpoint that is gone is called for days',
  },
  {
    file: 'src/modules/webhooks/plan.ts',
    text: 'askedFor(retryAfter, now) ?? 0',
    instead: '0',
    tests: ['unit/webhook-plan'],
    harm: 'a receiver’s Retry-After is ignored',
  },
  {
    file: 'src/modules/webhooks/secrets.ts',
    text: ' and (expires_at is null or expires_at > now())\n     order by',
    instead: '\n     order by',
    tests: ['e2e/webhooks'],
    harm: 'a secret that was replaced because it leaked signs indefinitely',
  },
  {
    file: 'src/modules/webhooks/record-outcome.ts',
    text: `e.failing_since < now() - interval '\${failingDays} days'`,
    instead: 'false',
    tests: ['e2e/webhooks'],
    harm: 'an endpoint that fails for days is called indefinitely',
  },
  {
    file: 'src/adapters/public-fetch.ts',
    text: '!addresses.every(',
    instead: '!addresses.some(',
    tests: ['e2e/webhooks'],
    harm: 'a name with a public and a private address leads into the private network',
  },
]
