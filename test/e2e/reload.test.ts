// SIGHUP: a process reads the files of chains, lists and documents again, without losing a request.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Anvil, account, startAnvil } from '../kit/anvil.ts'
import { apiSettings, type Child, startChild, until } from '../kit/child.ts'
import { linesOf } from '../kit/log-lines.ts'
import { adminKey, apiOf, freshDatabase } from '../kit/service.ts'
import { onlyInFull } from '../kit/size.ts'

let chain: Anvil
let folder: string
let child: Child
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-reload-'))
  chain = await startAnvil(31_391)
})
afterAll(async () => {
  await child?.end('SIGKILL')
  await chain.stop()
  await rm(folder, { recursive: true, force: true })
})

const file = (name: string) => join(folder, name)
const write = (name: string, value: unknown) => writeFile(file(name), JSON.stringify(value))
const nobody = 'http://127.0.0.1:1/key'
const chains = (changed: object = {}) => [
  {
    ...{ name: 'flare', caip2: chain.caip2, rpc_urls: [nobody], contract: chain.contract },
    ...{ finality: { confirmations: 1 }, ...changed },
  },
]

async function reload(): Promise<string> {
  const before = child.said().length
  child.process.kill('SIGHUP')
  const said = () => child.said().slice(before)
  await until('an answer to SIGHUP', async () => /"reloaded"|the reload changes nothing/.test(said()), child.said)
  return said()
}

onlyInFull('a process takes over what can be used, and nothing of what cannot', { timeout: 180_000 }, async () => {
  await write('chains.json', chains())
  await write('documents.json', { one: '{ __typename }' })
  await writeFile(file('list.txt'), `0x${'9'.repeat(40)}\n`)
  const {
    ANCHOR_CHAIN: _,
    ANCHOR_RPC_URL: __,
    ANCHOR_CONTRACT: ___,
    ...settings
  } = apiSettings(await freshDatabase(), folder, chain)
  child = await startChild({
    ...settings,
    ...{ ROLES: 'api,worker', CHAINS_FILE: file('chains.json'), ANCHOR_PRIVATE_KEY: account(1).privateKey },
    ...{ GRAPHQL_DOCUMENTS: 'trusted', GRAPHQL_DOCUMENTS_FILE: file('documents.json') },
    ...{ COMPLIANCE_PROVIDERS: `eu=list:${file('list.txt')}` },
  })
  const api = apiOf(child.url())
  const ask = async (documentId: string) =>
    (await api.call('POST', '/graphql', { body: { documentId } })).json?.data?.__typename === 'Query'
  expect([await ask('one'), await ask('two')]).toEqual([true, false])

  await write('documents.json', { two: 'query Two { __typename }' })
  await write('chains.json', chains({ rpc_urls: [chain.url] }))
  expect(await reload()).toContain('"reloaded"')
  expect([await ask('one'), await ask('two')]).toEqual([false, true])
  const isReady = async () => (await api.call('GET', '/readyz')).status === 200
  await until('a node that answers', isReady, child.said)

  // One fault in one file, and no file is taken over.
  await write('documents.json', { one: '{ __typename }', three: '{ nowhere }' })
  await write('chains.json', chains({ rpc_urls: [nobody] }))
  expect(await reload()).toMatch(/"faults":\["GRAPHQL_DOCUMENTS_FILE [^"]*three: .*ALARM: the reload changes nothing/)
  expect([await ask('one'), await ask('two'), await isReady()]).toEqual([false, true, true])

  await write('documents.json', { one: '{ __typename }' })
  for (const [content, why] of [
    [chains({ name: 'other', rpc_urls: [chain.url] }), 'no longer names the chain flare'],
    [chains({ contract: `0x${'1'.repeat(40)}`, rpc_urls: [chain.url] }), 'another caip2 or contract'],
    [[{ ...chains()[0], name: 'new', caip2: 'eip155:1' }, ...chains()], 'begins with new'],
    [[], 'must name at least one chain'],
  ] as const) {
    await write('chains.json', content)
    expect(await reload()).toContain(why)
  }
  await write('chains.json', chains({ rpc_urls: [chain.url] }))
  await writeFile(file('list.txt'), '')
  expect(await reload()).toContain('names the list eu, which cannot be used: it has no entries')
  expect([await ask('one'), await ask('two'), await isReady()]).toEqual([false, true, true])

  await writeFile(file('list.txt'), `0x${'8'.repeat(40)}\n`)
  await reload()
  expect([await ask('one'), await ask('two'), await isReady()]).toEqual([true, false, true])

  // No request is lost or sees one half, however often and badly the files change meanwhile.
  let isOver = false
  const requests = Array.from({ length: 4 }, async () => {
    let lost = 0
    while (!isOver) if (!(await ask('one')) || (await api.call('GET', '/v1/health')).status !== 200) lost++
    return lost
  })
  for (let n = 0; n < 10; n++) {
    await write('chains.json', n % 2 === 0 ? [] : chains({ rpc_urls: [chain.url] }))
    await reload()
  }
  isOver = true
  expect(await Promise.all(requests)).toEqual([0, 0, 0, 0])

  const added = { ...chains()[0], name: 'added', caip2: 'eip155:5' }
  await write('chains.json', [...chains({ rpc_urls: [chain.url] }), added])
  expect(await reload()).toContain('"chains":["flare","added"]')
  const scraped = (await api.call('GET', '/metrics', { key: adminKey })).text
  expect(scraped).toContain('quittance_anchor_transactions_open{chain="added"} 0')
  await child.end('SIGTERM')
  expect(child.process.exitCode).toBe(0)
  expect(child.said()).not.toContain('127.0.0.1:1/key')
})

onlyInFull('a worker alone does the same, and tells of a file that it cannot use in one line', async () => {
  await write('chains.json', chains({ rpc_urls: [chain.url] }))
  const { ANCHOR_CHAIN: _, ANCHOR_RPC_URL: __, ANCHOR_CONTRACT: ___, ...settings } = apiSettings('', folder, chain)
  child = await startChild({
    ...{ ...settings, DATABASE_URL: await freshDatabase(), ROLES: 'worker', PROBE_PORT: '0' },
    ...{ CHAINS_FILE: file('chains.json'), ANCHOR_PRIVATE_KEY: account(1).privateKey },
  })
  await writeFile(file('chains.json'), '[{"name":')
  const told = linesOf(await reload())
  expect(told).toMatchObject([
    { msg: 'ALARM: the reload changes nothing, because these files cannot be used', faults: [expect.any(String)] },
  ])
  await write('chains.json', chains({ rpc_urls: [chain.url] }))
  expect(linesOf(await reload())).toMatchObject([{ msg: 'reloaded', chains: ['flare'] }])
  await child.end('SIGTERM')
  expect(child.process.exitCode).toBe(0)
})
