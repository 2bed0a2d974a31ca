// Tests which spellings are the same chain, address or transaction, and which are not.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import evmChains from '../../src/core/evm-chains.json' with { type: 'json' }
import {
  addressKey,
  aliasesWith,
  chainBefore,
  chainKey,
  foldedChain,
  knownChains,
  settlementOf,
  transactionKey,
} from '../../src/core/identity.ts'
import { otherChains } from '../../src/core/other-chains.ts'
import { settlementText } from '../../src/core/text.ts'
import { readEnv } from '../../src/env.ts'

const hash = `0x${'Ab'.repeat(32)}`
const address = `0x${'Cd'.repeat(20)}`
const stellar = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'

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

  it.each([
    ['the number of its output', `${'a'.repeat(64)}:0x1`, `${'b'.repeat(64)}:0x1`],
    ['what stands before a short number', `0x${'a'.repeat(64)}:0x1`, `0x${'b'.repeat(64)}:0x1`],
    ['what stands before three numbers', `0x${'a'.repeat(64)}:1.2.3`, `0x${'b'.repeat(64)}:1.2.3`],
    ['a memo of digits', `${stellar}:12345678901234567890`, '12345678901234567890'],
    ['a memo of many digits', `${stellar}:12345678901234567890`, `${stellar.replace('A7', 'A2')}:12345678901234567890`],
    ['a memo that could be a hash', `${stellar}:${'a'.repeat(64)}`, `0x${'a'.repeat(64)}`],
    ['the workchain of TON', `0:${'3'.repeat(64)}`, `-1:${'3'.repeat(64)}`],
    ['the workchain of TON behind its name', `ton:0:${'3'.repeat(64)}`, `ton:-1:${'3'.repeat(64)}`],
    ['a customer', 'alice:12345678901234567890', 'bob:12345678901234567890'],
    ['a customer of three numbers', 'alice:0.0.12', 'bob:0.0.12'],
  ])('is another one by %s', (_, one, other) => {
    expect(addressKey(one)).not.toBe(addressKey(other))
    expect(transactionKey(one)).not.toBe(transactionKey(other))
  })

  it.each([
    [`xrpl:0:${'A'.repeat(64)}`, 'xrpl:0'],
    [`eip155:8453:${address}`, 'eip155:8453'],
    [`base:${address}`, 'base'],
    ['hedera:mainnet:0.0.12', 'hedera:mainnet'],
    [`starknet:SN_MAIN:0x${'1'.repeat(62)}`, 'starknet:SN_MAIN'],
    [address, null],
    [`0:${'3'.repeat(64)}`, null],
    [`${stellar}:12345678901234567890`, null],
  ])('%s has the chain %s before it', (text, chain) => {
    expect(chainBefore(text)).toBe(chain)
    if (chain !== null) expect(addressKey(text)).toBe(addressKey(text.slice(chain.length + 1)))
  })

  it('of a text that is too long for an index is a hash of it, and no other text has that key', () => {
    const [one, other] = ['\ufdfa'.repeat(255), `${'\ufdfa'.repeat(254)}x`]
    const key = addressKey(one)
    expect(key).toMatch(/^ sha256:[0-9a-f]{64}$/)
    expect([addressKey(other), addressKey(one.slice(1))]).not.toContain(key)
    expect(addressKey(key)).not.toBe(key)
    expect(chainKey(one, knownChains)).toBe(key)
    expect(transactionKey(`${one}#3`)).toBe(`${key}#3`)
    expect(addressKey('\u{20000}'.repeat(255))).toBe('\u{20000}'.repeat(255))
  })

  it('of nothing but what cannot be seen is itself, so that two such texts stay two', () => {
    expect(addressKey('\u202e')).toBe('\u202e')
    expect(addressKey('\u202e')).not.toBe(addressKey('\u200b\u200b'))
    expect(transactionKey('\u202e')).not.toBe(transactionKey('\u200b'))
    expect(addressKey('a\u202e')).toBe('a')
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
    expect(['a＃3', 'a#３'].map(text => settlementOf(text)?.leg)).toEqual([3, 3])
  })

  it('is refused with a # in another place, however it is written', () => {
    expect(settlementText().parse(`${hash}＃3`)).toBe(`${hash}＃3`)
    expect(['a＃b', 'a﹟b', 'a＃'].map(text => settlementText().safeParse(text).success)).toEqual([false, false, false])
  })

  it.each(['#1', ' #1', 'a#', 'a#x', 'a#-1', 'a#1.5', 'a#0x1', 'a#1#2', 'a#2147483648', 'a#99999999999'])(
    'is not %s',
    written => {
      expect(settlementOf(written)).toBeNull()
    },
  )
})
