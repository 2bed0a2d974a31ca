// A file that the database stores is read as it was written, or not at all.
import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sha256 } from '../../src/core/hash.ts'
import { deflated, storedFile } from '../../src/modules/artifacts/deflated.ts'

const file = Buffer.from('<Document>é</Document>'.repeat(99))
const hash = sha256(file)

test.each<[string, Buffer]>([
  ['small', file],
  ['large', randomBytes(100_000)],
])('a %s file is read, deflated or from before files were deflated', async (_, file) => {
  const hash = sha256(file)
  expect(await storedFile({ sha256: hash, bytes: await deflated(file), isDeflated: true })).toEqual(file)
  expect(await storedFile({ sha256: hash, bytes: file, isDeflated: false })).toEqual(file)
})

test.each<[string, Buffer, boolean]>([
  ['another file', await deflated(Buffer.from('<Document/>')), true],
  ['another file that is not deflated', Buffer.from('<Document/>'), false],
  ['half of the file', (await deflated(file)).subarray(0, 30), true],
  ['no deflated bytes', randomBytes(50), true],
  ['deflated bytes that are not marked so', await deflated(file), false],
  ['65 MiB in 64 KiB', deflateRawSync(Buffer.alloc(65 << 20)), true],
])('%s is reported as damaged', async (_, bytes, isDeflated) => {
  await expect(storedFile({ sha256: hash, bytes, isDeflated })).rejects.toMatchObject({ code: 'file_damaged' })
})
