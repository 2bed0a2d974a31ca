// `quittance listen`: prints the events of a project as they happen, and sends them to a URL as webhooks are sent.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { webhookTypes } from '../core/event-types.ts'
import { visible } from '../core/visible.ts'
import { webhookId } from '../modules/webhooks/envelope.ts'
import { command, readArguments } from './command.ts'
import { eventType } from './event-type.ts'
import { type Followed, follow } from './listen/events.ts'
import { forward } from './listen/forward.ts'
import {
  bareUrl,
  projectOf,
  query,
  type Service,
  serviceOf,
  serviceOptions,
  serviceShape,
  serviceUsage,
} from './service.ts'

const usage = `usage: quittance listen [--forward <url>] [options]

  --forward <url>      POST each event to this URL, such as http://localhost:3000/hook; by default only print them
${serviceUsage}
  --types <list>       only these types, such as receipt.anchored,receipt.failed; all by default
  --after <event id>   begin after this event; by default with the next new event
  --secret <whsec_…>   sign the requests with this secret; by default one is made and printed

For development: follows the events of the key's project and prints a line for each. With --forward each is sent as
a webhook is, with the same webhook-id and body: in order, one at a time, and once, whatever the response is. When the
connection is lost, the command reconnects and continues after the last event. It runs until Ctrl-C or SIGTERM.
Exit code: 0 when it was ended, 1 when the service refuses or cannot be reached, 2 for wrong usage.`

const options = {
  ...serviceOptions,
  forward: { type: 'string' },
  types: { type: 'string' },
  after: { type: 'string' },
  secret: { type: 'string' },
} as const

const isSecret = (value: string) => {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/.exec(value) ?? []
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64
}

const shape = z
  .object({
    ...serviceShape,
    forward: bareUrl.optional(),
    types: z
      .string()
      .transform(list => list.split(',').map(type => type.trim()))
      .pipe(z.array(eventType(webhookTypes)))
      .optional(),
    after: z
      .string()
      .regex(/^(evt_)?\d{1,18}$/, 'must be the id of an event')
      .transform(id => id.replace('evt_', ''))
      .optional(),
    secret: z.string().refine(isSecret, 'must be whsec_ and 24 to 64 bytes in base64').optional(),
  })
  .refine(({ secret, forward }) => secret === undefined || forward !== undefined, {
    path: ['secret'],
    error: 'has no effect without --forward',
  })

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    const { values } = readArguments(args, options, shape)
    const service = serviceOf(values)
    const newest = await newestEvent(service)
    const { forward: address, types = null, after = newest } = values
    const secret = values.secret ?? `whsec_${randomBytes(24).toString('base64')}`
    line('service', service.url)
    line('events', types?.join(', ') ?? 'all')
    line('forward to', address ?? 'nowhere: give --forward')
    if (address !== undefined && values.secret === undefined) line('secret', secret)
    console.log('Listening. Ctrl-C ends it.')
    const { signal, release } = untilEnded()
    let done = after
    try {
      for await (const event of follow(service, { types, after, signal }, notices)) {
        const answer = address === undefined ? '' : await forward(event, { address, secret, signal })
        console.log(lineOf(event, answer ?? 'interrupted'))
        if (answer === null) break
        done = event.cursor
      }
    } finally {
      release()
    }
    console.log(`Ended. To go on from here: --after ${webhookId(done)}`)
    return 0
  })

const line = (name: string, value: string) => console.log(`${name.padEnd(12)} ${value}`)

const notices = {
  lost: (reason: string) =>
    console.error(`The connection is lost: ${visible(reason)}. It is tried again until it is back.`),
  back: () => console.error('The connection is back.'),
}

/** Returns a line: the time, the event's id and type, its subject, and the response. */
function lineOf({ cursor, type, occurredAt, data }: Followed, answer: string): string {
  const subject = String(data.receipt_id ?? data.id ?? '')
  return [occurredAt, webhookId(cursor), visible(type).padEnd(23), visible(subject.slice(0, 64)), answer]
    .join('  ')
    .trimEnd()
}

const cursor = z.object({ eventCursor: z.string().regex(/^\d{1,18}$/) })

/**
 * Returns the newest event. It is read before the stream is opened, so that no event is missed when the first
 * connection is cut before its first event.
 */
async function newestEvent(service: Service): Promise<string> {
  await projectOf(service)
  const { eventCursor } = await query(service, '{ eventCursor }', cursor)
  return eventCursor
}

function untilEnded() {
  const ending = new AbortController()
  const end = () => ending.abort()
  // A terminal sends Ctrl-C to this process and to its parent, which passes the signal on: it may come twice.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
  // The reader of standard output is gone.
  process.stdout.on('error', end)
  const release = () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
  }
  return { signal: ending.signal, release }
}
