// What the command and the test that repeats it have in common.
import type { Examples } from '../../src/rest/codegen/examples.ts'
import type { Gateway } from './gateway.ts'

/** Of the service that the story is told on: nothing but this machine is asked. */
export const settings = ({ url }: Gateway) => ({ IPFS_GATEWAY: url, ALLOW_PRIVATE_TARGETS: 'true', FX_ECB_URL: 'off' })

/** As rest/examples.json has it. */
export const textOf = (examples: Examples): string => `${JSON.stringify(examples, null, 2)}\n`
