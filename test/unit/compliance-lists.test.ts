// Lists of addresses and names: which spellings are the same entry, which files are refused, and how large a list may
// be.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readList } from '../../src/adapters/list-file.ts'
import { inspectCompliance } from '../../src/cli/doctor/compliance.ts'
import { addressKey } from '../../src/core/identity.ts'
import { listKey, nameKey } from '../../src/core/listed-name.ts'
import { EnvError, readEnv } from '../../src/env.ts'
import { sized } from '../kit/size.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-lists-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function listOf(content: string | Buffer) {
  const file = join(folder, 'list.txt')
  await writeFile(file, content)
  return (await readList(file)).entries
}

describe('an address', () => {
  const address = `0x${'d8da6bf26964af9d7eed9e03e53415d3'.padEnd(40, '7')}`
  it.each([
    address.toUpperCase(),
    address.slice(2),
    ` ${address} `,
    `\ufeff${address.slice(0, 9)}\u200b${address.slice(9)}`,
    `eip155:8453:${address}`,
    `eth:${address}`,
    [...address]
      .map(char => (char === 'x' ? char : String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0)))
      .join(''),
  ])('has the same key when written as %s', written => {
    expect(addressKey(written)).toBe(address)
  })

  it('in base58 differs by case; in bech32, capitals and small letters are the same address', () => {
    expect(addressKey('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2')).not.toBe(addressKey('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVn2'))
    expect(addressKey('BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ')).toBe('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq')
  })

  it('never has the key of a name, and a name never has the key of an address', () => {
    expect(listKey(address)).toBe(`a:${address}`)
    expect(listKey('Wagner Group 2000 Limited')).toBe('n:wagner group 2000 limited')
    expect(listKey(' \u200b ')).toBeNull()
  })
})

describe('a name', () => {
  it.each([
    ['DOE, Jöhn', 'Doe  John'],
    ['Müller', 'Mu\u0308ller'],
    ['Straße', 'STRASSE'],
    ['O’Brien', "O'BRIEN"],
    ['Al-Assad', 'al assad'],
    ['J.P. Morgan', 'JP Morgan'],
    ['Łódź Ærø', 'Lodz Aero'],
    ['İstanbul', 'istanbul'],
    ['Ｗａｇｎｅｒ', 'wag\u00adner'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσεύς'],
    ['Иванов', 'ИВАНОВ'],
    ['(John) "Doe"!', 'john\u00a0doe'],
  ])('%s is %s', (one, another) => {
    expect(nameKey(one)).toBe(nameKey(another))
    expect(nameKey(one)).not.toBe('')
  })

  it('in ASCII has the same key by the fast path as by the slow path, which any other character takes', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), text => nameKey(text) === nameKey(`\u200b${text}`)))
    // Text without a visible letter is itself, and is refused everywhere else.
    const visible = fc.string({ unit: 'grapheme-ascii' }).filter(text => text.trim() !== '')
    fc.assert(fc.property(visible, text => addressKey(text) === addressKey(`\u200b${text}`)))
  })

  it.each([
    ['John Doe', 'Jon Doe'],
    ['John Doe', 'Doe John'],
    ['John Doe', 'John Doe Jr'],
    ['Иванов', 'Ivanov'],
  ])('%s is not %s', (one, another) => {
    expect(nameKey(one)).not.toBe(nameKey(another))
  })
})

describe('a file', () => {
  it('is read with comments, ids, any line ends and a byte order mark', async () => {
    const entries = await listOf(`\ufeff# first\r\nAcme Ltd\t17\r\n\r\n0x${'AB'.repeat(20)}\n John Doe \n#end`)
    expect([...entries]).toEqual([
      ['n:acme ltd', '17'],
      [`a:0x${'ab'.repeat(20)}`, ''],
      ['n:john doe', ''],
    ])
  })

  it.each([
    ['is empty', '', /no entries/],
    ['has comments alone', '# nothing yet\n', /no entries/],
    ['is not UTF-8', Buffer.from([0x41, 0x0a, 0xff, 0x0a]), /line 2 is not UTF-8/],
    ['has a comma after an address', `0x${'ab'.repeat(20)},OFAC\n`, /line 1 has a comma/],
    ['has three columns', 'a\tb\tc\n', /line 1 has more/],
    ['has a line of nothing but signs', 'a\n—\n', /line 2 has nothing/],
    ['has an endless line', `a\n${'x'.repeat(2_000)}`, /line 2 has more than/],
  ])('that %s is refused as a whole', async (_, content, fault) => {
    await expect(listOf(content)).rejects.toThrow(fault)
  })

  it('that is absent or a folder is refused', async () => {
    await expect(readList(join(folder, 'absent'))).rejects.toThrow('it cannot be read (ENOENT)')
    await expect(readList(folder)).rejects.toThrow('it is no file')
  })

  it('with many entries is read without blocking the event loop', async () => {
    const count = sized(20_000, 1_000_000)
    const lines = Array.from({ length: count }, (_, n) => `0x${n.toString(16).padStart(40, '0')}\tid-${n}`)
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 0)
    const entries = await listOf(lines.join('\n'))
    clearInterval(timer)
    expect([entries.size, entries.get(`a:0x${(count - 1).toString(16).padStart(40, '0')}`)]).toEqual([
      count,
      `id-${count - 1}`,
    ])
    expect(turns).toBeGreaterThan(1)
  })
})

describe('the settings', () => {
  const faults = (source: NodeJS.ProcessEnv): string => {
    try {
      readEnv(source)
      return ''
    } catch (error) {
      if (!(error instanceof EnvError)) throw error
      return error.message
    }
  }

  it('name the providers and the Authorization header that is sent to each', () => {
    const { complianceProviders } = readEnv({
      COMPLIANCE_PROVIDERS: 'acme=http+json:https://a.example/x?k=1, eu=list:/etc/eu.txt,dev=fixed:flag',
      COMPLIANCE_AUTHORIZATION: 'acme=Bearer a=b',
    })
    expect(complianceProviders).toEqual([
      { name: 'acme', kind: 'http+json', url: 'https://a.example/x?k=1', authorization: 'Bearer a=b' },
      { name: 'eu', kind: 'list', path: '/etc/eu.txt' },
      { name: 'dev', kind: 'fixed', decision: 'flag' },
    ])
  })

  it.each([
    'acme',
    'acme=https://a.example',
    'acme=http+json:ftp://a.example',
    'acme=http+json:https://me:secret@a.example',
    'Acme=fixed:allow',
    'none=fixed:allow',
    'threshold=fixed:allow',
    'a=fixed:unavailable',
    'a=list:',
    'a=fixed:allow,a=fixed:deny',
  ])('refuse %s without quoting it', value => {
    expect(faults({ COMPLIANCE_PROVIDERS: value })).toMatch(/^ {2}COMPLIANCE_PROVIDERS must be entries such as .*$/)
  })

  it('refuse a secret for an unknown provider, without quoting the secret', () => {
    const said = faults({ COMPLIANCE_PROVIDERS: 'a=fixed:allow', COMPLIANCE_AUTHORIZATION: 'b=Bearer s3cret' })
    expect(said).toContain('COMPLIANCE_AUTHORIZATION names a provider that is no http+json entry')
    expect(said + faults({ COMPLIANCE_AUTHORIZATION: 's3cret' })).not.toContain('s3cret')
  })

  it('refuse fixed answers in production', () => {
    const said = faults({ NODE_ENV: 'production', COMPLIANCE_PROVIDERS: 'a=fixed:allow' })
    expect(said).toContain('COMPLIANCE_PROVIDERS: fixed answers are for development only')
  })
})

it('the doctor checks each provider without sending a query, and never prints its URL', async () => {
  const [good, bad] = [join(folder, 'good.txt'), join(folder, 'bad.txt')]
  await writeFile(good, 'Acme Ltd\n')
  await writeFile(bad, '')
  const closed = 'http://127.0.0.1:1/?key=s3cret'
  const COMPLIANCE_PROVIDERS = `good=list:${good},bad=list:${bad},away=http+json:${closed},dev=fixed:deny`
  const findings = await inspectCompliance(readEnv({ COMPLIANCE_PROVIDERS }))
  expect(findings.map(({ status, text }) => `${status} ${text}`)).toEqual([
    'ok The list good has 1 entries.',
    'FAIL The list bad cannot be used: it has no entries.',
    expect.stringMatching(/^warn away does not answer: /),
    'warn dev always answers deny, whatever it is asked.',
  ])
  expect(JSON.stringify(findings)).not.toContain('s3cret')
})
