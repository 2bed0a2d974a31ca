// Reads files through an IPFS gateway without trusting it: the hash of each block is compared with the block's CID.
import { createHash } from 'node:crypto'
import type { exporter } from 'ipfs-unixfs-exporter'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { identity } from 'multiformats/hashes/identity'
import { sha256 } from 'multiformats/hashes/sha2'
import type { Content, ContentStore } from '../ports/content-store.ts'
import type { PublicFetch } from '../ports/public-fetch.ts'

const dagPb = 0x70
// Blocks and bytes are counted as they arrive, a repeated block each time, because the sizes that a block declares may
// be false.
const limits = { bytes: 4 * 1024 * 1024, blocks: 64, timeoutMs: 10_000 }
// The largest chunk size in use, and the framing around a chunk. Larger nodes are refused, because decoding a node that
// contains only links costs a hundred times its size.
const maxNodeBytes = 1024 * 1024 + 4096
// The reference implementation's limit for data inside a CID.
const maxInlineBytes = 128

type Blocks = { get(cid: CID): AsyncGenerator<Uint8Array> }
type Source = { exporter: typeof exporter; blocks: Blocks }

class Missing extends Error {
  readonly why: 'absent' | 'unavailable' | 'mismatch'

  constructor(why: Missing['why']) {
    super(why)
    this.why = why
  }
}

/**
 * Returns a content store. It needs a path gateway: one that redirects to a subdomain for each id does not work,
 * because redirects are not followed.
 */
export function createIpfsStore(gateway: string, fetchPublic: PublicFetch): ContentStore {
  const base = gateway.replace(/\/+$/, '')
  return {
    kind: 'ipfs',
    isId: id => parse(id) !== null,
    async read(id): Promise<Content> {
      const cid = parse(id)
      if (cid === null) return { found: false, why: 'absent' }
      // Imported on first use, because it is large and a start does not need it.
      const { exporter, NotUnixFSError } = await import('ipfs-unixfs-exporter')
      try {
        return { found: true, bytes: await readFile(cid, { exporter, blocks: openBlocks(base, fetchPublic) }) }
      } catch (error) {
        // The block has the right hash but does not belong to a file.
        if (error instanceof NotUnixFSError) return { found: false, why: 'absent' }
        return { found: false, why: error instanceof Missing ? error.why : 'unavailable' }
      }
    },
  }
}

function parse(id: string): CID | null {
  if (!/^[A-Za-z0-9]{4,256}$/.test(id)) return null
  try {
    const cid = CID.parse(id)
    return isProvable(cid) ? cid : null
  } catch {
    return null
  }
}

const isProvable = ({ multihash }: CID) =>
  (multihash.code === sha256.code && multihash.size === 32) ||
  (multihash.code === identity.code && multihash.size <= maxInlineBytes)

/**
 * Uses the exporter only to decode: its own `content()` goes on fetching after a failure, and then rejects a promise
 * that no caller handles, which ends the process.
 */
async function readFile(cid: CID, source: Source): Promise<Buffer> {
  if (cid.code !== raw.code && cid.code !== dagPb) throw new Missing('absent')
  const entry = await source.exporter(cid, source.blocks)
  if (entry.type === 'raw') return Buffer.from(entry.node)
  if (entry.type !== 'file' || !['file', 'raw'].includes(entry.unixfs.type)) throw new Missing('absent')
  const { data, blockSizes } = entry.unixfs
  const links = entry.node.Links
  if (links.length !== blockSizes.length) throw new Missing('absent')
  if (links.length > limits.blocks) throw new Missing('unavailable')
  const parts: Buffer[] = [Buffer.from(data ?? [])]
  for (const [index, link] of links.entries()) {
    const part = await readFile(link.Hash, source)
    // Readers that skip by the declared sizes would read other bytes under the same CID.
    if (BigInt(part.length) !== blockSizes[index]) throw new Missing('absent')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Returns a block source whose limits apply to all blocks read through it together. */
function openBlocks(base: string, fetchPublic: PublicFetch): Blocks {
  const until = performance.now() + limits.timeoutMs
  let bytesLeft = limits.bytes
  let blocksLeft = limits.blocks
  return {
    async *get(cid) {
      const timeoutMs = Math.ceil(until - performance.now())
      blocksLeft -= 1
      if (blocksLeft < 0 || timeoutMs <= 0 || !isProvable(cid)) throw new Missing('unavailable')
      if (cid.multihash.code === identity.code) return yield cid.multihash.digest
      const maxBytes = cid.code === dagPb ? Math.min(bytesLeft, maxNodeBytes) : bytesLeft
      const url = `${base}/ipfs/${cid}?format=raw`
      const options = { maxBytes, timeoutMs, accept: 'application/vnd.ipld.raw', absent: 'absent' } as const
      const block = await fetchPublic(url, options)
      if (block === null || block === 'absent') throw new Missing(block ?? 'unavailable')
      bytesLeft -= block.length
      if (!createHash('sha256').update(block).digest().equals(cid.multihash.digest)) throw new Missing('mismatch')
      yield block
    },
  }
}
