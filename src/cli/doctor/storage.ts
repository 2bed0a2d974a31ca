// Checks where files are stored and published: the object store, by writing, reading and deleting an object, and the
// IPFS node.
import { createIpfsNode } from '../../adapters/ipfs-node.ts'
import { createS3Store } from '../../adapters/s3-store.ts'
import type { Env } from '../../env.ts'
import { about, type Finding, wordsOf } from './finding.ts'

export const inspectStorage = ({ s3, ipfsNode: node }: Env): Promise<Finding[]> =>
  Promise.all([objectStore(s3), ipfsNode(node)])

async function objectStore(s3: Env['s3']): Promise<Finding> {
  const { ok, fail } = about('files')
  if (s3 === null) return ok('S3_ENDPOINT is not set: files are kept in the database.')
  try {
    await createS3Store(s3).check()
    return ok(`Bucket ${s3.bucket}: an object was written, read and deleted.`)
  } catch (error) {
    return fail(
      `Bucket ${s3.bucket} cannot be used: ${innermost(error)}. Check the settings S3_… and the rights of the key.`,
    )
  }
}

async function ipfsNode(api: Env['ipfsNode']): Promise<Finding> {
  const { ok, warn } = about('publishing')
  if (api === null) return ok('IPFS_API is not set: no bundle can be published.')
  try {
    await createIpfsNode(api).check()
    return ok('IPFS_API answers.')
  } catch (error) {
    return warn(`IPFS_API cannot be used: ${innermost(error)}. No bundle is published meanwhile.`)
  }
}

const innermost = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error
    ? `${error.cause.message}${error.cause.cause ? `: ${wordsOf(error.cause.cause)}` : ''}`
    : wordsOf(error)
