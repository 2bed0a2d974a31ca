// The token of a dashboard (test/clients/dashboard/quittance.ts), from a site that answers after a failure.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

let answered = 0
const refused = new Set<string>()
const site = createServer(({ url, headers: { authorization = '' } }, response) => {
  if (url === '/service') return response.writeHead(refused.has(authorization) ? 401 : 200).end(authorization)
  answered += 1
  if (answered === 1) return response.writeHead(503).end('{}')
  response.end(JSON.stringify({ token: `qts_${answered}`, session: { id: '1', expiresIn: 900 } }))
})
beforeAll(() => once(site.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  site.close()
})

it('is of one session for all callers, and a refused session is not kept', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.stubEnv('SITE_URL', `http://127.0.0.1:${(site.address() as AddressInfo).port}`)
  const { token } = await import('../clients/dashboard/quittance.ts')
  const tokens = () => Promise.all([token(), token(), token()])
  await expect(tokens()).rejects.toThrow('503')
  expect(await tokens()).toEqual(['qts_2', 'qts_2', 'qts_2'])
  // The session ends within a minute.
  vi.setSystemTime(Date.now() + 850_000)
  expect(await tokens()).toEqual(['qts_3', 'qts_3', 'qts_3'])
  expect([await token(), answered]).toEqual(['qts_3', 3])
})

it('of a revoked session is replaced, and the request is repeated once', async () => {
  const { authorized, token } = await import('../clients/dashboard/quittance.ts')
  const ask = () => authorized(`http://127.0.0.1:${(site.address() as AddressInfo).port}/service`)
  const former = `Bearer ${await token()}`
  refused.add(former)
  const answers = await Promise.all([ask(), ask()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await answers[0]?.text()).not.toBe(former)
  const before = answered
  for (let next = before; next <= before + 2; next++) refused.add(`Bearer qts_${next}`)
  expect([(await ask()).status, answered]).toEqual([401, before + 1])
})
