// Clients that exist send these bodies. The files in `fixtures` were written from their shapes: each request with the
// status that such a client expects, and the members that it reads. `{name}` stands for a value of an earlier answer.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ModelServer, modelSettings, serveModel } from '../kit/model-server.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

const step = z.strictObject({
  request: z.tuple([z.enum(['GET', 'POST', 'PUT', 'DELETE']), z.string()]),
  by: z.enum(['admin', 'key', 'nobody']).default('key'),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
  status: z.number(),
  /** Members of the answer, with their values; `any` is any value that is not null. */
  answer: z.unknown().optional(),
  /** Headers that the answer has. */
  says: z.record(z.string(), z.string()).default({}),
  /** Names of values to keep, by the members that have them. */
  keep: z.record(z.string(), z.string()).default({}),
  /** The receipt is anchored before this request. */
  anchored: z.string().optional(),
})
const fixture = z.strictObject({ client: z.string(), steps: z.array(step) })

const folder = new URL('./fixtures/', import.meta.url)
const fixtures = readdirSync(folder).map(name => fixture.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))))

let service: Service
let model: ModelServer
beforeAll(async () => {
  model = await serveModel()
  model.script = () => ({ say: 'Done.' })
  service = await startService({ ...modelSettings(model), ALLOW_PRIVATE_TARGETS: 'true' })
})
afterAll(async () => {
  await service?.stop()
  await model?.[Symbol.asyncDispose]()
})

const filled = (text: string, kept: ReadonlyMap<string, string>) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => kept.get(name) ?? whole)

function expected(value: unknown): unknown {
  if (value === 'any') return expect.anything()
  if (Array.isArray(value)) return expect.arrayContaining(value.map(expected))
  if (typeof value !== 'object' || value === null) return value
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, part]) => [name, expected(part)])),
  )
}

describe.each(fixtures)('$client', ({ steps }) => {
  const kept = new Map<string, string>()
  let key: string
  beforeAll(async () => {
    const project = await service.api.project()
    key = project.key
    kept.set('project', project.id)
    kept.set('unique', crypto.randomUUID())
  })

  it.each(steps.map((each, index) => [`${index + 1}. ${each.request.join(' ')}`, each] as const))(
    '%s',
    async (_, { request: [method, path], by, headers, body, status, answer, says, keep, anchored }) => {
      if (anchored !== undefined) await service.api.anchored(filled(anchored, kept))
      const sent = await service.api.call(method, filled(path, kept), {
        headers,
        ...(by === 'key' && { key }),
        ...(by === 'admin' && { key: adminKey }),
        ...(body !== undefined && { body: JSON.parse(filled(JSON.stringify(body), kept)) }),
      })
      expect(sent.status, sent.text.slice(0, 500)).toBe(status)
      if (answer !== undefined) expect(sent.json).toEqual(expected(JSON.parse(filled(JSON.stringify(answer), kept))))
      for (const [name, value] of Object.entries(says)) expect(sent.headers.get(name)).toContain(value)
      for (const [member, name] of Object.entries(keep)) kept.set(name, String(sent.json[member]))
    },
  )
})
