// The checked-in contracts are the compiled sources, and have the identifiers of the contracts already in use.
import { readFileSync } from 'node:fs'
import { FunctionFragment, Interface } from 'ethers'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compile, contractNames } from '../../contracts/compile.ts'

const compiled = z.looseObject({ abi: z.array(z.unknown()).transform(abi => new Interface(JSON.stringify(abi))) })
const checkedIn = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../contracts/${name}.json`, import.meta.url), 'utf8'))
const abiOf = (name: (typeof contractNames)[number]) => compiled.parse(checkedIn(name)).abi

test.each(contractNames)(
  'the checked-in JSON of %s is the compiled source, so that no other code than the reviewed one is deployed',
  name => {
    expect(checkedIn(name)).toEqual(compile(name))
  },
  30_000,
)

test('topic0 and selectors are those of contracts in use, so that other verifiers find our anchors', () => {
  const abi = abiOf('EvidenceAnchor')
  const event = abi.getEvent('EvidenceAnchored')
  expect(event?.topicHash).toBe('0xd414fe2d5071ea63896cf41c2e5a7bdd46aed543a8c8e83357a1ae468a383419')
  expect(event?.inputs.map(input => input.indexed)).toEqual([true, false, false])
  expect(abi.getFunction('anchorEvidence')?.selector).toBe('0x09561a57')
})

const functionsOf = (name: (typeof contractNames)[number]) =>
  abiOf(name).fragments.filter(fragment => fragment instanceof FunctionFragment)

test('no function accepts money or changes anything but the log, so that nothing can be stolen or locked', () => {
  expect(functionsOf('EvidenceAnchor').map(({ name, payable }) => ({ name, payable }))).toEqual([
    { name: 'anchorEvidence', payable: false },
    { name: 'anchorEvidenceBatch', payable: false },
  ])
})

test('the test dollar has the EIP-3009 selectors and topics of tokens in use, so that code for it works with those tokens', () => {
  const abi = abiOf('TestDollar')
  const selectors = functionsOf('TestDollar').map(({ selector }) => selector)
  // The selectors of USDC.
  expect(selectors).toEqual(
    expect.arrayContaining(['0xe3ee160e', '0xcf092995', '0xef55bec6', '0x88b7ab63', '0x5a049a70', '0xb7b72899']),
  )
  expect(selectors).toEqual(expect.arrayContaining(['0xe94a0102', '0x3644e515', '0x54fd4d50', '0xa9059cbb']))
  const topics = ['AuthorizationUsed', 'AuthorizationCanceled', 'Transfer'].map(name => {
    const event = abi.getEvent(name)
    return [event?.topicHash, event?.inputs.map(input => input.indexed)]
  })
  expect(topics).toEqual([
    ['0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5', [true, true]],
    ['0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81', [true, true]],
    ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', [true, true, false]],
  ])
})

test('the aggregator has the selectors of Multicall3, which is used in its place on public chains', () => {
  const selectors = functionsOf('Aggregator3').map(({ name, selector, payable }) => ({ name, selector, payable }))
  expect(selectors).toEqual([
    { name: 'aggregate3', selector: '0x82ad56cb', payable: false },
    { name: 'tryAggregate', selector: '0xbce38bd7', payable: false },
  ])
})

test('the price feed has the selectors of Chainlink’s feeds, so that the same code reads both', () => {
  const selectors = functionsOf('PriceFeed').map(({ name, selector }) => [name, selector])
  expect(selectors).toEqual(
    expect.arrayContaining([
      ['decimals', '0x313ce567'],
      ['description', '0x7284e416'],
      ['version', '0x54fd4d50'],
      ['latestRoundData', '0xfeaf968c'],
      ['getRoundData', '0x9a6fc8f5'],
    ]),
  )
})
