import type { Mutant } from './mutant.ts'

const call = 'src/mcp/call.ts'
const server = 'src/mcp/server.ts'
const door = 'src/http/mcp.ts'
const answer = 'src/idempotency/answer.ts'
const bazaar = 'src/discovery/bazaar.ts'
const failure = 'src/rest/failure.ts'

export const machines: Mutant[] = [
  {
    file: call,
    text: 'demand(context.principal, operation.access)',
    instead: '',
    tests: ['rest/mcp'],
    harm: 'a caller without a key is told what is wrong with arguments instead of the key',
  },
  {
    file: call,
    text: 'if (root !== null) await challengeOf(context, root)',
    instead: '',
    tests: ['rest/machine-readers'],
    harm: 'a buyer is told what is wrong with arguments instead of the price',
  },
  {
    file: call,
    text: 'charge(context, prepared.cost(variables))',
    instead: '',
    tests: ['rest/mcp'],
    harm: 'a caller has as much work done as he likes, for the price of a message',
  },
  {
    file: call,
    text: "if (code === 'payment_required') return",
    instead: "if (code === 'payment_malformed') return",
    tests: ['rest/machine-readers'],
    harm: 'clients of x402 find no challenge and cannot pay',
  },
  {
    file: server,
    text: 'anyOf: [outputSchema, challenge]',
    instead: 'anyOf: [outputSchema]',
    tests: ['rest/machine-readers'],
    harm: 'clients of earlier versions refuse the challenge, because it is no answer',
  },
  {
    file: server,
    text: 'maxSubscriptions: 0',
    instead: 'maxSubscriptions: 1',
    tests: ['rest/mcp'],
    harm: 'anybody holds connections open that nothing counts',
  },
  {
    file: server,
    text: '{ enableJsonResponse: true }',
    instead: '{}',
    tests: ['rest/mcp'],
    harm: 'an answer under way is cut when the process stops, because it is taken for a stream',
  },
  {
    file: door,
    text: 'if (Array.isArray(value))',
    instead: 'if (false)',
    tests: ['rest/mcp'],
    harm: 'many calls go for the price of one message',
  },
  {
    file: door,
    text: 'if (![...allowedOrigins, new URL(publicBaseUrl).origin].includes(origin))',
    instead: 'if (false)',
    tests: ['rest/mcp'],
    harm: 'a page of any site calls tools by a name of its own for this address',
  },
  {
    file: answer,
    text: 'if (text.includes(\'"jsonrpc":"2.0"\') && isRefusedCall(text)) return null',
    instead: '',
    tests: ['rest/mcp'],
    harm: 'a refusal that passes is answered for a day',
  },
  {
    file: bazaar,
    text: 'return left.has(key) ? [] : [[key, short(value)]]',
    instead: 'return [[key, short(value)]]',
    tests: ['rest/machine-readers'],
    harm: 'a challenge outgrows the header in which clients send it back',
  },
  {
    file: failure,
    text: 'Object.hasOwn(feeds, name) ? feeds[name] : undefined',
    instead: 'feeds[name]',
    tests: ['rest/mcp'],
    harm: 'an argument named like a member of every object is an internal error',
  },
]
