// Payment types: the keys of the price list in snake case, as the API names what a payment bought.
import { z } from 'zod'
import { endpoints } from './endpoints.ts'

const wireName = (key: string) => key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const entries = Object.entries(endpoints).map(([key, endpoint]) => ({ type: wireName(key), ...endpoint }))
const types = new Map(entries.map(({ type, path }) => [String(path), type]))
const paths = new Map(entries.map(({ type, path }) => [type, path]))

/** `fx_lookup` and so on. */
const paymentTypes: readonly string[] = entries.map(({ type }) => type)

/** The description of what each type of payment buys. */
const paymentTexts = Object.fromEntries(entries.map(({ type, description }) => [type, description]))

export const paymentType = z.enum(paymentTypes).meta({
  graphql: 'PaymentType',
  description: 'Type of a payment: one value for each entry of the price list.',
  values: paymentTexts,
})

/** Returns the payment type of a path; null if the path is no longer in the price list. */
export const typeOf = (path: string): string | null => types.get(path) ?? null

export const typeInSql = (path: string): string =>
  `case ${path} ${entries.map(entry => `when '${entry.path}' then '${entry.type}'`).join(' ')} end`

export function pathOf(type: string): string {
  const path = paths.get(type)
  if (path === undefined) throw new Error(`${type} is not sold`)
  return path
}
