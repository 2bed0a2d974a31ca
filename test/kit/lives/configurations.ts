// The configurations that a project has one after the other: whom it names, in which spellings, and where its days
// begin.
import type { Listed } from './audit.ts'
import type { World } from './generate.ts'
import { type Dictionary, families, familyNames, type Spelled } from './spellings.ts'

const zones = ['UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Auckland']
const timeZoneOf = (project: number, version: number) => zones[(project + (version === 3 ? 1 : 0)) % zones.length]

/** The wallets that a party lists: with their chain, without it, and in the other notations of their family. */
const wallets = (list: readonly (readonly [Spelled, Spelled | null])[], words: Dictionary, version: number) =>
  list.map(([wallet, chain], index) => ({
    address: words.write(wallet, index + version),
    ...(chain !== null && { chain: words.write(chain, index + version) }),
  }))

const withoutChain = ({ meaning, spellings }: Spelled): Spelled => ({
  meaning,
  spellings: spellings.filter(text => !text.includes(':')),
})

/**
 * Returns a project's configuration, and its names with the wallets that they are for. The second
 * configuration names other customers, the third leaves a wallet of the project out, the fourth moves its days.
 */
export function configurationOf(project: number, version: number, world: World, words: Dictionary) {
  const name = (party: string) => `P${project}v${version} ${party} & <Co>`
  const own = familyNames.flatMap(family =>
    world[family].own.slice(version === 2 ? 1 : 0).map(wallet => [wallet, family] as const),
  )
  const customers = familyNames.flatMap(family =>
    (version === 1 ? world[family].strangers.slice(0, 1) : world[family].customers).map(
      wallet => [wallet, family] as const,
    ),
  )
  const limited = own.map(
    ([wallet, family], index) => [wallet, index % 2 === 0 ? families[family].chain : null] as const,
  )
  // A wallet of Base that is listed for Ethereum alone names nobody on Base.
  const elsewhere = world.base.strangers
    .slice(2)
    .map(wallet => [withoutChain(wallet), families.ethereum.chain] as const)
  const listed: Listed[] = [
    {
      name: name('creditor'),
      project,
      configuration: version,
      wallets: new Set(own.map(([wallet]) => wallet.meaning)),
    },
    {
      name: name('debtor'),
      project,
      configuration: version,
      wallets: new Set(customers.map(([wallet]) => wallet.meaning)),
    },
  ]
  return {
    input: {
      anchoring: { executionMode: 'PLATFORM', chains: [] },
      timeZone: timeZoneOf(project, version),
      parties: {
        initiator: { name: `P${project}v${version} initiator` },
        creditor: { name: name('creditor'), wallets: wallets(limited, words, version) },
        debtor: {
          name: name('debtor'),
          country: 'DE',
          wallets: wallets([...customers.map(([wallet]) => [wallet, null] as const), ...elsewhere], words, version),
        },
      },
    },
    listed,
  }
}
