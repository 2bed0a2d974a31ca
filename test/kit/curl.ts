// Sends the examples of the OpenAPI document with the curl lines that /docs shows for them.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateCodeSnippet } from '@scalar/blocks/code-example'
import { z } from 'zod'
import type { Stable } from '../../rest/examples/stable.ts'
import { answered, byFetch, type Send } from '../../rest/examples/tell.ts'
import { run } from './clients.ts'

const object = z.record(z.string(), z.unknown())
const paths = z.record(z.string(), z.record(z.string(), object))
const parameter = z.looseObject({ $ref: z.string().optional() })

/** Returns the parts of an operation from which a request is built, with references resolved. */
function requestOf(document: z.infer<typeof object>, template: string, method: string) {
  const { parameters = [], requestBody, security } = paths.parse(document.paths)[template]?.[method] ?? {}
  const resolved = z
    .array(parameter)
    .parse(parameters)
    .map(given => {
      const path = given.$ref?.slice(2).split('/') ?? []
      return path.length === 0 ? given : path.reduce<unknown>((inner, key) => object.parse(inner)[key], document)
    })
  return { parameters: resolved, requestBody, security }
}

/** Sends examples with curl and everything else with fetch. `document` is /openapi.json as the service sends it. */
export function byCurl(base: string, document: z.infer<typeof object>, stable: Stable): Send {
  const fetched = byFetch(base)
  return async sent => {
    const { method, template, example, key, payment } = sent
    if (example === null) return fetched(sent)
    const operation = object.parse(stable.original(requestOf(document, template, method)))
    const keys =
      key === undefined ? [] : [{ type: 'apiKey', in: 'header', name: 'X-API-Key', 'x-scalar-secret-token': key }]
    const line = generateCodeSnippet({
      clientId: 'shell/curl',
      customCodeSamples: [],
      operation: operation as never,
      method: method as never,
      path: template,
      server: { url: base },
      securitySchemes: keys as never,
      // The /docs page sets the same option.
      defaultDisabledParameters: true,
    })
    const paid = payment === undefined ? '' : ` --header 'PAYMENT-SIGNATURE: ${payment}'`
    const folder = await mkdtemp(join(tmpdir(), 'quittance-curl-'))
    const [head, body] = [join(folder, 'head'), join(folder, 'body')]
    const shown = `${line}${paid} --silent --show-error --dump-header ${head} --output ${body}`
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
