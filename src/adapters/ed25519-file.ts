// A signer whose Ed25519 private key is in a PKCS#8 PEM file that only its owner (and group) can read.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { keyIdOf } from '../core/key-id.ts'
import type { Signer } from '../ports/signer.ts'

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null

const fault = (file: string, what: string, cause?: unknown) =>
  new Error(`The signing key ${file} ${what}`, cause === undefined ? undefined : { cause })

/** The PEM text, or null when there is no such file. */
async function readPem(file: string): Promise<string | null> {
  try {
    const handle = await open(file, 'r')
    try {
      const stat = await handle.stat()
      if (!stat.isFile()) throw fault(file, 'is not a regular file.')
      // Windows has no such permission bits and reports every file as open to all.
      if (process.platform !== 'win32' && (stat.mode & 0o007) !== 0) {
        throw fault(file, `is open to everyone (mode ${(stat.mode & 0o777).toString(8)}). Make it 0600: chmod 600.`)
      }
      return await handle.readFile('utf8')
    } finally {
      await handle.close()
    }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return null
    if (code === null) throw error
    throw fault(file, `cannot be read (${code}).`, error)
  }
}

/**
 * Writes a new key to a temporary file and links it into place: a second process finds the first one's key complete.
 */
async function createPem(file: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const temporary = `${file}.${randomUUID()}.new`
  try {
    await mkdir(dirname(file), { recursive: true })
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(privateKey.export({ format: 'pem', type: 'pkcs8' }))
      await handle.sync()
    } finally {
      await handle.close()
    }
    // Unlike rename, link never replaces an existing file.
    await link(temporary, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw fault(file, `cannot be created (${codeOf(error) ?? 'unknown'}).`, error)
  } finally {
    await rm(temporary, { force: true })
  }
}

function parseKey(file: string, pem: string): KeyObject {
  if (!pem.includes('-----BEGIN PRIVATE KEY-----')) throw fault(file, 'is not an unencrypted PKCS#8 PEM private key.')
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch (error) {
    throw fault(file, 'is not a readable private key.', error)
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw fault(file, `is of type ${key.asymmetricKeyType ?? 'unknown'}; Ed25519 is needed.`)
  }
  return key
}

/**
 * Opens the key; creates it (mode 0600) when it is missing and `create` is true. Every error message is one sentence.
 */
export async function openSigningKey(file: string, options: { create: boolean }): Promise<Signer> {
  let pem = await readPem(file)
  if (pem === null && options.create) {
    await createPem(file)
    pem = await readPem(file)
  }
  if (pem === null) throw fault(file, 'does not exist.')
  const privateKey = parseKey(file, pem)
  const publicKeyPem = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString()
  return {
    keyId: keyIdOf(publicKeyPem),
    publicKeyPem,
    sign: bytes => sign(null, bytes, privateKey),
  }
}
