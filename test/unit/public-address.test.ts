// The doctor tells apart why the public address does not lead to the service.
import { once } from 'node:events'
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { inspectPublicUrl } from '../../src/cli/doctor/web.ts'
import { readEnv } from '../../src/env.ts'
import { selfSigned } from '../kit/self-signed.ts'

it('tells a certificate that is not trusted from an address that does not answer', async () => {
  const server = createServer(selfSigned, (_, response) => response.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const env = readEnv({ NODE_ENV: 'test', PUBLIC_BASE_URL: `https://localhost:${port}` })
  const untrusted = await inspectPublicUrl(env)
  server.close()
  await once(server, 'close')
  expect(untrusted).toEqual([
    expect.objectContaining({
      status: 'warn',
      text: expect.stringMatching(
        /shows a certificate that is not trusted here: self-signed certificate.*NODE_EXTRA_CA/,
      ),
    }),
  ])
  expect(await inspectPublicUrl(env)).toEqual([
    expect.objectContaining({ status: 'warn', text: expect.stringContaining('does not answer: connect ECONNREFUSED') }),
  ])
})

it('tells a proxy without processes from an address of something else', async () => {
  const statuses = [503, 404]
  const server = createPlainServer((_, response) => response.writeHead(statuses.shift() ?? 200).end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const env = readEnv({ NODE_ENV: 'test', PUBLIC_BASE_URL: `http://127.0.0.1:${port}` })
  const [stopped, other] = [await inspectPublicUrl(env), await inspectPublicUrl(env)]
  server.close()
  expect(stopped[0]?.text).toMatch(/answers 503: a proxy that reaches no process/)
  expect(other[0]?.text).toMatch(/answers 404: does it lead to this service\?/)
})
