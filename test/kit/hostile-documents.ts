// Generates hostile GraphQL requests from the schema. The seed alone determines every request.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql'

const longest = 400_000

export type Hostile = {
  kind: string
  query: string
  /** JSON text, because some values are nested too deep for a JavaScript object. */
  variables?: string
  operationName?: string
}

/** Ids of existing objects that documents may name. */
export type Known = { receipt: string; project: string }

type Random = { (): number; below(bound: number): number; of<T>(list: readonly T[]): T; chance(share: number): boolean }

/** mulberry32: a small seeded generator with the same numbers on every machine. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (bound: number) => Math.floor(next() * bound)
  const of = <T>(list: readonly T[]): T => {
    const chosen = list[below(list.length)]
    if (chosen === undefined) throw new Error('nothing to choose from')
    return chosen
  }
  return Object.assign(next, { below, of, chance: (share: number) => next() < share })
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const strings = (random: Random): string =>
  random.of([
    'x',
    '',
    '\u0000',
    '𝒳'.repeat(50),
    'é'.repeat(5_000),
    'a'.repeat(100_000),
    '"'.repeat(300),
    '\\'.repeat(300),
    '\u202e',
    '9'.repeat(20_000),
    '%'.repeat(2_000),
    '2026-01-01T00:00:00Z',
    `0x${'1'.repeat(64)}`,
    'http://127.0.0.1:1/x.zip',
  ])

const numbers = [0, 1, -1, 20, 200, 201, 1e9, 2_147_483_647, 2_147_483_648, -2_147_483_648, 1.5, 1e308]

export function hostileDocuments(schema: GraphQLSchema, known: Known, seed: number) {
  const random = randomFrom(seed)
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  }
  const queryFields = Object.values(roots.query?.getFields() ?? {})
  // Each field returns its own type, so that it can be nested without limit.
  const loops = [
    { start: `receipt(id: "${known.receipt}")`, type: 'Receipt', field: 'refundOf' },
    { start: `receipt(id: "${known.receipt}")`, type: 'Receipt', field: 'refunds' },
    { start: '__type(name: "Receipt")', type: '__Type', field: 'ofType' },
    { start: '__type(name: "Query") { fields { type', type: '__Type', field: 'ofType', end: '} }' },
    { start: '__schema { types', type: '__Type', field: 'interfaces', end: '}' },
    { start: '__schema { queryType', type: '__Type', field: 'possibleTypes', end: '}' },
  ]

  const literal = (type: GraphQLInputType, depth = 0): string => {
    const named = getNullableType(type)
    if (random.chance(0.1)) return random.of(['null', '[]', '{}', 'true', '1', '"x"', 'NOT_THERE', '$v0', '[[[[1]]]]'])
    if (isListType(named)) {
      // Filters hold lists of filters: 400 in each of 400 would be no document that anyone can send.
      const isNested = depth > 0 && isInputObjectType(getNamedType(named))
      const lengths = isNested ? [0, 1, 3] : [0, 1, 3, 100, 400]
      return `[${times(random.of(lengths), () => literal(named.ofType, depth + 1)).join(' ')}]`
    }
    if (isEnumType(named)) return random.of(named.getValues()).name
    if (isInputObjectType(named)) {
      if (depth > 3) return '{}'
      const members = Object.values(named.getFields()).filter(() => random.chance(0.7))
      return `{${members.map(member => `${member.name}: ${literal(member.type, depth + 1)}`).join(' ')}}`
    }
    const scalar = getNamedType(named).name
    if (scalar === 'Int' || scalar === 'Float') return String(random.of(numbers))
    if (scalar === 'Boolean') return random.of(['true', 'false'])
    if (scalar === 'ID' && random.chance(0.6)) return JSON.stringify(random.of([known.receipt, known.project]))
    if (scalar === 'JSONObject') return `{${times(random.below(30), index => `k${index}: ${index}`).join(' ')}}`
    return JSON.stringify(strings(random).slice(0, random.of([20, 300, 20_000])))
  }

  const argumentsOf = (args: readonly GraphQLArgument[]): string => {
    const given = args.filter(({ name }) => random.chance(name === 'first' ? 0.8 : 0.4))
    return given.length === 0 ? '' : `(${given.map(({ name, type }) => `${name}: ${literal(type)}`).join(' ')})`
  }

  const directives = (): string =>
    random.chance(0.05)
      ? random.of([
          ' @skip(if: false)',
          ' @include(if: true)',
          ' @include(if: $v0)',
          ' @skip(if: true) @skip(if: false)',
          ' @unknown',
          ' @deprecated',
        ])
      : ''

  function selectionOf(typeName: string, depth: number, width: number): string {
    const type = schema.getType(typeName)
    if (isUnionType(type)) {
      return `{ __typename ${type
        .getTypes()
        .map(one => `... on ${one.name} ${selectionOf(one.name, depth - 1, width)}`)
        .join(' ')} }`
    }
    if (!isObjectType(type)) return ''
    const fields = Object.values(type.getFields())
    const chosen = times(1 + random.below(width), () => random.of(fields))
    return `{ __typename ${chosen.map((field, index) => fieldOf(field, index, depth, width)).join(' ')} }`
  }

  function fieldOf(field: GraphQLField<unknown, unknown>, index: number, depth: number, width: number): string {
    const type = getNamedType(field.type)
    const hasFields = isObjectType(type) || isUnionType(type)
    if (hasFields && depth <= 0) return '__typename'
    const alias = random.chance(0.5) ? `a${index}: ` : ''
    return `${alias}${field.name}${argumentsOf(field.args)}${directives()}${hasFields ? ` ${selectionOf(type.name, depth - 1, width)}` : ''}`
  }

  const kinds: Record<string, () => Omit<Hostile, 'kind'>> = {
    'fragments that double'() {
      const { start, type, field, end = '' } = random.of(loops)
      const [depth, twins] = [1 + random.below(40), 2 + random.below(3)]
      const spread = (level: number) => times(twins, twin => `t${twin}: ${field} { ...F${level - 1} }`).join(' ')
      const fragments = times(
        depth,
        level => `fragment F${level} on ${type} { __typename ${level === 0 ? '' : spread(level)} }`,
      )
      return { query: `{ ${start} { ...F${depth - 1} } ${end} } ${fragments.join(' ')}` }
    },
    'fragments that double without aliases'() {
      const { start, type, field, end = '' } = random.of(loops)
      const depth = 1 + random.below(40)
      const fragments = times(depth, level =>
        level === 0
          ? `fragment F0 on ${type} { __typename }`
          : `fragment F${level} on ${type} { ${field} { ...F${level - 1} } ...F${level - 1} }`,
      )
      return { query: `{ ${start} { ...F${depth - 1} } ${end} } ${fragments.join(' ')}` }
    },
    'fragments in circles'() {
      const count = 1 + random.below(30)
      const fragments = times(
        count,
        index =>
          `fragment F${index} on Receipt { id refundOf { ...F${(index + 1) % count} } ...F${random.below(count)} }`,
      )
      return { query: `{ receipt(id: "${known.receipt}") { ...F0 } } ${fragments.join(' ')}` }
    },
    'nested without end'() {
      const { start, field, end = '' } = random.of(loops)
      const depth = 1 + random.below(600)
      return { query: `{ ${start} ${`{ ${field} `.repeat(depth)}{ __typename ${'} '.repeat(depth + 1)} ${end} }` }
    },
    'the same twice at every level'() {
      const { start, field, end = '' } = random.of(loops)
      const nest = (depth: number): string =>
        depth === 0 ? '__typename' : `${field} { ${nest(depth - 1)} } ${field} { ${nest(depth - 1)} }`
      return { query: `{ ${start} { ${nest(1 + random.below(8))} } ${end} }` }
    },
    'many aliases'() {
      const field = random.of(queryFields)
      const type = getNamedType(field.type)
      const selection = isObjectType(type) || isUnionType(type) ? selectionOf(type.name, 2, 3) : ''
      const once = `${field.name}${argumentsOf(field.args)} ${selection}`
      // A body of 1 MB is refused already; a filter that names itself can be as long as that alone.
      const count = Math.min(1 + random.below(150), 1 + Math.floor(1_000_000 / once.length))
      return { query: `{ ${times(count, index => `a${index}: ${once}`).join(' ')} }` }
    },
    'one field again and again'() {
      return { query: `{ receipt(id: "${known.receipt}") { ${'id '.repeat(1 + random.below(900))} } }` }
    },
    'fields in conflict'() {
      const pairs = times(1 + random.below(250), () =>
        random.of(['a: id', 'a: status', 'a: amount', 'b: id', 'b: createdAt']),
      )
      return { query: `{ receipt(id: "${known.receipt}") { ${pairs.join(' ')} } }` }
    },
    'any query'() {
      const [depth, width] = [1 + random.below(6), 1 + random.below(12)]
      return { query: `query Q($v0: Boolean = true) ${selectionOf('Query', depth, width)}`, operationName: 'Q' }
    },
    'any mutation'() {
      const chosen = times(1 + random.below(4), () => random.of(Object.values(roots.mutation?.getFields() ?? {})))
      return { query: `mutation { ${chosen.map((field, index) => fieldOf(field, index, 3, 4)).join(' ')} }` }
    },
    'any subscription, not streamed'() {
      return {
        query: `subscription { receiptEvents(receiptId: "${known.receipt}" after: ${random.of(['null', '"0"', '"x"', '1'])}) ${selectionOf('ReceiptEvent', 1, 6)} }`,
      }
    },
    introspection() {
      const inner = (depth: number): string => {
        if (depth === 0) return 'name'
        const field = random.of([
          'fields',
          'type',
          'ofType',
          'args',
          'inputFields',
          'possibleTypes',
          'interfaces',
          'enumValues',
        ])
        return `${times(1 + random.below(4), index => `n${index}: name`).join(' ')} ${field} { ${inner(depth - 1)} }`
      }
      return {
        query: `{ ${random.of(['__schema { types', '__schema { queryType', '__type(name: "Query") { fields'])} { ${inner(1 + random.below(8))} } } }`,
      }
    },
    'much of introspection'() {
      const names = times(
        1 + random.below(480),
        index => `a${index}: ${random.of(['name', 'description', '__typename'])}`,
      )
      return { query: `{ __schema { types { fields { ${names.join(' ')} } } } }` }
    },
    'many variables'() {
      const count = 1 + random.below(300)
      const declared = times(
        count,
        index =>
          `$v${index}: ${random.of(['ID', 'Int', 'String!', '[String!]', 'Decimal'])} ${random.of(['', '= null', '= "x"', '= 1'])}`,
      )
      return {
        query: `query (${declared.join(' ')}) { receipt(id: $v${random.below(count)}) { id } }`,
        variables: JSON.stringify(
          Object.fromEntries(times(count, index => [`v${index}`, random.of([null, 1, 'x', [], {}])])),
        ),
      }
    },
    'long lists in variables'() {
      const entry = random.of<unknown>([null, 1, 'x', {}, { bundleHash: `0x${'1'.repeat(64)}` }, [[]]])
      return {
        query:
          'query ($items: [VerifyLocatorInput!], $urls: [URL!]) { premiumVerifyBundles(items: $items, bundleUrls: $urls) { verified } }',
        variables: JSON.stringify({
          [random.of(['items', 'urls'])]: times(random.of([10, 1_000, 2_400, 6_000, 40_000]), () => entry),
        }),
      }
    },
    'long lists in the document'() {
      return {
        query: `{ premiumVerifyBundles(bundleUrls: [${times(random.of([10, 1_000, 1_990, 30_000]), () => '"x"').join(' ')}]) { verified } }`,
      }
    },
    'deep values in variables'() {
      const depth = random.of([10, 1_000, 20_000])
      const text = random.chance(0.5)
        ? `${'['.repeat(depth)}${']'.repeat(depth)}`
        : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
      const query = 'query ($p: JSONObject!) { verifyPayment(paymentPayload: $p, paymentRequirements: $p) { valid } }'
      return { query, variables: `{"p":${text}}` }
    },
    'deep values in the document'() {
      const depth = 1 + random.below(990)
      return {
        query: `{ verifyPayment(paymentPayload: ${'{a:'.repeat(depth)}1${'}'.repeat(depth)} paymentRequirements: ${'['.repeat(depth)}${']'.repeat(depth)}) { valid } }`,
      }
    },
    'long strings'() {
      const text = JSON.stringify(strings(random))
      return random.of<() => Omit<Hostile, 'kind'>>([
        () => ({ query: `{ receipt(id: ${text}) { id } }` }),
        () => ({
          query: 'query ($x: String) { receipts(filter: { reference: { contains: $x } }) { totalCount nodes { id } } }',
          variables: JSON.stringify({ x: strings(random) }),
        }),
        () => ({ query: `{ ${'a'.repeat(random.of([10, 10_000, 200_000]))} }` }),
        () => ({ query: `{ __typename @${'a'.repeat(random.of([10, 10_000]))} }` }),
        () => ({ query: `query ${'a'.repeat(50_000)} { __typename }`, operationName: 'a'.repeat(50_000) }),
        () => ({ query: `{ __typename } ${'#'.repeat(random.of([100, 200_000]))}` }),
        () => ({ query: `{ ${' '.repeat(200_000)} __typename }` }),
        () => ({ query: `{ receipt(id: """${'\n  x'.repeat(random.of([10, 50_000]))}""") { id } }` }),
        () => ({ query: `{ receipt(id: 1${'0'.repeat(100_000)}) { id } }` }),
      ])()
    },
    'many operations'() {
      const count = 1 + random.below(330)
      const operations = times(count, index => `query Q${random.chance(0.01) ? 0 : index} { __typename }`)
      return { query: operations.join(' '), operationName: random.of(['Q0', `Q${count - 1}`, 'Nobody', '']) }
    },
    'many directives'() {
      const directive = random.of(['@skip(if: false)', '@include(if: true)', '@x', '@skip(if: $v)'])
      return { query: `{ __typename ${`${directive} `.repeat(1 + random.below(390))} }` }
    },
    'many fields nobody knows'() {
      return { query: `{ ${times(1 + random.below(900), index => `receiptx${index}`).join(' ')} }` }
    },
    'many arguments nobody knows'() {
      return {
        query: `{ receipts(${times(1 + random.below(480), index => `firsx${index}: 1`).join(' ')}) { totalCount } }`,
      }
    },
    'an input nobody knows'() {
      return {
        query: `mutation { recordReceipt(input: {${times(1 + random.below(480), index => `amoun${index}: 1`).join(' ')}}) { receipt { id } } }`,
      }
    },
    'dear things together'() {
      const dear = [
        `file(owner: "${known.receipt}" name: "pain001.html") { content }`,
        'receipts(first: 200) { totalCount nodes { id artifacts { nodes { type url sha256 } } anchors { anchorTx } project { name } } }',
        `receipts(first: 200 filter: { reference: { contains: "e" } }) { edges { node { id refunds { nodes { id } } } } }`,
        'receipts(first: 200 after: "b2Zmc2V0OjEwMDAwMDA") { totalCount nodes { id } }',
        'auditTrail(first: 200) { nodes { number details } }',
        `verifyEvidence(bundleHash: "0x${'1'.repeat(64)}") { errors checks { code title status } }`,
        'signInNonce { nonce }',
      ]
      return { query: `{ ${times(1 + random.below(30), index => `a${index}: ${random.of(dear)}`).join(' ')} }` }
    },
    'not GraphQL'() {
      return {
        query: random.of([
          '',
          '{',
          '}',
          '{{{{',
          'query',
          '\u0000',
          '\ufeff{__typename}',
          '{ __typename',
          '"""',
          '{ a(b: "',
          '{ ... }',
          '{ ...on }',
          'fragment on on on { on }',
        ]),
      }
    },
  }
  const names = Object.keys(kinds)

  return {
    kinds: names,
    next(): Hostile {
      for (;;) {
        const kind = random.of(names)
        const made = kinds[kind]?.()
        // Allows slightly more than a body may have; a much longer request is refused by its length alone.
        if (made && made.query.length + (made.variables?.length ?? 0) < longest) return { kind, ...made }
      }
    },
  }
}
