// Deletes the erased objects from the object store, until it has answered.
import { jobs } from '../../kit/jobs.ts'
import { task } from '../../kit/task.ts'

export const eraseObjects = task(jobs.eraseObjects, async ({ blobStore }, { sha256s }) => {
  if (blobStore === null)
    throw new Error('erased files are in an object store, but this process has none: set S3_ENDPOINT')
  for (const sha256 of sha256s) await blobStore.erase(sha256)
})
