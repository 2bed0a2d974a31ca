// Keeps the bytes of files outside the database, named by their SHA-256.

export type BlobStore = {
  /** Resolves once the bytes are stored durably; storing them again is harmless. Throws `file_store_unavailable`. */
  write(sha256: string, bytes: Uint8Array): Promise<void>
  /** Returns the bytes, only when they have this size and hash. Throws `file_store_unavailable`, `file_damaged`. */
  read(sha256: string, size: number): Promise<Buffer>
  /** Resolves once the object is gone; harmless when there is none. Throws `file_store_unavailable`. */
  erase(sha256: string): Promise<void>
}
