// Encryption of secrets that the service has to read again, such as a project's key for somebody else's API.

/** Encrypted under a data key of its own, which is encrypted under the key that `wrappedBy` names. */
export type Sealed = { wrappedBy: string; wrappedKey: Uint8Array; ciphertext: Uint8Array }

/** `owner` says whose secret it is, such as `agent-ai-key:<agent id>`: of another owner it cannot be opened. */
export type Vault = {
  /** The key that new secrets are wrapped with. */
  present: string
  seal(owner: string, secret: string): Sealed
  /** Throws when the key is not among ours, or anything was changed. */
  open(owner: string, sealed: Sealed): string
  /** The same secret, its data key wrapped with the present key. Throws as `open` does. */
  rewrap(owner: string, sealed: Sealed): Sealed
}
