// The parser of EIP-4361 messages, against texts that untrusted clients may send.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { readMessage } from '../../src/modules/signin/message.ts'
import { messageText } from '../kit/sign-in.ts'

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const nonce = 'a'.repeat(32)
const fields = { domain: 'pay.example', uri: 'https://pay.example/in', address, nonce }
const site = { publicBaseUrl: 'https://pay.example', allowedOrigins: ['https://app.example', 'http://localhost:3000'] }
const read = { address: address.toLowerCase(), nonce, chainId: 31337 }

it('a message with or without a statement, with any resources and a trailing line break is read', () => {
  const statement = fc.stringMatching(/^[A-Za-z0-9 .,:/?!'()*+;=@_~-]{1,60}$/)
  const blank = fc.constantFrom('\n', '\n\n')
  const before = fc.oneof(
    blank,
    statement.map(text => `\n${text}\n\n`),
  )
  const resources = fc.array(fc.webUrl()).map(urls => ['\nResources:', ...urls.map(url => `\n- ${url}`)].join(''))
  const tail = fc
    .tuple(fc.oneof(fc.constant(''), resources), fc.constantFrom('', '\n', '\r\n'))
    .map(parts => parts.join(''))
  fc.assert(
    fc.property(before, tail, (statement, tail) => {
      expect(readMessage(messageText({ ...fields, statement, tail }), site)).toEqual(read)
    }),
    { numRuns: 500 },
  )
})

it('a change in one place is refused or leaves a valid message, and no text breaks the parser', () => {
  const whole = messageText({ ...fields, statement: '\nHello\n\n', tail: '\nResources:' })
  expect(readMessage(whole, site)).toEqual(read)
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom('\n', '\n\n', ' ', '0', '9', ':', '\r', '\nURI: '),
  )
  fc.assert(
    fc.property(fc.nat(whole.length), fc.nat(3), piece, (at, length, text) => {
      const changed = whole.slice(0, at) + text + whole.slice(at + length)
      try {
        const { chainId, ...told } = readMessage(changed, site)
        expect(told).toMatchObject({ address: address.toLowerCase() })
        expect(changed).toContain(`\nChain ID: ${chainId}\n`)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        expect(['invalid_signature', 'validation_failed']).toContain(error.code)
      }
    }),
    { numRuns: 2_000 },
  )
})

it.each([
  'https://evil.example@pay.example/',
  'https://user:pw@pay.example/',
  'https:pay.example',
  'https://PAY.example/',
  'https://pay.example.evil/',
  'https://pay.example.',
  'https://pay.example:443/in',
  'https://app.example.evil/',
  'https://app.example@evil.example/',
  'http://app.example/',
  'http://localhost:30001/',
])('a URI that a person would not recognise as ours is refused, even if a URL parser accepts it: %s', uri => {
  expect(() => readMessage(messageText({ ...fields, uri }), site)).toThrow(AppError)
})

it.each(['https://app.example', 'https://app.example/in?to=x', 'http://localhost:3000/#in'])(
  'a URI of a configured front end is accepted: %s',
  uri => {
    expect(readMessage(messageText({ ...fields, uri }), site)).toEqual(read)
    expect(() => readMessage(messageText({ ...fields, uri }), { ...site, allowedOrigins: null })).toThrow(/URI/)
  },
)

it.each(['1', '14', '11297108109', '9007199254740991'])('any valid chain id is accepted: %s', chainId => {
  expect(readMessage(messageText({ ...fields, chainId }), site)).toEqual({ ...read, chainId: Number(chainId) })
})

it.each(['0', '01', '-1', '1.5', '1e3', '9007199254740992', '9'.repeat(400)])('invalid chain id fails: %s', chainId => {
  expect(() => readMessage(messageText({ ...fields, chainId }), site)).toThrow(AppError)
})

it.each(['\n\n', '\r', ' \n', '\n ', '\r\n\r\n'])('more than one line break at the end is refused: %j', tail => {
  expect(() => readMessage(messageText({ ...fields, tail }), site)).toThrow(AppError)
})
