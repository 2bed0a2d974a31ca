// Names the settings whose secret anybody could guess or look up.
import { HDNodeWallet } from 'ethers'
import type { NamedKey } from '../kit/context.ts'

type Secrets = {
  ADMIN_API_KEYS: readonly string[] | null
  METRICS_TOKEN: string | null
  SECRETS_KEY: readonly NamedKey[] | null
  WEBHOOK_SECRET: readonly NamedKey[] | null
  ANCHOR_PRIVATE_KEY: string | null
  X402_FACILITATOR_PRIVATE_KEY?: string | undefined
}

// Random keys of 24 letters, 32 bytes or 64 hex digits have fewer in less than one of 10^9 cases.
const fewestDifferent = 6

const isRepetitive = (secret: Iterable<unknown>) => new Set(secret).size < fewestDifferent

// The mnemonics of the accounts of Hardhat and Anvil, of Ganache, and of Truffle.
const knownPhrases = [
  'test test test test test test test test test test test junk',
  'myth like bonus scare over problem client lizard pioneer submit female collect',
  'candy maple cake sugar pudding cream honey rich smooth crumble sweet treat',
]
const accountsOfPhrase = 20

/** Whether development tools print this private key for everybody. */
function isKnown(privateKey: string): boolean {
  return knownPhrases.some(phrase => {
    const accounts = HDNodeWallet.fromPhrase(phrase, '', `m/44'/60'/0'/0`)
    return Array.from({ length: accountsOfPhrase }, (_, index) => accounts.deriveChild(index).privateKey).includes(
      privateKey.toLowerCase(),
    )
  })
}

/** Returns a fault for each setting whose secret is none. */
export function secretFaults(secrets: Secrets): string[] {
  const repetitive = [
    ['ADMIN_API_KEYS', secrets.ADMIN_API_KEYS ?? []],
    ['METRICS_TOKEN', secrets.METRICS_TOKEN === null ? [] : [secrets.METRICS_TOKEN]],
    ['SECRETS_KEY', (secrets.SECRETS_KEY ?? []).map(({ key }) => key)],
    ['WEBHOOK_SECRET', (secrets.WEBHOOK_SECRET ?? []).map(({ key }) => key)],
  ] as const
  const wallets = [
    ['ANCHOR_PRIVATE_KEY', secrets.ANCHOR_PRIVATE_KEY],
    ['X402_FACILITATOR_PRIVATE_KEY', secrets.X402_FACILITATOR_PRIVATE_KEY],
  ] as const
  const isShared = secrets.METRICS_TOKEN !== null && secrets.ADMIN_API_KEYS?.includes(secrets.METRICS_TOKEN)
  return [
    ...(isShared ? ['METRICS_TOKEN is one of ADMIN_API_KEYS: whoever reads metrics would administer the service'] : []),
    ...repetitive
      .filter(([, values]) => [...values].some(isRepetitive))
      .map(([name]) => `${name} is no secret: it repeats a few characters. Make it from 32 random bytes`),
    ...wallets.flatMap(([name, key]) => {
      if (key == null) return []
      if (isRepetitive(Buffer.from(key.slice(2), 'hex'))) return [`${name} is no secret: it repeats a few bytes`]
      return isKnown(key) ? [`${name} is a published key of development tools: anybody can spend its money`] : []
    }),
  ]
}
