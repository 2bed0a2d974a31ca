// Changes the prices of paid endpoints. New prices apply from the next challenge on.
import { z } from 'zod'
import { amount } from '../../core/amount.ts'
import { invalid } from '../../core/errors.ts'
import { evmAddress } from '../../core/text.ts'
import { verb } from '../../kit/verb.ts'
import { endpoints } from './endpoints.ts'

const known = new Set<string>(Object.values(endpoints).map(({ path }) => path))

const nobody = `0x${'00'.repeat(20)}`

const listed = 'As in the price list, where it is read from: accepted so that an entry of the list can be sent back.'
const asListed = {
  currency: z.string().max(255).meta({ graphql: 'String' }).optional().describe(listed),
  network: z.string().max(255).meta({ graphql: 'String' }).optional().describe(listed),
  asset: evmAddress.optional().describe(listed),
}

const change = z
  .strictObject({
    path: z.string().max(255).meta({ graphql: 'String' }).describe('The endpoint’s path in the price list.'),
    price: amount
      .nullish()
      .describe('In units of the token; unchanged unless given, null: the price of the specification.'),
    recipient: evmAddress.nullish().describe('Address that is paid; unchanged unless given, null: the service’s own.'),
    enabled: z
      .boolean()
      .nullish()
      .meta({ graphql: 'Boolean' })
      .describe('Whether the endpoint can be bought; unchanged unless given, null: it can.'),
    ...asListed,
  })
  .meta({ graphql: 'PriceChange', description: 'Changes to one price.' })

const setPricesInput = z.strictObject({
  prices: z.array(change).min(1).max(100).describe('Each path once; prices not named stay unchanged.'),
})

/** Errors: `forbidden`, `validation_failed`, `chain_unavailable`. */
export const setPrices = verb({
  name: 'pricing.set',
  access: 'admin',
  input: setPricesInput,
  async prepare({ prices }, { facilitator }) {
    const token = facilitator && (await facilitator.token())
    const fixed = { currency: token?.symbol, network: facilitator?.network, asset: facilitator?.asset }
    const issues = prices.flatMap(({ path, price, recipient, ...setting }, index) => {
      const issue = (member: string, message: string) => [
        { path: ['input', 'prices', index, member], message, type: 'value_error' },
      ]
      if (!known.has(path)) return issue('path', 'No paid endpoint has this path.')
      if (prices.findIndex(other => other.path === path) !== index) return issue('path', 'Each path once.')
      const changed = (['currency', 'network', 'asset'] as const).find(
        member => (setting[member] ?? fixed[member]) !== fixed[member],
      )
      if (changed !== undefined) return issue(changed, 'The service’s settings decide this.')
      const digits = price?.split('.')[1]?.length ?? 0
      if (token && digits > token.decimals) return issue('price', `The token has ${token.decimals} decimals.`)
      if (recipient != null && (recipient === nobody || recipient === facilitator?.asset))
        return issue('recipient', 'Payments to this address could not be spent.')
      return []
    })
    if (issues.length > 0) throw invalid(issues)
  },
  async run(tx, { prices }) {
    const audit = []
    for (const { path, price, recipient, enabled } of prices) {
      const setting = {
        ...(price !== undefined && { price }),
        ...(recipient !== undefined && { recipient }),
        ...(enabled !== undefined && { enabled }),
      }
      await tx.db.priceSetting.upsert({ where: { path }, create: { path, ...setting }, update: setting })
      audit.push({ objectType: 'price', objectId: path, projectId: null, details: setting })
    }
    return { result: undefined, audit }
  },
})
