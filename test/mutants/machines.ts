import type { Mutant } from './mutant.ts'

const call = 'src/mcp/call.ts'
const server = 'src/mcp/server.ts'
const endpoint = 'src/http/mcp.ts'
const answer = 'src/idempotency/answer.ts'
const bazaar = 'src/discovery/bazaar.ts'
const failure = 'src/rest/failure.ts'

export const machines: Mutant[] = [
  {
    file: call,
    text: 'demand(context.principal, operation.access)',
    instead: '',
    tests: ['http/mcp'],
    harm: 'a caller without a key gets errors about arguments instead of the missing key',
  },
  {
    file: call,
    text: 'await challengeOf(context, root)',
    instead: '',
    tests: ['http/machine-readers'],
    harm: 'a buyer gets errors about arguments instead of the price',
  },
  {
    file: call,
    text: 'charge(context, prepared.cost(variables))',
    instead: '',
    tests: ['http/mcp'],
    harm: 'a caller gets any amount of work for the price of one message',
  },
  {
    file: call,
    text: "if (code === 'payment_required') return",
    instead: "if (code === 'payment_malformed') return",
    tests: ['http/machine-readers'],
    harm: 'x402 clients find no challenge and cannot pay',
  },
  {
    file: server,
    text: 'anyOf: [outputSchema, challenge]',
    instead: 'anyOf: [outputSchema]',
    tests: ['http/machine-readers'],
    harm: 'clients of earlier versions refuse the challenge, because it does not match the output schema',
  },
  {
    file: server,
    text: 'maxSubscriptions: 0',
    instead: 'maxSubscriptions: 1',
    tests: ['http/mcp'],
    harm: 'any caller keeps connections open that no limit counts',
  },
  {
    file: server,
    text: '{ enableJsonResponse: true }',
    instead: '{}',
    tests: ['http/mcp'],
    harm: 'a running answer is cut at shutdown, because it counts as a stream',
  },
  {
    file: endpoint,
    text: 'if (Array.isArray(value))',
    instead: 'if (false)',
    tests: ['http/mcp'],
    harm: 'a batch of many calls costs as much as one message',
  },
  {
    file: endpoint,
    text: 'if (![...allowedOrigins, new URL(publicBaseUrl).origin].includes(origin))',
    instead: 'if (false)',
    tests: ['http/mcp'],
    harm: 'a page of any site calls tools through DNS rebinding',
  },
  {
    file: answer,
    text: 'if (text.includes(\'"jsonrpc":"2.0"\') && isRefusedCall(text)) return null',
    instead: '',
    tests: ['http/mcp'],
    harm: 'a temporary refusal is replayed for a day',
  },
  {
    file: bazaar,
    text: 'return left.has(key) ? [] : [[key, short(value)]]',
    instead: 'return [[key, short(value)]]',
    tests: ['http/machine-readers'],
    harm: 'a challenge outgrows the header in which clients echo it',
  },
  {
    file: failure,
    text: 'Object.hasOwn(feeds, name) ? feeds[name] : undefined',
    instead: 'feeds[name]',
    tests: ['http/mcp'],
    harm: 'an argument with the name of an inherited property is an internal error',
  },
]
