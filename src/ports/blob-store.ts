// Keeps the bytes of files outside the database, named by their SHA-256.

export type BlobStore = {
  /** Resolves once the store has the bytes for good; written again they are the same object. Throws `file_store_unavailable`. */
  write(sha256: string, bytes: Uint8Array): Promise<void>
  /** The bytes, only when they have this size and this hash. Throws `file_store_unavailable`, `file_damaged`. */
  read(sha256: string, size: number): Promise<Buffer>
}
