// Data that messages state about one party of a payment, provided by a project or, for its own projects, by the
// organisation.
import { z } from 'zod'
import { country, lei } from '../../core/iso-text.ts'
import { text } from '../../core/text.ts'

/** Makes a schema optional: absent or null becomes the fallback. */
export const or = <Type extends z.ZodType, const Fallback>(type: Type, fallback: Fallback) =>
  type.nullish().transform(value => value ?? fallback)

// Max140Text: one of the two common XML validators counts its length in UTF-16 units.
export const name140 = text(140).refine(value => value.length <= 140, {
  error: 'Must be at most 140 UTF-16 units.',
  params: { type: 'string_too_long' },
})

export const party = z
  .strictObject({
    name: or(name140, null).describe('Name of the party, in place of its wallet address.'),
    country: or(country, null).describe('Country of residence, ISO 3166-1 alpha-2.'),
    lei: or(lei, null).describe('Legal entity identifier, ISO 17442.'),
  })
  .meta({ graphql: 'MessageParty', description: 'Data that messages state about one party of a payment.' })
export type Party = z.output<typeof party>

export const noParty: Party = party.parse({})
