// The key that signs evidence, as the rest of the code sees it: it signs, it never shows itself.

export type Signer = {
  /** First 16 hex digits of the SHA-256 of the public key's SPKI DER. */
  readonly keyId: string
  /** SPKI PEM, ending in a line feed. */
  readonly publicKeyPem: string
  /** Raw 64-byte Ed25519 signature over the bytes themselves. */
  sign(bytes: Uint8Array): Buffer
}
