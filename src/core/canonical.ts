// RFC 8785 canonical JSON as UTF-8 bytes: the form that is hashed and signed.
import canonicalize from 'canonicalize'

export function canonicalJson(value: unknown): Buffer {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('value has no JSON form')
  return Buffer.from(text, 'utf8')
}

/**
 * Whether the bytes are canonical JSON of any value. It has one form, so that no two readers of these bytes differ: no
 * member is there twice, and none has two spellings. Never throws.
 */
export function isCanonicalJson(bytes: Buffer): boolean {
  try {
    return canonicalJson(JSON.parse(bytes.toString('utf8'))).equals(bytes)
  } catch {
    return false
  }
}
