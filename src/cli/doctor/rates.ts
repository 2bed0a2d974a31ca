// Checks the rate providers that the settings name: each is asked for one rate. The European Central Bank is not asked,
// because it is queried without a setting too.
import { createChainlinkRates } from '../../adapters/chainlink-rates.ts'
import { configuredChains } from '../../adapters/chains-file.ts'
import { createHttpRates } from '../../adapters/http-rates.ts'
import { fetchOwn } from '../../adapters/public-fetch.ts'
import type { Env } from '../../env.ts'
import type { FxRates } from '../../ports/fx-rates.ts'
import { about, type Finding, wordsOf } from './finding.ts'

export async function inspectRates(env: Env): Promise<Finding[]> {
  const { rateService, FX_FEEDS: feeds } = env
  return Promise.all([
    ...(rateService === null ? [] : [inspect(createHttpRates(rateService, fetchOwn), 'EUR', 'USD')]),
    ...(feeds ?? []).map(async feed => inspect(await feedsOf(env, [feed]), feed.base, feed.quote)),
  ])
}

async function feedsOf(env: Env, feeds: NonNullable<Env['FX_FEEDS']>): Promise<FxRates> {
  const configured = env.chain === null && env.CHAINS_FILE === null ? { chains: [] } : await configuredChains(env)
  const [chain] = 'chains' in configured ? configured.chains : []
  const rpcUrls = env.FX_RPC_URL ?? chain?.rpcUrls ?? []
  return createChainlinkRates({ name: 'of the price feeds', chainId: null, rpcUrls, feeds })
}

async function inspect(provider: FxRates, base: string, quote: string): Promise<Finding> {
  const { ok, warn } = about('rates')
  try {
    const found = await provider.rate(base, quote)
    if (found !== null) return ok(`${provider.name} answers: one ${base} is ${found.rate} ${quote}.`)
    return warn(`${provider.name} knows no rate of ${base} in ${quote}: is its address right?`)
  } catch (error) {
    const cause = error instanceof Error && error.cause ? ` ${wordsOf(error.cause)}.` : ''
    return warn(`${wordsOf(error)}${cause} Receipts that need its rates would wait.`)
  }
}
