// Encrypts secrets that the service has to read again, such as a project's key for a third party's API.

/** A secret encrypted under its own data key, which is encrypted under the key that `wrappedBy` names. */
type Sealed = { wrappedBy: string; wrappedKey: Uint8Array; ciphertext: Uint8Array }

/** `owner` names the secret's owner, such as `agent-ai-key:<agent id>`: no other owner can open the secret. */
export type Vault = {
  /** The key that new secrets are wrapped with. */
  present: string
  seal(owner: string, secret: string): Sealed
  /** Throws when the key is not among the service's keys, or the data was changed. */
  open(owner: string, sealed: Sealed): string
  /** Returns the same secret with its data key wrapped under the present key. Throws as `open` does. */
  rewrap(owner: string, sealed: Sealed): Sealed
}
