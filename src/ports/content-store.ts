// Stores whose ids are made from the content, so that what a stranger's gateway sends can be proved or refused.

/** `absent`: the gateway has no such file; `mismatch`: it sent bytes that are not what the id names; else `unavailable`. */
export type Content = { found: true; bytes: Buffer } | { found: false; why: 'absent' | 'unavailable' | 'mismatch' }

export type ContentStore = {
  readonly kind: 'ipfs' | 'arweave'
  /** Whether the text has the form of an id of this store, and of a kind that can be proved. */
  isId(id: string): boolean
  /** The bytes, only when they are proved to be what the id names. At most 4 MiB and 10 seconds. Never throws. */
  read(id: string): Promise<Content>
}
