// /.well-known/x402: lists all paid endpoints for programs that search for paid services. The list is read in advance;
// the challenge of a request is binding.
import type { PaidOffer } from '../modules/x402/offers.ts'
import { inBazaar } from './bazaar.ts'

/**
 * `resources`: the URLs that crawlers request one after the other (version 1 of that form); `items`: how to call each
 * endpoint and what it costs, as in the drafts of x402 version 2.
 */
export const x402Document = (offers: readonly PaidOffer[], publicBaseUrl: string) => ({
  version: 1,
  x402Version: 2,
  resources: offers.map(({ path }) => `${publicBaseUrl}${inBazaar(path).resource}`),
  items: offers.flatMap(offer => itemsOf(offer, publicBaseUrl)),
})

function itemsOf({ path, description, requirement }: PaidOffer, publicBaseUrl: string) {
  const { route, tool } = inBazaar(path)
  const accepts = [requirement]
  const itemOf = (type: 'http' | 'mcp', resource: string, { info, routeTemplate }: typeof route) => ({
    resource: {
      url: `${publicBaseUrl}${resource}`,
      description,
      mimeType: 'application/json',
      serviceName: 'Quittance',
    },
    type,
    accepts,
    input: { ...info.input, ...(routeTemplate !== undefined && { routeTemplate }) },
    output: info.output,
  })
  return [itemOf('http', path, route), itemOf('mcp', '/mcp', tool)]
}
