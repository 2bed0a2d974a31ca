// The port to content-addressed stores: ids are derived from the content, so an untrusted gateway's bytes are verified.

/** `absent`: the gateway has no such file; `mismatch`: its bytes do not match the id; `unavailable`: anything else. */
export type Content = { found: true; bytes: Buffer } | { found: false; why: 'absent' | 'unavailable' | 'mismatch' }

export type ContentStore = {
  readonly kind: 'ipfs' | 'arweave'
  /** Whether the text has the form of an id of this store, and of a kind that can be verified. */
  isId(id: string): boolean
  /** Returns the bytes, only when they match the id. At most 4 MiB and 10 seconds. Never throws. */
  read(id: string): Promise<Content>
}
