// Causes an agent event: anchors a random hash for an agent of the project, and waits until the anchor is confirmed.
import { z } from 'zod'
import { CommandError } from '../command.ts'
import { ask } from '../service.ts'
import { type Maker, madeUp } from './maker.ts'
import { until } from './until.ts'

const name = 'quittance trigger'

const agent = z.object({ id: z.uuid(), name: z.string() })
const requested = z.object({ anchor_id: z.uuid() })
const anchors = z.array(
  z.object({
    id: z.uuid(),
    status: z.enum(['pending', 'confirmed', 'failed']),
    anchor_txid: z.string().nullable(),
  }),
)

export const anchorForAgent: Maker = async service => {
  const agents = await ask(service, 'GET', '/v1/agents', z.array(agent))
  const known = agents.find(one => one.name === name)
  const create = { name, wallet_address: madeUp(20) }
  const { id } = known ?? (await ask(service, 'POST', '/v1/agents', agent, create))
  const path = `/v1/agents/${id}`
  const { anchor_id } = await ask(service, 'POST', `${path}/anchor`, requested, { bundle_hash: madeUp(32) })
  const anchor = await until(
    async () => (await ask(service, 'GET', `${path}/anchors`, anchors)).find(one => one.id === anchor_id),
    found => {
      if (found?.status === 'failed') throw new CommandError(`The anchor ${anchor_id} failed.`)
      return found?.status === 'confirmed'
    },
    () => `The anchor ${anchor_id} is still pending: does a worker run, and does the chain answer?`,
  )
  return [
    ['agent', id],
    ['anchor', anchor_id],
    ['status', 'confirmed'],
    ['transaction', anchor?.anchor_txid ?? ''],
  ]
}
