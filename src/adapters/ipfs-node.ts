// Publishes files through the HTTP API of an IPFS node (kubo's `/api/v0/add`, which other software has too) and pins
// them.
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'
import { z } from 'zod'
import type { Publisher } from '../ports/publisher.ts'
import { Unavailable } from './outages.ts'

export type IpfsNodeConfig = {
  /** Without a trailing slash and without `/api/v0`. */
  url: string
  /** Value of the header `Authorization` of each request; null sends none. */
  authorization: string | null
}

// The largest block that other nodes accept. A bundle has some tens of kilobytes at most, so its CID contains only its
// SHA-256.
const mostBytes = 1024 * 1024
const timeoutMs = 30_000
const mostOfAnswer = 64 * 1024
const added = z.object({ Hash: z.string() })

/** Returns the CIDv1 of the bytes as one raw block. */
async function cidOf(bytes: Uint8Array): Promise<string> {
  if (bytes.length > mostBytes) throw new Error(`a file of ${bytes.length} bytes is more than one block`)
  return CID.createV1(raw.code, await sha256.digest(bytes)).toString()
}

export function createIpfsNode({ url, authorization }: IpfsNodeConfig): Publisher & { check(): Promise<void> } {
  const { host } = new URL(url)
  const headers = authorization === null ? undefined : { Authorization: authorization }

  const unavailable = (why: string, cause?: unknown) =>
    new Unavailable('IPFS node', `the IPFS node at ${host} ${why}`, { cause })

  async function ask(call: string, body?: FormData): Promise<string> {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(`${url}/api/v0/${call}`, {
      method: 'POST',
      redirect: 'error',
      signal,
      ...(headers && { headers }),
      ...(body && { body }),
    }).catch(error => {
      throw unavailable('gives no answer', error)
    })
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel()
      throw unavailable(`answers ${response.status}`)
    }
    return textOf(response.body)
  }

  return {
    async publish(bytes) {
      const cid = await cidOf(bytes)
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(bytes)]))
      // One block, whatever chunk size the node is configured with.
      const answer = await ask(
        `add?cid-version=1&raw-leaves=true&chunker=size-${mostBytes}&pin=true&progress=false`,
        form,
      )
      const { success, data } = added.safeParse(jsonIn(answer))
      if (success && data.Hash === cid) return cid
      throw new Error(`the IPFS node at ${host} returned the CID of another file`)
    },
    async check() {
      await ask('version')
    },
  }
}

async function textOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value)
    size += part.value.length
    if (size <= mostOfAnswer) continue
    await reader.cancel()
    throw new Error('the answer of the IPFS node is too long')
  }
  return Buffer.concat(chunks).toString('utf8')
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
