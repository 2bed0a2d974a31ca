// Trusted documents, the limits of a document, and live lists.
import type { Mutant } from './mutant.ts'

const documents = 'src/graphql/documents.ts'
const identified = 'src/graphql/identified.ts'
const trusted = 'src/graphql/trusted.ts'

export const graphql: Mutant[] = [
  {
    file: documents,
    text: `    if (isClosed) throw notTrusted()\n`,
    instead: '',
    tests: ['http/documents'],
    harm: 'a closed service executes any document',
  },
  {
    file: documents,
    text: `demandAffordable(found.cost, documentLimits.cost)`,
    instead: 'void 0',
    tests: ['http/documents'],
    harm: 'a service starts with a document that it always refuses',
  },
  {
    file: identified,
    text: `if (text !== known && !isSha256Of(id, String(text)))`,
    instead: 'if (text === null)',
    tests: ['http/documents'],
    harm: 'a client that names one document executes another',
  },
  {
    file: trusted,
    text: `    if (!isRightHash(key, text)) return 'the id has the form of a hash, but is not the hash of the text'\n`,
    instead: '',
    tests: ['http/documents'],
    harm: 'a service executes another text than the one whose hash the client names',
  },
  {
    file: 'src/http/graphql.ts',
    text: 'idempotentRequest(req, context.principal, sent, several)',
    instead: 'idempotentRequest(req, context.principal, Buffer.from(body()), several)',
    tests: ['http/documents'],
    harm: 'an Idempotency-Key replays the response to another body',
  },
  {
    file: 'src/graphql/no-introspection.ts',
    text: ` && node.name.value !== '__type'`,
    instead: '',
    tests: ['http/documents'],
    harm: 'a service that hides its schema shows it type by type',
  },
  {
    file: 'src/graphql/error-fields.ts',
    text: 'code, ...exceeded, ...body',
    instead: 'code, ...body',
    tests: ['http/limit-errors'],
    harm: 'programs cannot tell which limit refused them',
  },
  {
    file: 'src/kit/sql/run/answer.ts',
    text: 'if (first.size > 0) await statement',
    instead: '',
    tests: ['e2e/live-list'],
    harm: 'a list that is read before its cursor lacks a change that the stream does not send',
  },
  {
    file: 'src/kit/sql/run/answer.ts',
    text: 'if (lacksFirst) return new Map()',
    instead: '',
    tests: ['e2e/live-list'],
    harm: 'a list that SQL has read lacks a change that a cursor read later by resolvers skips',
  },
  {
    file: 'src/modules/events/matching.ts',
    text: 'matched.has(id)',
    instead: 'true',
    tests: ['e2e/live-list'],
    harm: 'a receipt stays in the list that it has left',
  },
  {
    file: 'src/modules/events/project.ts',
    text: `if (BigInt(after) > BigInt(newest)) throw new AppError('cursor_ahead')`,
    instead: '',
    tests: ['e2e/live-list'],
    harm: 'a client goes on with a cursor of another project, and misses the changes of its own',
  },
]
