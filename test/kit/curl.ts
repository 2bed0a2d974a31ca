// Sends the examples of the OpenAPI document with curl, as readers of the document copy them.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shellCurl } from '@scalar/snippetz/plugins/shell/curl'
import { z } from 'zod'
import { answered, byFetch, type Send } from '../../rest/examples/record.ts'
import type { Stable } from '../../rest/examples/stable.ts'
import { run } from './clients.ts'

const object = z.record(z.string(), z.unknown())
const reference = z.looseObject({ $ref: z.string().optional() })
const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  example: z.unknown().optional(),
})
const operation = z.object({
  parameters: z.array(reference).default([]),
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ example: z.unknown() }) }) }).optional(),
})
const paths = z.record(z.string(), z.record(z.string(), object))

/** Returns the request that the examples of an operation make, without a key. */
function requestOf(document: z.infer<typeof object>, base: string, template: string, method: string, stable: Stable) {
  const shown = stable.original(paths.parse(document.paths)[template]?.[method] ?? {})
  const { parameters, requestBody } = operation.parse(shown)
  const given = parameters
    .map(({ $ref, ...own }) =>
      $ref === undefined
        ? own
        : $ref
            .slice(2)
            .split('/')
            .reduce<unknown>((inner, key) => object.parse(inner)[key], document),
    )
    .map(resolved => parameter.parse(resolved))
    .filter(({ example }) => example !== undefined)
    .map(({ example, ...rest }) => ({ ...rest, value: encodeURIComponent(String(example)) }))
  const path = given
    .filter(({ in: place }) => place === 'path')
    .reduce((path, { name, value }) => path.replace(`{${name}}`, value), template)
  const body = requestBody?.content['application/json'].example
  return {
    method,
    url: base + path,
    queryString: given.filter(({ in: place }) => place === 'query'),
    ...(body !== undefined && {
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      postData: { mimeType: 'application/json', text: JSON.stringify(body) },
    }),
  }
}

/** Sends examples with curl and everything else with fetch. `document` is /openapi.json as the service sends it. */
export function byCurl(base: string, document: z.infer<typeof object>, stable: Stable): Send {
  const fetched = byFetch(base)
  return async sent => {
    const { method, template, example, key, payment } = sent
    if (example === null) return fetched(sent)
    const line = shellCurl.generate(requestOf(document, base, template, method, stable))
    const keyed = key === undefined ? '' : ` --header 'X-API-Key: ${key}'`
    const paid = payment === undefined ? '' : ` --header 'PAYMENT-SIGNATURE: ${payment}'`
    const folder = await mkdtemp(join(tmpdir(), 'quittance-curl-'))
    const [head, body] = [join(folder, 'head'), join(folder, 'body')]
    const shown = `${line}${keyed}${paid} --silent --show-error --dump-header ${head} --output ${body}`
    const { code, stderr } = await run('sh', ['-c', shown])
    if (code !== 0) throw new Error(`${shown}\n${stderr}`)
    const [status = '', ...lines] = (await readFile(head, 'latin1')).trim().split('\r\n')
    const headers = new Headers(
      lines.map(text => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)]),
    )
    const bytes = await readFile(body).catch(() => Buffer.alloc(0))
    await rm(folder, { recursive: true })
    return answered(Number(status.split(' ')[1]), headers, bytes)
  }
}
