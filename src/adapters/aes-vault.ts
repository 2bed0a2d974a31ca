// Envelope encryption with AES-256-GCM: each secret has its own data key, which is wrapped with a key from SECRETS_KEY.
// Each encrypted value is a nonce of 12 bytes, a tag of 16 bytes and the ciphertext.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Vault } from '../ports/vault.ts'

export type WrappingKey = { id: string; key: Buffer }

const cipher = 'aes-256-gcm'

function encrypt(key: Uint8Array, about: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(12)
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(about))
  const encrypted = Buffer.concat([encryption.update(plain), encryption.final()])
  return Buffer.concat([nonce, encryption.getAuthTag(), encrypted])
}

function decrypt(key: Uint8Array, about: string, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed)
  const decryption = createDecipheriv(cipher, key, bytes.subarray(0, 12), { authTagLength: 16 })
  decryption.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decryption.update(bytes.subarray(28)), decryption.final()])
}

/** Returns a vault whose first key wraps new data keys; the other keys only unwrap what they wrapped before. */
export function createVault([first, ...others]: readonly [WrappingKey, ...WrappingKey[]]): Vault {
  const keys = new Map([first, ...others].map(({ id, key }) => [id, key]))
  const wrapping = (owner: string, id: string) => `${owner} data key ${id}`
  const wrap = (owner: string, dataKey: Uint8Array) => ({
    wrappedBy: first.id,
    wrappedKey: encrypt(first.key, wrapping(owner, first.id), dataKey),
  })

  const unwrap: (owner: string, sealed: { wrappedBy: string; wrappedKey: Uint8Array }) => Buffer = (owner, sealed) => {
    const key = keys.get(sealed.wrappedBy)
    if (key === undefined) throw new Error(`SECRETS_KEY has no key ${sealed.wrappedBy}`)
    return decrypt(key, wrapping(owner, sealed.wrappedBy), sealed.wrappedKey)
  }

  return {
    present: first.id,
    seal(owner, secret) {
      const dataKey = randomBytes(32)
      return { ...wrap(owner, dataKey), ciphertext: encrypt(dataKey, owner, Buffer.from(secret)) }
    },
    open: (owner, sealed) => decrypt(unwrap(owner, sealed), owner, sealed.ciphertext).toString(),
    rewrap: (owner, sealed) => ({ ...wrap(owner, unwrap(owner, sealed)), ciphertext: sealed.ciphertext }),
  }
}
