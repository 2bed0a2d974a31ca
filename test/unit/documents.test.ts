// The size and cost of a GraphQL document, which are counted before it is validated or run.
import fc from 'fast-check'
import {
  type DocumentNode,
  getIntrospectionQuery,
  getNamedType,
  isListType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { documentLimits } from '../../src/core/request-limits.ts'
import { expansionsOf } from '../../src/graphql/bounds.ts'
import { createDocuments } from '../../src/graphql/documents.ts'
import { onePaidField } from '../../src/graphql/one-paid-field.ts'
import { schema } from '../../src/graphql/schema.ts'
import { declaredCost } from '../../src/kit/field-cost.ts'
import { offsetCursor } from '../../src/kit/offset-cursor.ts'
import { costOf } from '../../src/kit/operation-cost.ts'

const documents = () => createDocuments(schema, [onePaidField])
const codeOf = (query: string): unknown => {
  try {
    documents().read(query)
    return null
  } catch (error) {
    return Reflect.get(Object(Reflect.get(Object(error), 'extensions')), 'code')
  }
}

/** Each fragment spreads the previous fragment twice. */
const doubling = (levels: number) =>
  `{ receipt(id: "x") { ...F${levels} } } fragment F0 on Receipt { id } ${Array.from(
    { length: levels },
    (_, index) => `fragment F${index + 1} on Receipt { a: refundOf { ...F${index} } b: refundOf { ...F${index} } }`,
  ).join(' ')}`

describe('bounds on a document', () => {
  it.each([5, 12, 20, 29, 60])(
    'refuse %i fragments that each spread the previous one twice, without expanding them',
    levels => {
      expect(doubling(levels).length).toBeLessThan(6_000)
      expect(codeOf(doubling(levels))).toBe(levels < 6 ? null : 'document_too_large')
    },
  )

  it('refuse introspection that unwraps a type twice at every level', () => {
    const fragments = doubling(20)
      .replaceAll('Receipt', '__Type')
      .replaceAll('refundOf', 'ofType')
      .replaceAll('{ id }', '{ name }')
    expect(codeOf(fragments.replace(/^.*?\} \}/, '{ __type(name: "Receipt") { ...F20 } }'))).toBe('document_too_large')
  })

  it.each([
    ['fields', `{ ${'__typename '.repeat(501)} }`],
    ['levels', `{ receipt(id: "x") ${'{ refundOf '.repeat(20)} { id } ${'}'.repeat(20)} }`],
    ['aliases', `{ ${Array.from({ length: 101 }, (_, n) => `a${n}: __typename`).join(' ')} }`],
    ['characters in an alias', `{ ${'a'.repeat(101)}: __typename }`],
    ['characters in an alias of a fragment', `{ ...F } fragment F on Query { ${'a'.repeat(101)}: __typename }`],
    ['directives', `{ __typename ${'@include(if: true) '.repeat(101)} }`],
    ['tokens', `{ ${'__typename '.repeat(2_000)} }`],
    ['aliases of fragments', `{ ${'...F '.repeat(51)} } fragment F on Query { a: __typename b: __typename }`],
  ])('refuse too many %s with the count and a remedy', (_, query) => {
    expect(() => documents().read(query)).toThrow(/The document has .*\d+.* (Ask|Send|Leave) /)
    expect(codeOf(query)).toBe('document_too_large')
  })

  it('admit the introspection query of every tool, at less than three quarters of the permitted cost', () => {
    const query = getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      inputValueDeprecation: true,
      schemaDescription: true,
      oneOf: true,
    })
    const { document, errors } = documents().read(query)
    expect(errors).toEqual([])
    expect(costOf(schema, document).total).toBeLessThan(documentLimits.cost * 0.75)
  })

  it('ignore a fragment that spreads itself, which validation refuses', () => {
    const { errors } = documents().read(
      '{ receipt(id: "x") { ...A } } fragment A on Receipt { id refundOf { ...B } } fragment B on Receipt { ...A }',
    )
    expect(errors.map(({ extensions }) => extensions.code)).toContain('invalid_graphql')
  })

  it('count what the expanded document would count', () => {
    const fragmentNames = ['A', 'B', 'C', 'D']
    const within = (level: number, wrap: (inner: string) => string): fc.Arbitrary<string> =>
      level > 6
        ? fc.constant('id')
        : fc
            .constant(null)
            .chain(() => selection(level + 2))
            .map(wrap)
    // A fragment spreads only later fragments, so that there is no cycle.
    const selection = (level: number): fc.Arbitrary<string> =>
      fc
        .array(
          fc.oneof(
            {
              weight: 3,
              arbitrary: fc.constantFrom(
                'id',
                'x: id',
                'status @skip(if: false)',
                'y: status @skip(if: true) @include(if: true)',
              ),
            },
            { weight: 2, arbitrary: within(level, inner => `z: refundOf ${inner}`) },
            { weight: 1, arbitrary: within(level, inner => `... on Receipt ${inner}`) },
            {
              weight: 2,
              arbitrary: fc.constantFrom(...fragmentNames.slice(Math.ceil(level / 2)).map(name => `...${name}`), 'id'),
            },
          ),
          { minLength: 1, maxLength: 4 },
        )
        .map(parts => `{ ${parts.join(' ')} }`)
    const document = fc
      .tuple(selection(0), ...fragmentNames.map((_, index) => selection(2 * index + 2)))
      .map(([root, ...fragments]) =>
        parse(
          `{ receipt(id: "x") ${root} } ${fragments.map((inner, index) => `fragment ${fragmentNames[index]} on Receipt ${inner}`).join(' ')}`,
        ),
      )
    fc.assert(
      fc.property(document, given => {
        expect(expansionsOf(given)[0]).toEqual(writtenOut(given))
      }),
      { numRuns: 300 },
    )
  })
})

/** Counts by expanding every fragment, which takes exponential time. */
function writtenOut({ definitions }: DocumentNode) {
  const fragments = new Map(
    definitions.flatMap(one => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [])),
  )
  const sum = { fields: 0, depth: 0, aliases: 0, aliasLength: 0, directives: 0 }
  const walk = ({ selections }: SelectionSetNode, level: number) => {
    for (const one of selections) {
      sum.directives += one.directives?.length ?? 0
      if (one.kind === Kind.FIELD) {
        sum.fields += 1
        sum.depth = Math.max(sum.depth, level)
        if (one.alias) sum.aliases += 1
        sum.aliasLength = Math.max(sum.aliasLength, one.alias?.value.length ?? 0)
        if (one.selectionSet) walk(one.selectionSet, level + 1)
      } else {
        const set = one.kind === Kind.INLINE_FRAGMENT ? one.selectionSet : fragments.get(one.name.value)?.selectionSet
        if (set) walk(set, level)
      }
    }
  }
  const [operation] = definitions
  if (operation?.kind === Kind.OPERATION_DEFINITION) walk(operation.selectionSet, 1)
  return sum
}

describe('the cost of an operation', () => {
  const cost = (query: string, values = {}, name?: string) => costOf(schema, parse(query), name, values).total
  const list = (size: string) => `receipts(first: ${size}) { nodes { id status artifacts { nodes { type url } } } }`

  it('is multiplied by the page size, whichever way the size is given', () => {
    const twenty = cost(`{ ${list('20')} }`)
    const hundred = cost(`{ ${list('100')} }`)
    expect(hundred / twenty).toBeCloseTo(5, 0)
    expect(cost(`query ($n: Int) { ${list('$n')} }`, { n: 100 })).toBe(hundred)
    expect(cost(`query ($n: Int = 100) { ${list('$n')} }`)).toBe(hundred)
    expect(cost(`query ($n: Int = 100) { ${list('$n')} }`, { n: 20 })).toBe(twenty)
    expect(cost(`{ ${list('100').replace('first', 'last')} }`)).toBe(hundred)
    expect(cost(`{ ...F } fragment F on Query { ${list('100')} }`)).toBe(hundred)
    expect(
      cost(
        `{ receipts(first: 100) { ...N } } fragment N on ReceiptConnection { nodes { id status artifacts { nodes { type url } } } }`,
      ),
    ).toBe(hundred)
    expect(
      cost(`{ receipts(first: 100) { edges { node { id status artifacts { nodes { type url } } } } } }`),
    ).toBeGreaterThanOrEqual(hundred)
  })

  it('uses the default page size where none is given, and the largest page size for a larger one', () => {
    expect(cost('{ receipts { nodes { id status artifacts { nodes { type url } } } } }')).toBe(
      cost(`{ ${list('20')} }`),
    )
    expect(cost(`{ ${list('1000000')} }`)).toBe(cost(`{ ${list('200')} }`))
    expect(cost(`{ ${list('-5')} }`)).toBe(
      cost('{ receipts { nodes { id status artifacts { nodes { type url } } } } }'),
    )
  })

  it('adds up over aliases, is counted per operation, and leaves out skipped fields', () => {
    const once = cost(`{ ${list('200')} }`)
    expect(cost(`{ a: ${list('200')} b: ${list('200')} c: ${list('200')} }`)).toBeGreaterThanOrEqual(3 * once - 2)
    const two = `query Small { __typename } query Large { ${list('200')} }`
    expect([cost(two, {}, 'Small'), cost(two, {}, 'Large')]).toEqual([1, once])
    const optional = `query ($all: Boolean!) { __typename ...L @include(if: $all) } fragment L on Query { ${list('200')} }`
    expect([cost(optional, { all: true }), cost(optional, { all: false })]).toEqual(
      [once + 1, 1].map(value => expect.closeTo(value, -1)),
    )
    expect(cost(`{ __typename receipts(first: 200) @skip(if: true) { nodes { id } } }`)).toBe(1)
  })

  it('is nothing for skipped fields', () => {
    const document = parse(`query ($all: Boolean!) {
      ...L @include(if: $all)
      receipt(id: "x") { id refundOf @skip(if: true) { id status } }
    } fragment L on Query { ${list('200')} }`)
    expect(costOf(schema, document, undefined, { all: false }).total).toBe(1)
  })

  it('is high for expensive fields: counts, deep pages, files, verifications, statements, writes', () => {
    const plain = cost('{ receipt(id: "x") { id status } }')
    expect(plain).toBe(1)
    expect(cost('{ payments(first: 1) { totalCount } }')).toBeGreaterThan(15)
    expect(cost(`{ receipts(first: 1, after: "${offsetCursor(800_000)}") { nodes { id } } }`)).toBeGreaterThan(1_000)
    expect(cost('{ file(owner: "x", name: "pain001.html") { content } }')).toBeGreaterThan(5)
    expect(cost('{ verifyEvidence(bundleHash: "x") { errors } }')).toBeGreaterThan(40)
    expect(cost('mutation { generateStatement(input: {}) { statement { id } } }')).toBeGreaterThan(40)
    expect(cost('mutation { recordReceipt(input: {}) { receipt { id } } }')).toBeGreaterThan(4)
  })

  it.each([
    ['a reference in another order', { reference: 'zqx' }, { field: 'AMOUNT' }, 200],
    ['a reference and another condition', { reference: 'zqx', chains: ['base'] }, {}, 200],
    ['several values', { chains: ['base', 'polygon', 'celo'] }, {}, 2],
    ['a reference', { reference: 'zqx' }, {}, 100],
    ['two conditions', { chains: ['base'], currencies: ['DAI'] }, {}, 100],
    ['a condition in another order', { chains: ['base'] }, { field: 'ANCHORED_AT' }, 100],
    ['a condition and the range of another order', { chains: ['base'], amount: {} }, { field: 'AMOUNT' }, 100],
    ['a condition and a range of the usual order', { chains: ['base'], createdAt: {} }, { field: 'CREATED_AT' }, 0],
    ['the range of another order', { anchoredAt: {} }, { field: 'ANCHORED_AT' }, 0],
    ['another order', { chains: null }, { field: 'AMOUNT' }, 0],
    ['nothing', {}, {}, 0],
  ])('includes what a list of receipts may read in vain for %s', (_, filter, orderBy, extra) => {
    const list = 'receipts(first: 1, filter: $filter, orderBy: $orderBy) { nodes { id } }'
    const variables = '($filter: ReceiptFilter, $orderBy: ReceiptOrder)'
    const plain = cost('{ receipts(first: 1) { nodes { id } } }')
    expect(cost(`query ${variables} { ${list} }`, { filter, orderBy }) - plain).toBe(extra)
    const nested = cost(`query ${variables} { me { project { ${list} } } }`, { filter, orderBy })
    expect(nested - cost('{ me { project { receipts(first: 1) { nodes { id } } } } }')).toBe(extra)
  })

  it('includes what a filter reads whose values are variables, or of which nothing is listed', () => {
    const named = 'query ($text: String = "zq") { receipts(filter: { reference: { contains: $text } }) { totalCount } }'
    expect(cost(named)).toBeGreaterThan(100)
    expect(cost(named, { text: null })).toBeLessThan(50)
    expect(cost('{ receiptStats(filter: { reference: { contains: "zq" } }) { totalCount } }')).toBeGreaterThan(100)
    expect(cost('{ payments(filter: { payers: ["0x1"], types: [REFUND] }) { totalCount } }')).toBeGreaterThan(100)
    expect(cost('{ auditTrail(filter: { actors: ["x"], actions: ["x"] }) { totalCount } }')).toBeGreaterThan(100)
  })

  it('is defined for every list whose size an argument decides', () => {
    const silent: string[] = []
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type) || type.name.startsWith('__')) continue
      for (const field of Object.values(type.getFields())) {
        const sizes = field.args
          .filter(({ name }) => /^(first|last|limit|pageSize)$/.test(name))
          .map(({ name }) => name)
        const { listSize } = declaredCost(field)
        const isConnection = getNamedType(field.type).name.endsWith('Connection')
        if (sizes.some(name => !listSize?.slicingArguments.includes(name))) silent.push(`${type.name}.${field.name}`)
        if (isConnection && !isListType(field.type) && listSize?.sizedFields.length !== 2)
          silent.push(`${type.name}.${field.name}`)
      }
    }
    expect(silent).toEqual([])
  })
})

describe('parsed documents', () => {
  it('are cached by size in bytes: a thousand large documents evict the first, one does not', () => {
    const kept = documents()
    const first = kept.read('{ __typename }')
    expect(kept.read('{ __typename }')).toBe(first)
    for (let index = 0; index < 1_000; index++) kept.read(`{ __typename } # ${index} ${'x'.repeat(1_000)}`)
    expect(kept.read('{ __typename }')).not.toBe(first)
  })

  it('are kept for as long as they are trusted, and cost nothing to read', () => {
    const kept = documents()
    const query = `query Long { ${'__typename '.repeat(100)} }`
    kept.trustOnly([kept.trustworthy(query)])
    const first = kept.read(query)
    expect(kept.costOfReading(query)).toBe(0)
    for (let index = 0; index < 1_000; index++) kept.read(`{ __typename } # ${index} ${'x'.repeat(1_000)}`)
    expect(kept.read(query)).toBe(first)
    expect(first.operations.get('Long')?.run).toBeTypeOf('function')
  })

  it('are prepared, except subscriptions', () => {
    const kept = documents()
    const prepare = (query: string) => kept.operation(kept.read(query), undefined, {})?.prepare()
    expect(prepare('{ __typename }')).toBeTypeOf('function')
    expect(prepare('subscription { receiptEvents(receiptId: "x") { cursor } }')).toBeNull()
  })
})
