// RFC 8785 canonical JSON as UTF-8 bytes: the form that is hashed and signed.
import canonicalize from 'canonicalize'

export function canonicalJson(value: unknown): Buffer {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('value has no JSON form')
  return Buffer.from(text, 'utf8')
}
