// Settings and output format shared by `npm run examples` and the test that repeats its run.
import type { Examples } from '../../src/rest/codegen/examples.ts'
import type { Gateway } from './gateway.ts'
import type { Model } from './model.ts'

/** Settings of the service on which the examples are run: it calls nothing outside this machine. */
export const settings = (gateway: Gateway, model: Model) => ({
  IPFS_GATEWAY: gateway.url,
  ALLOW_PRIVATE_TARGETS: 'true',
  FX_ECB_URL: 'off',
  AI_PROVIDER: 'openai-compatible',
  AI_MODEL: 'example-model',
  AI_BASE_URL: model.url,
  AI_INPUT_PRICE: '3',
  AI_OUTPUT_PRICE: '15',
  AI_DAILY_BUDGET: '5',
})

/** Returns the text of rest/examples.json. */
export const textOf = (examples: Examples): string => `${JSON.stringify(examples, null, 2)}\n`
