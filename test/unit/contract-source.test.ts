// The checked-in contract is what its source compiles to, and speaks the identifiers other contracts in use speak.
import { FunctionFragment, Interface } from 'ethers'
import { expect, test } from 'vitest'
import { compile } from '../../contracts/compile.ts'
import checkedIn from '../../contracts/EvidenceAnchor.json' with { type: 'json' }

const abi = new Interface(checkedIn.abi)

test('the checked-in JSON is what the source compiles to, so nobody deploys other code than was reviewed', () => {
  expect(checkedIn).toEqual(compile())
}, 30_000)

test('topic0 and selectors are those of contracts in use, or nobody would find our anchors', () => {
  const event = abi.getEvent('EvidenceAnchored')
  expect(event?.topicHash).toBe('0xd414fe2d5071ea63896cf41c2e5a7bdd46aed543a8c8e83357a1ae468a383419')
  expect(event?.inputs.map(input => input.indexed)).toEqual([true, false, false])
  expect(abi.getFunction('anchorEvidence')?.selector).toBe('0x09561a57')
})

test('no function takes money or changes anything but the log: nothing could be stolen or locked', () => {
  const functions = abi.fragments.filter(fragment => fragment instanceof FunctionFragment)
  expect(functions.map(({ name, payable }) => ({ name, payable }))).toEqual([
    { name: 'anchorEvidence', payable: false },
    { name: 'anchorEvidenceBatch', payable: false },
  ])
})
