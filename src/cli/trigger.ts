// `quittance trigger`: causes an event in a service that anchors on a local chain, and prints the result.
import { z } from 'zod'
import { type WebhookType, webhookTypes } from '../core/event-types.ts'
import { CommandError, command, readArguments, UsageError } from './command.ts'
import { eventType } from './event-type.ts'
import { serviceOf, serviceOptions, serviceShape, serviceUsage } from './service.ts'
import { anchorForAgent } from './trigger/agent.ts'
import { demandLocalChain } from './trigger/local-chain.ts'
import type { Maker } from './trigger/maker.ts'
import { recordUntil, refundReceipt } from './trigger/receipt.ts'

const usage = `usage: quittance trigger <type> [options]

${serviceUsage}

For development: causes a real event of the key's project. The types are
  receipt.pending, receipt.awaiting_anchor, receipt.anchored   a made-up payment is recorded
  receipt.refunded                                             it is anchored, then refunded
  receipt.settlement_checked                                   a made-up payment is recorded on the local chain
  agent.anchored                                               a random hash is anchored for an agent
Waits until it has happened. Refuses a service that anchors on anything but a local chain, because an invented payment
must never be anchored on a public one.
Exit code: 0 when the event has happened, 1 when it has not, 2 for wrong usage.`

const onlyByReorganisation = (type: string) =>
  `${type} cannot be triggered, because only a reorganisation of the chain of a real payment causes it.`

/** How each event is caused, or why it cannot be. */
const makers: Record<WebhookType, Maker | string> = {
  'receipt.pending': recordUntil('pending'),
  'receipt.awaiting_anchor': recordUntil('awaiting_anchor'),
  'receipt.anchored': recordUntil('anchored'),
  'receipt.refunded': refundReceipt,
  'receipt.settlement_checked': recordUntil('awaiting_anchor', 'local'),
  'agent.anchored': anchorForAgent,
  'receipt.failed': `receipt.failed cannot be triggered, because a receipt fails only when a compliance check that is enforced denies its payment.
Start the service with COMPLIANCE_PROVIDERS=no=fixed:deny, give PUT /v1/config as administrator
{"compliance":{"sanctions_provider":"no","sanctions_enforce":true}}, and trigger receipt.pending: that receipt fails.`,
  'payment.settled': `payment.settled cannot be triggered, because only a payment that was really made settles.
Buy something with the project's key as X-API-Key: buy.ts in docs/payments.md does it with test dollars.
(npm run demo:pay shows a payment too, but in a service of its own.)`,
  'payment.corrected': onlyByReorganisation('payment.corrected'),
  'payment.reversed': onlyByReorganisation('payment.reversed'),
}

const triggered = eventType(webhookTypes.filter(type => typeof makers[type] !== 'string'))

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    const { values, positionals } = readArguments(args, serviceOptions, z.object(serviceShape), ['type'])
    const { success, data: type, error } = triggered.safeParse(positionals[0])
    if (!success) throw new UsageError(`${error.issues[0]?.message}.`)
    const make = makers[type]
    if (typeof make === 'string') throw new CommandError(make)
    const service = serviceOf(values)
    await demandLocalChain(service)
    for (const [name, value] of await make(service)) console.log(`${name.padEnd(12)} ${value}`)
    return 0
  })
