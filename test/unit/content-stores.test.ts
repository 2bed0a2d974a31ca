// Content stores behind a gateway that returns wrong content in every way: they return only bytes that match the id.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import Arweave from 'arweave'
import fc from 'fast-check'
import { importer } from 'ipfs-unixfs-importer'
import { fixedSize } from 'ipfs-unixfs-importer/chunker'
import { balanced } from 'ipfs-unixfs-importer/layout'
import { base36 } from 'multiformats/bases/base36'
import { base58btc } from 'multiformats/bases/base58'
import { CID } from 'multiformats/cid'
import { create as createDigest } from 'multiformats/hashes/digest'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createArweaveStore } from '../../src/adapters/arweave-store.ts'
import { createIpfsStore } from '../../src/adapters/ipfs-store.ts'
import { createPublicFetch } from '../../src/adapters/public-fetch.ts'
import type { PublicFetch } from '../../src/ports/public-fetch.ts'

type Answer = Buffer | number | ((response: ServerResponse) => void)
const answers = new Map<string, Answer>()
const asked: string[] = []
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '', 'http://gateway').pathname
  asked.push(path)
  const answer = answers.get(path) ?? 404
  if (typeof answer === 'function') return answer(response)
  if (typeof answer === 'number') response.statusCode = answer
  response.end(typeof answer === 'number' ? 'no' : answer)
})
let gateway = ''

beforeAll(async () => {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  gateway = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  answers.clear()
  asked.length = 0
})

const fetchPublic = createPublicFetch({ allowPrivate: true })
const hasty: PublicFetch = (url, options) => fetchPublic(url, { ...options, timeoutMs: 100 })
const ipfs = (fetch = fetchPublic) => createIpfsStore(gateway, fetch)
const arweave = (fetch = fetchPublic) => createArweaveStore(gateway, fetch)

const absent = { found: false, why: 'absent' }
const unavailable = { found: false, why: 'unavailable' }
const mismatch = { found: false, why: 'mismatch' }
const html: Answer = Buffer.from('<!doctype html><title>Welcome</title>')
const hangs: Answer = () => undefined
const redirects: Answer = response => response.writeHead(302, { Location: `${gateway}/elsewhere` }).end()
const never: Answer = response => {
  const chunk = Buffer.alloc(1024 * 1024)
  const more = () => response.write(chunk, error => error ?? more())
  more()
}
const cutShort =
  (bytes: Buffer): Answer =>
  response => {
    response.writeHead(200, { 'Content-Length': bytes.length })
    response.write(bytes.subarray(0, bytes.length - 1), () => response.destroy())
  }
const flipped = (bytes: Buffer, bit: number) => {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
  return copy
}

describe('ipfs', () => {
  type Import = { cidVersion: 0 | 1; rawLeaves: boolean; chunkSize: number; children?: number; path?: string }

  /** Adds the content as other tools would, and makes the gateway serve its blocks. */
  async function add(content: Buffer, { cidVersion, rawLeaves, chunkSize, children = 174, path }: Import) {
    const served: { cid: CID; bytes: Buffer }[] = []
    const blocks = {
      async put(cid: CID, bytes: unknown) {
        if (!(bytes instanceof Uint8Array)) throw new Error('the importer gives whole blocks')
        served.push({ cid, bytes: Buffer.from(bytes) })
        answers.set(`/ipfs/${cid}`, served.at(-1)?.bytes ?? 404)
        return cid
      },
    }
    const options = {
      cidVersion,
      rawLeaves,
      chunker: fixedSize({ chunkSize }),
      layout: balanced({ maxChildrenPerNode: children }),
      reduceSingleLeafToSelf: true,
      wrapWithDirectory: path !== undefined,
    }
    const file = path === undefined ? { content } : { content, path }
    let root: CID | null = null
    for await (const { cid } of importer([file], blocks, options)) root = cid
    if (root === null) throw new Error('nothing was added')
    return { id: root.toString(), root, served }
  }

  const content = randomBytes(1000)
  const leafV1: Import = { cidVersion: 1, rawLeaves: true, chunkSize: 4096 }
  const nodeV0: Import = { cidVersion: 0, rawLeaves: false, chunkSize: 4096 }
  const manyV1: Import = { cidVersion: 1, rawLeaves: true, chunkSize: 100 }
  const deepV0: Import = { cidVersion: 0, rawLeaves: false, chunkSize: 100, children: 3 }
  const forms = { leafV1, nodeV0, manyV1, deepV0 }

  /** Builds blocks by hand that no honest tool makes. */
  const varint = (n: bigint): Buffer =>
    n < 128n ? Buffer.of(Number(n)) : Buffer.concat([Buffer.of(Number(n & 127n) | 128), varint(n >> 7n)])
  const field = (tag: number, bytes: Uint8Array) => Buffer.concat([Buffer.of(tag), varint(BigInt(bytes.length)), bytes])
  const unixfs = (type: number, data: Uint8Array | null, sizes: bigint[] = []) =>
    Buffer.concat([
      Buffer.of(8, type),
      data ? field(0x12, data) : Buffer.alloc(0),
      ...sizes.map(size => Buffer.concat([Buffer.of(0x20), varint(size)])),
    ])
  const node = (links: CID[], data: Buffer) =>
    Buffer.concat([...links.map(({ bytes }) => field(0x12, field(0x0a, bytes))), field(0x0a, data)])
  const hashOf = (bytes: Uint8Array) => createDigest(0x12, createHash('sha256').update(bytes).digest())
  function serve(code: number, bytes: Buffer): CID {
    const cid = CID.createV1(code, hashOf(bytes))
    answers.set(`/ipfs/${cid}`, bytes)
    return cid
  }
  const file = 2

  test.each(Object.entries(forms))('a bundle added as %s is found byte for byte', async (_, form) => {
    const { id } = await add(content, form)
    expect(id).toMatch(form.cidVersion === 0 ? /^Qm/ : /^baf/)
    expect(ipfs().isId(id)).toBe(true)
    expect(await ipfs().read(id)).toEqual({ found: true, bytes: content })
  })

  test('ids that every IPFS tool computes for the same bytes are read with the same result', async () => {
    const hello = Buffer.from('hello world')
    answers.set('/ipfs/bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e', hello)
    answers.set('/ipfs/Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD', Buffer.from(`\n\x11\b\x02\x12\v${hello}\x18\v`))
    for (const path of [...answers.keys()]) {
      expect(await ipfs().read(path.slice('/ipfs/'.length))).toEqual({ found: true, bytes: hello })
    }
  })

  test('a bundle larger than one block of the default size, and an empty file, are found', async () => {
    const large = randomBytes(3 * 1024 * 1024)
    const { id } = await add(large, { ...leafV1, chunkSize: 256 * 1024 })
    const answer = await ipfs().read(id)
    expect(answer.found && answer.bytes.equals(large)).toBe(true)
    const empty = await add(Buffer.alloc(0), nodeV0)
    expect(await ipfs().read(empty.id)).toEqual({ found: true, bytes: Buffer.alloc(0) })
  })

  test('the same id in base32, base36 and base58 names the same bundle, as does an id that contains the bytes', async () => {
    const { root } = await add(content, leafV1)
    for (const base of [base36, base58btc]) {
      expect(await ipfs().read(root.toString(base))).toEqual({ found: true, bytes: content })
    }
    const inline = CID.createV1(0x55, createDigest(0, Buffer.from('small')))
    const before = asked.length
    expect(await ipfs().read(inline.toString())).toEqual({ found: true, bytes: Buffer.from('small') })
    expect(asked.length).toBe(before)
  })

  test('the gateway must return raw blocks, because only these can be checked against the id', async () => {
    const { id } = await add(content, leafV1)
    const seen: { url: string; accept: string | undefined }[] = []
    const watched: PublicFetch = (url, options) => {
      seen.push({ url, accept: options.accept })
      return fetchPublic(url, options)
    }
    await createIpfsStore(`${gateway}/`, watched).read(id)
    expect(seen).toEqual([{ url: `${gateway}/ipfs/${id}?format=raw`, accept: 'application/vnd.ipld.raw' }])
  })

  test('a directory, a link, a node that is no file and other codecs are reported as absent, not as our fault', async () => {
    const { id } = await add(content, { ...leafV1, path: 'bundle.zip' })
    expect(await ipfs().read(id)).toEqual(absent)
    const symlink = serve(0x70, node([], unixfs(4, Buffer.from('/etc/passwd'))))
    const notUnixfs = serve(0x70, node([], Buffer.from('plain')))
    const notDagPb = serve(0x70, content)
    const json = serve(0x0200, Buffer.from('{}'))
    const cbor = serve(0x71, Buffer.of(0xa0))
    for (const cid of [symlink, notUnixfs, notDagPb, json, cbor]) {
      expect(await ipfs().read(cid.toString())).toEqual(absent)
    }
    // A codec that is never a file is not fetched.
    for (const cid of [json, cbor]) expect(asked).not.toContain(`/ipfs/${cid}`)
  })

  test.each(Object.entries(forms))('one bit changed anywhere in %s never passes for the bundle', async (_, form) => {
    const { id, served } = await add(content, form)
    const places = fc.constantFrom(...served).chain(({ cid, bytes }) =>
      fc.record({
        cid: fc.constant(cid),
        bytes: fc.constant(bytes),
        bit: fc.nat(bytes.length * 8 - 1),
      }),
    )
    const honest = new Map(answers)
    await fc.assert(
      fc.asyncProperty(places, async ({ bytes, bit }) => {
        for (const [path, answer] of honest) answers.set(path, answer === bytes ? flipped(bytes, bit) : answer)
        expect(await ipfs().read(id)).toEqual(mismatch)
      }),
      { numRuns: 40 },
    )
  })

  const lies: Record<string, (bytes: Buffer) => [Answer, typeof absent]> = {
    'another valid block': () => [randomBytes(100), mismatch],
    'an HTML page': () => [html, mismatch],
    'nothing at all': () => [Buffer.alloc(0), mismatch],
    'one byte less': bytes => [bytes.subarray(0, -1), mismatch],
    'one byte more': bytes => [Buffer.concat([bytes, Buffer.of(0)]), mismatch],
    'a cut connection': bytes => [cutShort(bytes), unavailable],
    'an endless answer': () => [never, unavailable],
    'a redirect': () => [redirects, unavailable],
    '404': () => [404, absent],
    '410': () => [410, absent],
    '403': () => [403, unavailable],
    '500': () => [500, unavailable],
    silence: () => [hangs, unavailable],
  }
  test.each(Object.entries(lies))('%s in place of any block is refused for the right reason', async (_, lie) => {
    const { id, served } = await add(content, manyV1)
    answers.set('/elsewhere', served[0]?.bytes ?? 404)
    const honest = new Map(answers)
    const root = served.find(({ cid }) => cid.code === 0x70)
    const leaf = served.find(({ cid }) => cid.code === 0x55)
    for (const wronged of [root, leaf]) {
      if (wronged === undefined) throw new Error('no such block')
      const [answer, expected] = lie(wronged.bytes)
      for (const [path, bytes] of honest) answers.set(path, bytes === wronged.bytes ? answer : bytes)
      expect(await ipfs(answer === hangs ? hasty : fetchPublic).read(id)).toEqual(expected)
    }
    expect(asked).not.toContain('/elsewhere')
  })

  test('the blocks of another valid file under the id are refused, so that a gateway cannot choose the bundle', async () => {
    const wanted = await add(content, manyV1)
    const other = await add(randomBytes(1000), manyV1)
    const otherRoot = answers.get(`/ipfs/${other.id}`)
    if (otherRoot === undefined) throw new Error('not served')
    answers.set(`/ipfs/${wanted.id}`, otherRoot)
    expect(await ipfs().read(wanted.id)).toEqual(mismatch)
  })

  test('a gateway that does not answer is reported as unavailable, and nothing is thrown', async () => {
    const { id } = await add(content, leafV1)
    expect(await createIpfsStore('http://127.0.0.1:9', fetchPublic).read(id)).toEqual(unavailable)
    expect(await createIpfsStore('not a url', fetchPublic).read(id)).toEqual(unavailable)
    const broken: PublicFetch = () => Promise.reject(new Error('broken'))
    expect(await createIpfsStore(gateway, broken).read(id)).toEqual(unavailable)
    expect(await createIpfsStore(gateway, createPublicFetch({ allowPrivate: false })).read(id)).toEqual(unavailable)
  })

  test('a file above 4 MiB is refused, in one block and in many', async () => {
    const large = Buffer.alloc(4 * 1024 * 1024 + 1, 7)
    expect(await ipfs().read(serve(0x55, large).toString())).toEqual(unavailable)
    const { id } = await add(randomBytes(large.length), { ...leafV1, chunkSize: 1024 * 1024 })
    expect(await ipfs().read(id)).toEqual(unavailable)
  })

  test('a node larger than any tool makes is refused before decoding, which costs far more than fetching', async () => {
    const leaf = (size: number) => serve(0x70, node([], unixfs(file, Buffer.alloc(size))))
    expect((await ipfs().read(leaf(1024 * 1024).toString())).found).toBe(true)
    expect(await ipfs().read(leaf(1024 * 1024 + 8192).toString())).toEqual(unavailable)
  })

  test('a chain of nodes, a node of a thousand links and a leaf that is linked repeatedly all stop at 64 blocks', async () => {
    const leaf = serve(0x55, Buffer.from('x'))
    let chain = leaf
    for (let depth = 0; depth < 200; depth += 1) chain = serve(0x70, node([chain], unixfs(file, null, [1n])))
    const links = (count: number) => Array.from({ length: count }, () => leaf)
    const wide = serve(
      0x70,
      node(
        links(1000),
        unixfs(
          file,
          null,
          links(1000).map(() => 1n),
        ),
      ),
    )
    const again = serve(
      0x70,
      node(
        links(60),
        unixfs(
          file,
          null,
          links(60).map(() => 1n),
        ),
      ),
    )
    const doubled = serve(0x70, node([again, again, again], unixfs(file, null, [60n, 60n, 60n])))
    for (const [cid, blocks] of [[chain, 64] as const, [wide, 1] as const, [doubled, 64] as const]) {
      asked.length = 0
      expect(await ipfs().read(cid.toString())).toEqual(unavailable)
      expect(asked.length).toBe(blocks)
    }
    expect(await ipfs().read(again.toString())).toEqual({ found: true, bytes: Buffer.alloc(60, 'x') })
  })

  test('a large leaf that is linked repeatedly stops at 4 MiB, so that a small file cannot make us fetch a large one', async () => {
    const leaf = serve(0x55, Buffer.alloc(1024 * 1024, 1))
    const root = serve(0x70, node(Array(60).fill(leaf), unixfs(file, null, Array(60).fill(1024n * 1024n))))
    expect(await ipfs().read(root.toString())).toEqual(unavailable)
    expect(asked.length).toBeLessThanOrEqual(6)
  })

  test('a node with wrong declared sizes is no file, because other readers would read other bytes under the id', async () => {
    const leaf = serve(0x55, Buffer.from('x'))
    const untrue = [[2n ** 62n], [0n], [2n], [], [1n, 1n]]
    for (const sizes of untrue) {
      const root = serve(0x70, node([leaf], unixfs(file, null, sizes)))
      expect(await ipfs().read(root.toString())).toEqual(absent)
    }
  })

  test('a block with an identity, truncated or unsupported hash is never accepted, inside a file or as the id', async () => {
    const inline = CID.createV1(0x55, createDigest(0, randomBytes(200)))
    const short = CID.createV1(0x55, createDigest(0x12, hashOf(content).digest.subarray(0, 4)))
    const otherHash = CID.createV1(0x55, createDigest(0x13, createHash('sha512').update(content).digest()))
    for (const cid of [inline, short, otherHash]) {
      answers.set(`/ipfs/${cid}`, content)
      expect(ipfs().isId(cid.toString())).toBe(false)
      expect(await ipfs().read(cid.toString())).toEqual(absent)
      const root = serve(0x70, node([cid], unixfs(file, null, [BigInt(content.length)])))
      expect(await ipfs().read(root.toString())).toEqual(unavailable)
    }
    expect(asked.every(path => !path.includes(otherHash.toString()))).toBe(true)
  })

  test('the limit of ten seconds applies to the whole file, however many blocks it has', async () => {
    const { id } = await add(content, manyV1)
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    const given: number[] = []
    const slow: PublicFetch = (url, options) => {
      given.push(options.timeoutMs)
      now += 3500
      return fetchPublic(url, { ...options, timeoutMs: 5000 })
    }
    expect(await ipfs(slow).read(id)).toEqual(unavailable)
    clock.mockRestore()
    expect(given).toEqual([10_000, 6500, 3000])
  })

  test('a text that is no id is recognised, and is never sent to the gateway', async () => {
    const { id } = await add(content, leafV1)
    const texts = [
      '',
      'Qm',
      'bafy',
      `${id}x`,
      id.slice(0, -1),
      `${id}=`,
      `/ipfs/${id}`,
      `${id}/..`,
      `${id}?a`,
      ` ${id}`,
    ]
    for (const text of [...texts, id.toUpperCase(), `${id}\n`, 'b'.repeat(5000)]) {
      expect(ipfs().isId(text), text).toBe(false)
      expect(await ipfs().read(text)).toEqual(absent)
    }
    const anything = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.base64String())
    await fc.assert(
      fc.asyncProperty(anything, async text => {
        expect((await ipfs().read(text)).found).toBe(false)
      }),
    )
    expect(asked).toEqual([])
  })
})

describe('arweave', () => {
  const { transactions } = Arweave.init({})
  const newKey = () => {
    const { n, e, d, p, q, dp, dq, qi } = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      format: 'jwk',
    })
    return {
      kty: 'RSA',
      n: n ?? '',
      e: e ?? '',
      d: d ?? '',
      p: p ?? '',
      q: q ?? '',
      dp: dp ?? '',
      dq: dq ?? '',
      qi: qi ?? '',
    }
  }
  const key = newKey()

  type Fields = { format?: number; data_size?: string; data_root?: string; quantity?: string }

  /** Signs a transaction and returns the record that the network would keep: the transaction without its data. */
  async function sign(data: Buffer, fields: Fields = {}, signer = key) {
    const tree = transactions.fromRaw({})
    await tree.prepareChunks(data)
    const transaction = transactions.fromRaw({
      format: 2,
      last_tx: randomBytes(48).toString('base64url'),
      reward: '12345',
      data_size: String(data.length),
      data_root: tree.data_root,
      ...fields,
      ...(fields.format === 1 ? { data } : {}),
    })
    transaction.addTag('Content-Type', 'application/zip')
    transaction.addTag('App-Name', 'Quittance')
    await transactions.sign(transaction, signer)
    const { data_tree: _, ...record } = transaction.toJSON()
    return { id: transaction.id, record: { ...record, data: fields.format === 1 ? record.data : '' } }
  }

  const json = (value: unknown) => Buffer.from(JSON.stringify(value))
  const content = randomBytes(1000)

  async function upload(data: Buffer) {
    const { id, record } = await sign(data)
    answers.set(`/tx/${id}`, json(record))
    answers.set(`/raw/${id}`, data)
    return { id, record }
  }

  test.each([0, 1, 1000, 256 * 1024, 256 * 1024 + 1, 600_000, 4 * 1024 * 1024])(
    'a bundle of %i bytes is found byte for byte, however many chunks it has',
    async size => {
      const data = randomBytes(size)
      const { id } = await upload(data)
      expect(arweave().isId(id)).toBe(true)
      const answer = await arweave().read(id)
      expect(answer.found && answer.bytes.equals(data)).toBe(true)
    },
  )

  test('a gateway without /raw is read at /<id>, and a redirect from there is not followed', async () => {
    const { id } = await upload(content)
    answers.set('/elsewhere', content)
    for (const atRaw of [404, 500, redirects]) {
      answers.set(`/raw/${id}`, atRaw)
      answers.set(`/${id}`, content)
      expect(await arweave().read(id)).toEqual({ found: true, bytes: content })
      answers.set(`/${id}`, redirects)
      expect(await arweave().read(id)).toEqual(atRaw === 404 ? absent : unavailable)
    }
    expect(asked).not.toContain('/elsewhere')
  })

  test('a change to any field of the record breaks its proof, so that no signed field can be replaced', async () => {
    const { id, record } = await upload(content)
    const other = await sign(randomBytes(1000), {}, newKey())
    const changes: Record<string, unknown> = {
      owner: other.record.owner,
      signature: other.record.signature,
      data_root: other.record.data_root,
      last_tx: other.record.last_tx,
      target: randomBytes(32).toString('base64url'),
      quantity: '1',
      reward: '12346',
      data_size: '1001',
      tags: [...record.tags].reverse(),
    }
    for (const [name, value] of Object.entries(changes)) {
      answers.set(`/tx/${id}`, json({ ...record, [name]: value }))
      expect(await arweave().read(id), name).toEqual(mismatch)
    }
    answers.set(`/tx/${id}`, json({ ...record, tags: [] }))
    expect(await arweave().read(id)).toEqual(mismatch)
  })

  test('another valid transaction under the id is refused, with its own data and with its id rewritten', async () => {
    const { id } = await upload(content)
    const data = randomBytes(1000)
    const other = await sign(data)
    answers.set(`/raw/${id}`, data)
    for (const record of [other.record, { ...other.record, id }]) {
      answers.set(`/tx/${id}`, json(record))
      expect(await arweave().read(id)).toEqual(mismatch)
    }
  })

  test('the owner’s signature over another root under the same id is refused, even with the right data', async () => {
    const { id, record } = await upload(content)
    const forged = await sign(content, { data_root: randomBytes(32).toString('base64url') })
    answers.set(`/tx/${id}`, json({ ...forged.record, signature: record.signature }))
    expect(await arweave().read(id)).toEqual(mismatch)
  })

  test('data is refused when the signer signed a wrong root or size for it, because the id does not name that data', async () => {
    for (const fields of [
      { data_root: '' },
      { data_root: randomBytes(32).toString('base64url') },
      { data_size: '999' },
    ]) {
      const { id, record } = await sign(content, fields)
      answers.set(`/tx/${id}`, json(record))
      answers.set(`/raw/${id}`, content)
      expect(await arweave().read(id)).toEqual(mismatch)
    }
  })

  test('format 1 is never accepted, because its signature stays valid when a byte is moved out of the data', async () => {
    const { id, record } = await sign(content, { format: 1, data_size: '0', data_root: '' })
    answers.set(`/tx/${id}`, json(record))
    answers.set(`/raw/${id}`, content)
    expect(await arweave().read(id)).toEqual(unavailable)
    const moved = transactions.fromRaw({
      ...record,
      target: content.subarray(0, 1).toString('base64url'),
      data: content.subarray(1),
    })
    expect(await transactions.verify(moved)).toBe(true)
  })

  test('one bit changed in the data or in the record never passes for the bundle', async () => {
    const { id, record } = await upload(content)
    const bit = fc.nat(content.length * 8 - 1)
    await fc.assert(
      fc.asyncProperty(bit, async bit => {
        answers.set(`/raw/${id}`, flipped(content, bit))
        expect(await arweave().read(id)).toEqual(mismatch)
      }),
      { numRuns: 100 },
    )
    answers.set(`/raw/${id}`, content)
    const text = json(record)
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length * 8 - 1), async bit => {
        answers.set(`/tx/${id}`, flipped(text, bit))
        const answer = await arweave().read(id)
        // A bit in an unsigned field, such as the repeated id, changes nothing about the data.
        if (answer.found) expect(answer.bytes).toEqual(content)
      }),
      { numRuns: 300 },
    )
    for (const name of ['owner', 'signature', 'data_root', 'last_tx'] as const) {
      const from = text.indexOf(record[name])
      await fc.assert(
        // The last base64url letter may have unused bits.
        fc.asyncProperty(fc.integer({ min: from * 8, max: (from + record[name].length - 1) * 8 - 1 }), async bit => {
          answers.set(`/tx/${id}`, flipped(text, bit))
          expect((await arweave().read(id)).found).toBe(false)
        }),
        { numRuns: 30 },
      )
    }
  })

  const lies: Record<string, (bytes: Buffer) => [Answer, typeof absent, typeof absent]> = {
    'an HTML page': () => [html, unavailable, mismatch],
    'nothing at all': () => [Buffer.alloc(0), unavailable, mismatch],
    'one byte less': bytes => [bytes.subarray(0, -1), unavailable, mismatch],
    'a cut connection': bytes => [cutShort(bytes), unavailable, absent],
    'an endless answer': () => [never, unavailable, absent],
    'a redirect': () => [redirects, unavailable, absent],
    '404': () => [404, absent, absent],
    '410': () => [410, absent, absent],
    '202 Pending': () => [response => response.writeHead(202).end('Pending'), unavailable, absent],
    '500': () => [500, unavailable, absent],
    silence: () => [hangs, unavailable, absent],
  }
  test.each(Object.entries(lies))('%s in place of record or data is refused for the right reason', async (_, lie) => {
    const { id, record } = await upload(content)
    answers.set('/elsewhere', content)
    const [atRecord, why] = lie(json(record))
    const fetch = atRecord === hangs ? hasty : fetchPublic
    answers.set(`/tx/${id}`, atRecord)
    expect(await arweave(fetch).read(id)).toEqual(why)
    const [atData, , whyData] = lie(content)
    answers.set(`/tx/${id}`, json(record))
    answers.set(`/raw/${id}`, atData)
    expect(await arweave(fetch).read(id)).toEqual(whyData)
    answers.set(`/${id}`, atData)
    expect(await arweave(fetch).read(id)).toEqual(whyData === mismatch ? mismatch : why)
    expect(asked).not.toContain('/elsewhere')
  })

  test('a record that is invalid or would need unbounded work is refused', async () => {
    const { id, record } = await upload(content)
    const tag = { name: 'YQ', value: 'YQ' }
    const records = [
      null,
      [],
      'Pending',
      {},
      { ...record, format: 3 },
      { ...record, owner: '' },
      { ...record, owner: 'A'.repeat(684) },
      { ...record, tags: Array(2049).fill(tag) },
      { ...record, tags: [{ name: 'a b', value: '' }] },
      { ...record, data_size: 1000 },
      { ...record, data_size: '-1' },
      { ...record, padding: 'x'.repeat(256 * 1024) },
    ]
    for (const wrong of records) {
      answers.set(`/tx/${id}`, json(wrong))
      expect(await arweave().read(id)).toEqual(unavailable)
    }
    for (const owner of ['AA', 'AQ', 'Aw', 'A'.repeat(683)]) {
      answers.set(`/tx/${id}`, json({ ...record, owner }))
      expect(await arweave().read(id)).toEqual(mismatch)
    }
  })

  test('a bundle above 4 MiB is refused before it is fetched', async () => {
    const { id, record } = await sign(Buffer.alloc(0), { data_size: String(4 * 1024 * 1024 + 1) })
    answers.set(`/tx/${id}`, json(record))
    expect(await arweave().read(id)).toEqual(unavailable)
    expect(asked).toEqual([`/tx/${id}`])
  })

  test('a refused record writes nothing to the console, because an untrusted client could fill the log', async () => {
    const warn = vi.spyOn(console, 'warn')
    const { id, record } = await upload(content)
    answers.set(`/tx/${id}`, json({ ...record, quantity: '7' }))
    expect(await arweave().read(id)).toEqual(mismatch)
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })

  test('the limit of ten seconds applies to the record and the data together', async () => {
    const { id } = await upload(content)
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    const given: number[] = []
    const slow: PublicFetch = async (_, options) => {
      given.push(options.timeoutMs)
      now += 6000
      return given.length === 1 ? fetchPublic(`${gateway}/tx/${id}`, { ...options, timeoutMs: 5000 }) : null
    }
    expect(await arweave(slow).read(id)).toEqual(unavailable)
    clock.mockRestore()
    expect(given).toEqual([10_000, 4000])
  })

  test('a gateway that does not answer is reported as unavailable, and nothing is thrown', async () => {
    const { id } = await upload(content)
    expect(await createArweaveStore('http://127.0.0.1:9', fetchPublic).read(id)).toEqual(unavailable)
    const broken: PublicFetch = () => Promise.reject(new Error('broken'))
    expect(await createArweaveStore(gateway, broken).read(id)).toEqual(unavailable)
  })

  test('a text that is no id is recognised, and is never sent to the gateway', async () => {
    const id = Buffer.alloc(32, 9).toString('base64url')
    const noncanonical = `${id.slice(0, -1)}${id.endsWith('l') ? 'm' : 'l'}`
    for (const text of ['', id.slice(1), `${id}A`, `${id}=`, `${id}\n`, id.replace(/.$/, '/'), noncanonical]) {
      expect(arweave().isId(text), text).toBe(false)
      expect(await arweave().read(text)).toEqual(absent)
    }
    await fc.assert(
      fc.asyncProperty(fc.string(), async text => {
        expect((await arweave().read(text)).found).toBe(false)
      }),
    )
    expect(asked).toEqual([])
  })
})

describe('a fetch of a URL that an untrusted client names', () => {
  test('reports a missing page like every other failure, so that it reveals nothing about a private network', async () => {
    answers.set('/refused', 403)
    for (const path of ['/missing', '/refused']) {
      expect(await fetchPublic(`${gateway}${path}`, { maxBytes: 100, timeoutMs: 5000 })).toBeNull()
    }
  })
})
