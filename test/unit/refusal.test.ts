// Refusals of RPC nodes are classified, whichever client the node runs. The wordings are from client sources and bug
// reports.
import { JsonRpcProvider, makeError } from 'ethers'
import { describe, expect, test } from 'vitest'
import { reason } from '../../src/adapters/node-request.ts'
import { isFailedCall, type Refusal, refusalOf } from '../../src/adapters/refusal.ts'

const provider = new JsonRpcProvider('http://127.0.0.1:1', 1, { staticNetwork: true })

/** Builds the error that ethers throws for this answer. */
const thrown = (method: string, error: { code: number; message: string; data?: string }) =>
  provider.getRpcError({ id: 1, jsonrpc: '2.0', method, params: [{}] }, { id: 1, error })

const refusal = (message: string, code = -32000) => refusalOf(thrown('eth_sendRawTransaction', { code, message }))

const txid = '0x7f657507aee0511e36d2d1972a6b22e917cc89f92b6c12c4dbd57eaabb236960'
const address = '0x0499BEA33347cb62D79A9C0b1EDA01d8d329894c'

const wordings: Record<Refusal, [client: string, words: string][]> = {
  known: [
    ['geth', 'already known'],
    ['geth before 1.9', `known transaction: ${txid}`],
    ['erigon', 'ALREADY_EXISTS: already known'],
    ['erigon', 'INTERNAL_ERROR: existing tx with same hash'],
    ['nethermind', 'AlreadyKnown'],
    ['besu', 'Known transaction'],
    ['reth', 'already known'],
    ['anvil', 'transaction already imported'],
    ['anvil', `Tx: [${txid}] already Imported`],
    ['hardhat', `Known transaction: ${txid}`],
    ['optimism', "failed to forward tx to sequencer, please try again. Error message: 'already known'"],
    ['avalanche', 'already known'],
    ['polygon bor', 'already known'],
    ['zksync', `known transaction. transaction with hash ${txid} is already in the system`],
    ['moonbeam', 'submit transaction to pool failed: Pool(AlreadyImported)'],
    ['openethereum', 'Transaction with the same hash was already imported.'],
    ['evmos', 'tx already in mempool'],
  ],
  overtaken: [
    ['geth', 'nonce too low'],
    ['geth', 'nonce too low: next nonce 5, tx nonce 4'],
    ['erigon', 'INTERNAL_ERROR: nonce too low'],
    ['nethermind', 'OldNonce, Current nonce: 22, nonce of rejected tx: 17'],
    ['nethermind', 'nonce too low'],
    ['besu', 'Nonce too low'],
    ['reth', 'nonce too low: next nonce 5, tx nonce 4'],
    ['anvil', 'nonce too low'],
    [
      'hardhat',
      "Nonce too low. Expected nonce to be 54 but got 53. Note that transactions can't be queued when automining.",
    ],
    ['arbitrum', 'transaction rejected: nonce too low'],
    ['arbitrum', `nonce too low: address ${address}, tx: 3 state: 5`],
    ['optimism', 'invalid transaction: nonce too low'],
    ['avalanche', `nonce too low: address ${address} current nonce (5833) > tx nonce (5511)`],
    ['avalanche', `nonce too low: address ${address} next nonce 5833, tx nonce 5511`],
    ['polygon bor', 'nonce too low: next nonce 5, tx nonce 4'],
    ['zksync', 'nonce too low. allowed nonce range: 5 - 55, actual: 4'],
    ['openethereum', 'Transaction nonce is too low. Try incrementing the nonce.'],
  ],
  underpriced: [
    ['geth', 'transaction underpriced'],
    ['geth', 'transaction underpriced: tip needed 1000000000, tip permitted 1'],
    ['geth', 'transaction gas price below minimum: gas tip cap 0, minimum needed 1'],
    ['geth', 'replacement transaction underpriced'],
    ['geth', 'max fee per gas less than block base fee'],
    ['geth before 1.10.4', `fee cap less than block base fee: address ${address} feeCap: 1 baseFee: 875000000`],
    ['erigon', 'underpriced'],
    ['erigon', 'fee too low'],
    ['erigon', 'INTERNAL_ERROR: could not replace existing tx'],
    ['erigon', 'replaced by transaction with higher tip'],
    [
      'nethermind',
      'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 50, BaseFee: 100, MaxPriorityFeePerGas:20, Block number: 5',
    ],
    ['nethermind', 'FeeTooLow, EffectivePriorityFeePerGas too low 0 < 1, BaseFee: 7'],
    [
      'nethermind',
      'FeeTooLow, FeePerGas needs to be higher than 100 to be added to the TxPool. Affordable FeePerGas of rejected tx: 50.',
    ],
    ['nethermind', 'FeeTooLowToCompete'],
    ['nethermind', 'ReplacementNotAllowed'],
    ['besu', 'Gas price below configured minimum gas price'],
    ['besu', 'Gas price below current base fee'],
    ['besu', 'Replacement transaction underpriced'],
    ['reth', 'transaction underpriced'],
    ['reth', 'transaction priority fee below minimum required priority fee 1000000'],
    ['reth', 'max fee per gas less than block base fee'],
    ['anvil', 'max fee per gas less than block base fee'],
    ['anvil', `Tx: [${txid}] insufficient gas price to replace existing transaction`],
    ['hardhat', 'Transaction maxFeePerGas (1) is too low for the next block, which has a baseFeePerGas of 875000000'],
    ['hardhat', 'Transaction gasPrice (1) is too low for the next block, which has a baseFeePerGas of 875000000'],
    [
      'hardhat',
      'Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least 1.1 gwei is necessary to replace the existing transaction with nonce 3.',
    ],
    [
      'arbitrum',
      `max fee per gas less than block base fee: address ${address}, maxFeePerGas: 100000000 baseFee: 109440000`,
    ],
    ['arbitrum', 'gas price too low'],
    ['optimism', 'transaction underpriced: tip needed 1000000, tip permitted 0'],
    [
      'optimism before bedrock',
      'fee too low: 30365610000000, use at least tx.gasLimit = 5874374 and tx.gasPrice = 15000000',
    ],
    [
      'avalanche',
      `transaction underpriced: address ${address} have gas fee cap (1) < pool minimum fee cap (25000000000)`,
    ],
    ['polygon bor', 'transaction underpriced: tip needed 25000000000, tip permitted 1500000000'],
    ['polygon bor', 'transaction gas price below minimum: gas tip cap 1500000000, minimum needed 25000000000'],
    ['celo', 'gasprice is less than gas price minimum floor'],
    [
      'openethereum',
      'Transaction gas price 100wei is too low. There is another transaction with same nonce in the queue with gas price 150wei. Try increasing the gas price or incrementing the nonce.',
    ],
  ],
  unfunded: [
    ['geth', 'insufficient funds for gas * price + value'],
    ['geth', 'insufficient funds for gas * price + value: balance 0, tx cost 21000000000000, overshot 21000000000000'],
    ['geth', 'transaction would cause overdraft'],
    ['erigon', 'INTERNAL_ERROR: insufficient funds'],
    ['nethermind', 'InsufficientFunds, Account balance: 100, cumulative cost: 4200'],
    ['nethermind', 'InsufficientFunds, Balance is 0 less than sending value + gas 25200000'],
    ['besu', 'Upfront cost exceeds account balance'],
    ['reth', 'insufficient funds for gas * price + value: have 0 want 21000'],
    ['anvil', 'Insufficient funds for gas * price + value'],
    [
      'hardhat',
      "Sender doesn't have enough funds to send tx. The max upfront cost is: 26250000000000 and the sender's balance is: 0.",
    ],
    ['arbitrum', 'not enough funds for gas'],
    ['arbitrum', `insufficient funds for gas * price + value: address ${address} have 0 want 2100000000000`],
    ['optimism', 'invalid transaction: insufficient funds for gas * price + value'],
    [
      'avalanche',
      `insufficient funds for gas * price + value: address ${address} balance 0, tx cost 525000000000000, overshot 525000000000000`,
    ],
    [
      'polygon bor',
      'insufficient funds for gas * price + value: balance 0, tx cost 630000000000000, overshot 630000000000000',
    ],
    [
      'openethereum',
      'Insufficient funds. The account you tried to send transaction from does not have enough funds. Required 200 and got: 100.',
    ],
  ],
  other: [
    ['geth', 'nonce too high'],
    ['geth', 'tx fee (1.50 ether) exceeds the configured cap (1.00 ether)'],
    ['geth', 'txpool is full'],
    ['geth', 'exceeds block gas limit'],
    ['geth', 'intrinsic gas too low: gas 21000, minimum needed 21484'],
    ['geth', 'transaction type not supported'],
    ['geth', 'max priority fee per gas higher than max fee per gas'],
    ['geth', 'only replay-protected (EIP-155) transactions allowed over RPC'],
    ['erigon', 'baseFee sub-pool is full'],
    ['nethermind', 'NonceGap, Future nonce. Expected nonce: 62'],
    ['nethermind', 'Invalid, transaction Hash is null'],
    ['besu', 'Transaction nonce is too distant from current sender nonce'],
    ['besu', 'Max priority fee per gas exceeds max fee per gas'],
    ['besu', 'Intrinsic gas exceeds gas limit'],
    ['besu', 'Transaction fee cap exceeded'],
    ['anvil', 'Unknown transaction type not supported'],
    ['anvil', 'invalid chain id for signer'],
    ['arbitrum', 'sequencer pending tx pool full, please try again'],
    ['a gateway', 'daily request count exceeded, request rate limited'],
    ['a gateway', 'Internal error'],
  ],
}

for (const [meant, said] of Object.entries(wordings)) {
  describe(`a refusal means “${meant}” when`, () => {
    test.each(said)('%s says: %s', (_, words) => {
      expect(refusal(words)).toBe(meant)
    })
  })
}

test('an error in the body of an HTTP error is classified as well, because some gateways send it that way', () => {
  const responseBody = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'nonce too low' } })
  const info = { requestUrl: 'https://node.example/secret', responseBody }
  const error = Object.assign(new Error('server response 500'), { shortMessage: 'server response 500', info })
  expect(refusalOf(error)).toBe('overtaken')
})

test('an error without a node’s answer is classified as other', () => {
  for (const nothing of [new Error('connect ECONNREFUSED 127.0.0.1:8545'), null, undefined, 'x', { info: 7 }]) {
    expect(refusalOf(nothing)).toBe('other')
  }
})

const call = (message: string, code = -32000, data?: string) =>
  isFailedCall(thrown('eth_call', { code, message, ...(data !== undefined && { data }) }))

test.each([
  ['geth', 'execution reverted', 3],
  ['geth', 'execution reverted: not the owner', 3],
  ['geth', 'out of gas', -32000],
  ['geth', 'invalid opcode: INVALID', -32000],
  ['geth', 'invalid jump destination', -32000],
  ['geth', 'stack underflow (0 <=> 2)', -32000],
  ['geth', 'err: intrinsic gas too low: have 500000, want 600000 (supplied gas 500000)', -32000],
  ['erigon', 'execution reverted', 3],
  ['nethermind', 'VM execution error.', -32015],
  ['besu', 'Execution reverted', -32000],
  ['besu', 'Transaction processing could not be completed due to an exception', -32000],
  ['reth', 'out of gas: gas required exceeds: 500000', -32003],
  ['reth', 'EVM error: InvalidFEOpcode', -32003],
  ['anvil', 'EVM error OutOfGas', -32603],
  ['hardhat', 'VM Exception while processing transaction: invalid opcode', -32603],
  ['hardhat', 'Transaction ran out of gas', -32603],
])('a failed call is an answer when %s says %s', (_, words, code) => {
  expect(call(words, code)).toBe(true)
})

test('a call that reverted with data is an answer', () => {
  expect(call('execution reverted', 3, '0x82b42900')).toBe(true)
})

test.each([
  ['geth', 'header not found'],
  ['geth', 'missing trie node 4ab3…(path ) <nil>'],
  ['geth', 'execution aborted (timeout = 5s)'],
  ['besu', 'World state unavailable'],
  ['reth', 'block not found: latest'],
  ['nethermind', 'No state available for block'],
  ['anvil', 'Required data unavailable'],
  ['a gateway', 'Your app has exceeded its compute units per second capacity'],
  ['a gateway', 'daily request count exceeded, request rate limited'],
  ['a gateway', 'the method eth_call does not exist/is not available'],
])('a call that was not executed is no answer when %s says %s', (_, words) => {
  expect(call(words)).toBe(false)
})

test('a lost connection is no failed call', () => {
  expect(isFailedCall(new Error('revert: connection reset'))).toBe(false)
})

describe('the reason that is logged', () => {
  const url = 'https://user:secret@node.example/v3/secret?key=secret'
  const request = { requestUrl: url, responseBody: `<html>${url}</html>`, responseStatus: '502 Bad Gateway' }

  test.each<[string, unknown, RegExp]>([
    [
      'an HTTP error',
      makeError('server response 502 Bad Gateway', 'SERVER_ERROR', { request: url, info: request }),
      /502 Bad Gateway$/,
    ],
    [
      'words of the node',
      thrown('eth_call', { code: 1, message: `upstream ${url} failed` }),
      /upstream \[url\] failed/,
    ],
    ['words that are a URL', thrown('eth_getLogs', { code: 1, message: `"${url}"` }), /\[url\]/],
    ['an error of the runtime', new TypeError(`Failed to parse URL from ${url}`), /URL from \[url\]$/],
    ['a websocket URL', new Error('wss://node.example/secret is closed'), /^\[url\] is closed$/],
    ['a string', `${url} is gone`, /^\[url\] is gone$/],
  ])('has no URL, which may contain a secret: %s', (_, error, expected) => {
    expect(reason(error)).toMatch(expected)
    expect(reason(error)).not.toMatch(/secret|node\.example/)
  })

  test.each<[string, object]>([
    ['no text', { code: 1, message: 7 }],
    ['text alone', Object('rate limited')],
    ['nothing', {}],
  ])('has no payload, also where a node’s error is %s', (_, error) => {
    const payload = { id: 1, jsonrpc: '2.0' as const, method: 'eth_sendRawTransaction', params: ['0xfeedbeef'] }
    const answer = JSON.parse(JSON.stringify({ id: 1, error }))
    expect(reason(provider.getRpcError(payload, answer))).not.toMatch(/feedbeef|jsonrpc/)
  })

  test('has the node’s words, at a limited length', () => {
    expect(reason(thrown('eth_getLogs', { code: -32005, message: 'query exceeds max block range' }))).toBe(
      'could not coalesce error: query exceeds max block range',
    )
    const endless = 'x'.repeat(8 << 20)
    expect(reason(new Error(endless))).toHaveLength(500)
    expect(reason(thrown('eth_getLogs', { code: 1, message: endless }))).toHaveLength(500)
    expect(refusalOf(thrown('eth_sendRawTransaction', { code: 1, message: 'invalid nonce '.repeat(500_000) }))).toBe(
      'other',
    )
  })

  test('has the name of an error without a message', () => {
    const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
    expect(reason(refused)).toBe('ECONNREFUSED')
    expect(reason(new RangeError())).toBe('RangeError')
  })
})
