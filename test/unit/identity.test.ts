// Which spellings are the same chain, address or transaction, and which are not.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import evmChains from '../../src/core/evm-chains.json' with { type: 'json' }
import {
  addressKey,
  aliasesWith,
  chainKey,
  foldedChain,
  knownChains,
  settlementOf,
  transactionKey,
} from '../../src/core/identity.ts'
import { otherChains } from '../../src/core/other-chains.ts'
import { readEnv } from '../../src/env.ts'

const hash = `0x${'Ab'.repeat(32)}`
const address = `0x${'Cd'.repeat(20)}`

describe('a chain', () => {
  const key = (chain: string) => chainKey(chain, knownChains)

  it.each([
    ['eip155:8453', ['base', 'Base', ' BASE ', 'base-mainnet', 'EIP155:8453', '8453']],
    ['eip155:84532', ['base-sepolia', 'Base Sepolia', 'baseSepolia', 'base_sepolia']],
    ['eip155:43113', ['avalanche-fuji', 'Avalanche Fuji']],
    ['eip155:1', ['ethereum', 'Ethereum Mainnet', 'eth', 'eth-mainnet', '1']],
    ['eip155:42161', ['arbitrum', 'Arbitrum One', 'arb1']],
    ['eip155:10', ['optimism', 'OP Mainnet', 'oeth']],
    ['eip155:14', ['flare', 'Flare Mainnet']],
    ['eip155:728126428', ['tron', 'TRON', 'tron:0x2b6653dc']],
    ['bip122:000000000019d6689c085ae165831e93', ['bitcoin', 'BTC', 'BIP122:000000000019D6689C085AE165831E93']],
    ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', ['solana', 'Solana', 'solana:mainnet']],
    ['xrpl:0', ['xrpl', 'XRPL', 'xrp-ledger']],
    ['stellar:pubnet', ['stellar', 'stellar:pubnet']],
    ['sui:mainnet', ['sui', 'sui:mainnet']],
  ])('%s has other names', (id, names) => {
    expect(names.map(key)).toEqual(names.map(() => id))
  })

  it('that nobody lists has its name in lower-case, and a CAIP-2 id that nobody lists keeps its reference', () => {
    expect(key(' Acme Chain ')).toBe('acme chain')
    expect(key('acme-chain')).not.toBe(key('acme chain'))
    expect(key('Cosmos:Binance-Chain-Tigris')).toBe('cosmos:Binance-Chain-Tigris')
    expect(key('cosmos:binance-chain-tigris')).not.toBe(key('cosmos:Binance-Chain-Tigris'))
  })

  it.each(['mainnet', 'testnet', 'Localhost', 'hardhat', 'anvil', 'telos'])(
    'is not known by %s, which several are called',
    name => {
      expect(key(name)).toBe(name.toLowerCase())
    },
  )

  it('has a name in the kept lists that can be looked up, and one id', () => {
    for (const [name, id] of [...Object.entries(evmChains), ...Object.entries(otherChains)]) {
      expect(foldedChain(name)).toBe(name)
      expect(id).toMatch(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/)
    }
    const both = Object.entries(otherChains).filter(([name]) => name in evmChains)
    expect(both).toEqual([])
  })

  it('has the key of its key', () => {
    const names = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...knownChains.keys()))
    fc.assert(fc.property(names, name => key(key(name)) === key(name)))
  })
})

describe('the configuration', () => {
  it('adds names, which take precedence, in any spelling', () => {
    const { aliases, contradictory } = aliasesWith([
      ['Acme Main', 'eip155:99999'],
      ['acme-main', 'EIP155:99999'],
      ['base', 'eip155:84532'],
    ])
    expect(contradictory).toEqual([])
    expect(['acme_main', 'BASE', 'polygon'].map(name => chainKey(name, aliases))).toEqual([
      'eip155:99999',
      'eip155:84532',
      'eip155:137',
    ])
  })

  it('contradicts itself where it gives a name to two chains', () => {
    const names: [string, string][] = [
      ['acme', 'eip155:1'],
      ['other', 'eip155:3'],
      ['Acme', 'eip155:2'],
    ]
    expect(aliasesWith(names).contradictory).toEqual(['acme', 'Acme'])
  })

  it.each(['acme', 'acme=', '=eip155:1', 'acme=8453', 'acme=eip155:', 'acme=eip155:1=2'])('is refused as %s', value => {
    expect(() => readEnv({ CHAIN_ALIASES: value })).toThrow('CHAIN_ALIASES must be names and CAIP-2 ids')
  })
})

describe('a wallet', () => {
  it.each([
    [
      '0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd',
      [address, address.slice(2), `eip155:8453:${address}`, `base:${address}`, `xdc${'CD'.repeat(20)}`],
    ],
    [
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      [
        'BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ',
        'bip122:000000000019d6689c085ae165831e93:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      ],
    ],
    ['qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a']],
    ['0.0.1234', ['hedera:mainnet:0.0.1234', '0.0.1234']],
  ])('%s has other spellings', (key, spellings) => {
    expect(spellings.map(addressKey)).toEqual(spellings.map(() => key))
  })

  it('in base58 is another wallet in other letters, and with another destination tag', () => {
    expect(addressKey('rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH')).not.toBe(addressKey('rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRh'))
    expect(addressKey('rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH:1')).not.toBe(
      addressKey('rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH:2'),
    )
    expect(addressKey('alice:1')).not.toBe(addressKey('bob:1'))
  })

  it('of free text differs by case and spaces', () => {
    const other = ['Till 1 2', 'Till 12', 'TILL 12', 'till 12', 'The till in the old town hall']
    expect(new Set(other.map(addressKey)).size).toBe(other.length)
  })

  it('has the key of its key', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), text => addressKey(addressKey(text)) === addressKey(text)))
  })
})

describe('a transaction', () => {
  it.each([
    [hash.toLowerCase(), [hash, hash.slice(2), hash.slice(2).toUpperCase(), `eip155:8453:${hash}`]],
    [`${hash.toLowerCase()}#3`, [`${hash}#3`, `${hash.slice(2)}#03`, ` ${hash} #3`]],
    [
      '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
      ['5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'],
    ],
  ])('%s has other spellings', (key, spellings) => {
    expect(spellings.map(transactionKey)).toEqual(spellings.map(() => key))
  })

  it('is another one with another leg, with none, and by the number of its output', () => {
    const other = [hash, `${hash}#0`, `${hash}#1`, `${hash}#10`, `${hash}:0`, `${hash}:1`]
    expect(new Set(other.map(transactionKey)).size).toBe(other.length)
  })

  it('is read with its leg', () => {
    expect(settlementOf(`${hash}#7`)).toEqual({ transaction: hash, leg: 7 })
    expect(settlementOf(hash)).toEqual({ transaction: hash, leg: null })
    expect(settlementOf('a#2147483647')?.leg).toBe(2_147_483_647)
  })

  it.each(['#1', ' #1', 'a#', 'a#x', 'a#-1', 'a#1.5', 'a#0x1', 'a#1#2', 'a#2147483648', 'a#99999999999', 'a#１'])(
    'is not %s',
    written => {
      expect(settlementOf(written)).toBeNull()
    },
  )
})
