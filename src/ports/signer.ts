// The port to the key that signs evidence: it signs, and never reveals the private key.

export type Signer = {
  /** 64 hex digits: the SHA-256 of the public key's SPKI DER. */
  readonly keyId: string
  /** SPKI PEM, ending in a line feed. */
  readonly publicKeyPem: string
  /** Raw 64-byte Ed25519 signature over the bytes themselves. */
  sign(bytes: Uint8Array): Buffer
}
