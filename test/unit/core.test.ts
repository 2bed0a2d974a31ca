// Basic rules: amounts, texts, API keys, batching, permissions, settings.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../src/adapters/public-fetch.ts'
import { amount, plainAmount } from '../../src/core/amount.ts'
import { errorCodes } from '../../src/core/errors.ts'
import { demand, may, type Principal } from '../../src/core/principal.ts'
import { isWellFormed, makeKey } from '../../src/core/secrets.ts'
import { text } from '../../src/core/text.ts'
import { EnvError, readEnv } from '../../src/env.ts'
import { batchWhileBusy } from '../../src/kit/batch-while-busy.ts'

describe('amounts', () => {
  const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`))

  it('keep their exact value, whatever zeros surround it', () => {
    fc.assert(
      fc.property(digits(20), digits(18), (integer, fraction) => {
        const scaled = (value: string) => {
          const [whole = '', rest = ''] = value.split('.')
          return BigInt(whole + rest.padEnd(18, '0'))
        }
        const plain = plainAmount(`${integer}.${fraction}`)
        expect(scaled(plain)).toBe(scaled(`${integer}.${fraction}`))
        expect(plain).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      }),
    )
  })

  it('are only plain decimals above zero', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.double().map(String),
          fc.string({ unit: fc.constantFrom(...'0123456789.eE+-') }),
        ),
        value => {
          const accepted = amount.safeParse(value).success
          expect(accepted).toBe(/^[0-9]{1,20}(\.[0-9]{1,18})?$/.test(value) && /[1-9]/.test(value))
        },
      ),
    )
  })
})

it('texts that are accepted are trimmed, printable, well-formed and within their length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), value => {
      const result = text().safeParse(value)
      if (!result.success) return
      expect(result.data).toBe(value.trim())
      expect(result.data.isWellFormed() && !/\p{Cc}/u.test(result.data)).toBe(true)
      expect([...result.data].length).toBeGreaterThan(0)
      expect([...result.data].length).toBeLessThanOrEqual(255)
    }),
  )
})

it('an API key with any one character changed is recognised as malformed', () => {
  const key = makeKey()
  expect(isWellFormed(key)).toBe(true)
  for (let at = 0; at < key.length; at++) {
    const other = key[at] === 'a' ? 'b' : 'a'
    expect(isWellFormed(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
  }
})

describe('batching', () => {
  it('returns each caller its own result and batches the calls that arrive meanwhile', async () => {
    const groups: number[] = []
    const double = batchWhileBusy<number, number>(async members => {
      groups.push(members.length)
      await new Promise(resolve => setTimeout(resolve, 5))
      return members.map(member => member * 2)
    })
    const results = await Promise.all(Array.from({ length: 50 }, (_, n) => double(n)))
    expect(results).toEqual(Array.from({ length: 50 }, (_, n) => n * 2))
    expect(groups).toEqual([1, 49])
  })

  it('fails only the call that cannot succeed', async () => {
    const run = batchWhileBusy<number, number>(async members => {
      await Promise.resolve()
      if (members.includes(7)) throw new Error('seven')
      return members
    })
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => run(n)))
    expect(results.filter(result => result.status === 'rejected')).toHaveLength(1)
    expect(results[7]?.status).toBe('rejected')
  })

  it('tells the members of a failed batch their results as each has its own', async () => {
    const seen: string[] = []
    const run = batchWhileBusy<number, number>(async members => {
      await new Promise(resolve => setTimeout(resolve, 2))
      seen.push(`ran ${members}`)
      if (members.length > 1) throw new Error('not together')
      return members
    })
    await Promise.all([0, 1, 2].map(n => run(n).then(() => seen.push(`told ${n}`))))
    expect(seen).toEqual(['ran 0', 'told 0', 'ran 1,2', 'ran 1', 'told 1', 'ran 2', 'told 2'])
  })
})

describe('permissions', () => {
  const key = (role: 'viewer' | 'project' | 'project_admin'): Principal => ({
    kind: 'key',
    keyId: 'k',
    projectId: 'p',
    role,
  })
  const table: [Principal, string[]][] = [
    [{ kind: 'public' }, ['public']],
    [key('viewer'), ['public', 'read']],
    [key('project'), ['public', 'read', 'write']],
    [key('project_admin'), ['public', 'read', 'write', 'manage']],
    [{ kind: 'admin', keyId: 'a' }, ['public', 'read', 'write', 'manage', 'admin']],
    [{ kind: 'payer', wallet: '0x1', projectId: 'p' }, ['public', 'pay']],
  ]
  it.each(table)('%j', (principal, granted) => {
    for (const access of ['public', 'read', 'write', 'manage', 'admin', 'pay'] as const) {
      expect(may(principal, access)).toBe(granted.includes(access))
      if (!granted.includes(access)) {
        const code = principal.kind === 'public' ? 'unauthenticated' : 'forbidden'
        expect(() => demand(principal, access)).toThrow(
          expect.objectContaining({ code, status: errorCodes[code].status }),
        )
      }
    }
  })
})

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '168.63.129.16',
  '192.168.0.1',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '224.0.0.1',
  '255.255.255.255',
  'x',
  '::7f00:1',
  '::a9fe:a9fe',
  '::2',
  '100:0:0:1::1',
])('the address %s is not public', address => expect(isPublicAddress(address)).toBe(false))

describe('settings', () => {
  it('have a default for each', () => {
    expect(readEnv({})).toMatchObject({
      PORT: 8000,
      DATABASE_URL: null,
      chain: null,
      ROLES: ['api', 'worker'],
      production: false,
    })
  })

  const faults = (env: Record<string, string>) => {
    try {
      readEnv(env)
      return ''
    } catch (error) {
      return error instanceof EnvError ? error.message : 'another error'
    }
  }

  it('report every fault at once, and refuse development parts in production', () => {
    expect(faults({ PORT: 'x', ROLES: 'cook', ANCHOR_CHAIN: 'eip155:1' })).toMatch(
      /PORT[\s\S]*ROLES[\s\S]*ANCHOR_RPC_URL[\s\S]*ANCHOR_CONTRACT/,
    )
    expect(faults({ NODE_ENV: 'production' })).toMatch(
      /DATABASE_URL[\s\S]*PUBLIC_BASE_URL[\s\S]*ADMIN_API_KEYS[\s\S]*SIGNING_KEY_FILE[\s\S]*ANCHOR_CHAIN/,
    )
  })

  it.each(['00'.repeat(32), 'ff'.repeat(32), '11'.repeat(31)])('refuse %s, which is no private key', hex => {
    expect(faults({ ANCHOR_PRIVATE_KEY: `0x${hex}` })).toContain('ANCHOR_PRIVATE_KEY')
    expect(faults({ X402_FACILITATOR_PRIVATE_KEY: `0x${hex}` })).toContain('X402_FACILITATOR_PRIVATE_KEY')
  })
})
