// Stores bytes in a bucket of S3 or of an S3-compatible store: one object for each SHA-256. Requests are signed with
// SigV4.
import http from 'node:http'
import https from 'node:https'
import { AwsV4Signer } from 'aws4fetch'
import { AppError } from '../core/errors.ts'
import { sha256 as hashOf } from '../core/hash.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import { oneByOneWhileDown } from './one-by-one-while-down.ts'
import { type Answer, exchange } from './s3-exchange.ts'

export type S3Config = {
  /** Without a trailing slash. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** True: the bucket is the first part of the path. False: of the host name. */
  isPathStyle: boolean
  /** Prefix of all object names; may be empty. */
  prefix: string
}

type Store = BlobStore & { check(): Promise<void> }

// Each method has its own connections and circuit breaker, because a failed write says nothing about reads. `timeoutMs`
// includes the wait for a connection: a caller waits for a read, while the last of a large group of writes waits for
// the others.
const limits = {
  GET: { connections: 16, timeoutMs: 10_000 },
  PUT: { connections: 64, timeoutMs: 60_000 },
  DELETE: { connections: 1, timeoutMs: 10_000 },
} as const
// The longest time without a byte from the store.
const silenceMs = 10_000
// A connection that was kept alive too long fails at its next use.
const tries = 2

type Method = keyof typeof limits

/**
 * Returns the store. `check` writes, reads and deletes an object of its own, and throws when one of these fails.
 * `works` is called when the store has carried something out.
 */
export function createS3Store(config: S3Config, works = () => {}): Store {
  const { endpoint, bucket, prefix, isPathStyle, region, accessKeyId, secretAccessKey } = config
  const base = new URL(isPathStyle ? `${endpoint}/${bucket}/` : `${endpoint}/`)
  if (!isPathStyle) base.hostname = `${bucket}.${base.hostname}`
  const { Agent, request } = base.protocol === 'https:' ? https : http
  const lane = (method: Method) => ({
    ...limits[method],
    agent: new Agent({ keepAlive: true, maxSockets: limits[method].connections }),
    attempt: oneByOneWhileDown(),
  })
  const lanes = { GET: lane('GET'), PUT: lane('PUT'), DELETE: lane('DELETE') }
  const keys = new Map<string, ArrayBuffer>()
  const unavailable = (why: string, cause?: unknown) =>
    new AppError('file_store_unavailable', undefined, {
      cause: new Error(`the object store at ${base.host} ${why}`, { cause }),
    })

  async function ask(method: Method, sha256: string, body: Uint8Array | null, most: number): Promise<Answer> {
    const { agent, attempt, timeoutMs } = lanes[method]
    const url = `${base.href}${prefix}${sha256.slice(2)}`
    const payload = body === null ? hashOf('') : sha256
    const signal = AbortSignal.timeout(timeoutMs)
    // The store compares the body with the hash that is signed.
    const signer = { method, url, headers: { 'X-Amz-Content-Sha256': payload.slice(2) }, accessKeyId, secretAccessKey }
    const once = async () => {
      const { headers } = await new AwsV4Signer({ ...signer, service: 's3', region, cache: keys }).sign()
      const options = { method, headers: Object.fromEntries(headers), agent, signal, timeout: silenceMs }
      return exchange(request(url, options), body, most)
    }
    const silent = (error: unknown) => unavailable('gives no answer', error)
    return attempt(
      async () => {
        for (let left = tries; ; left -= 1) {
          try {
            const answer = await once()
            if (answer.status < 500 && answer.status !== 429) return answer
            if (left === 1) throw new Error(`it answers ${answer.status}`)
          } catch (error) {
            if (left === 1 || signal.aborted) throw silent(error)
          }
        }
      },
      () => unavailable('has given no answer lately'),
    )
  }

  async function write(sha256: string, bytes: Uint8Array): Promise<void> {
    const { status, body } = await ask('PUT', sha256, bytes, 0)
    if (status !== 200) throw unavailable(`refuses to keep an object: ${status} ${codeIn(body)}`)
    works()
  }

  async function read(sha256: string, size: number): Promise<Buffer> {
    const { status, body } = await ask('GET', sha256, null, size)
    const damaged = (why: string) =>
      new AppError('file_damaged', undefined, { cause: new Error(`object ${prefix}${sha256.slice(2)} ${why}`) })
    if (status === 404 && codeIn(body) === 'NoSuchKey') throw damaged('is missing')
    if (status !== 200) throw unavailable(`refuses to give an object: ${status} ${codeIn(body)}`)
    if (body.length !== size || hashOf(body) !== sha256) throw damaged('does not have the hash that names it')
    works()
    return body
  }

  async function erase(sha256: string): Promise<void> {
    const { status, body } = await ask('DELETE', sha256, null, 0)
    if (status !== 204 && status !== 200 && status !== 404)
      throw unavailable(`refuses to delete an object: ${status} ${codeIn(body)}`)
    works()
  }

  async function check(): Promise<void> {
    const probe = Buffer.from(`quittance doctor ${crypto.randomUUID()}`)
    const sha256 = hashOf(probe)
    await write(sha256, probe)
    await read(sha256, probe.length)
    await erase(sha256)
  }

  return { write, read, erase, check }
}

const codeIn = (body: Buffer): string => /<Code>(\w{1,64})<\/Code>/.exec(body.toString('utf8'))?.[1] ?? ''
