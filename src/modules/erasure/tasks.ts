// Deletes the erased objects from the object store, until it has answered.
import { jobs } from '../../kit/jobs.ts'
import { task } from '../../kit/task.ts'

export const eraseObjects = task(jobs.eraseObjects, async ({ blobStore, pool }, { sha256s }) => {
  if (blobStore === null)
    throw new Error('erased files are in an object store, but this process has none: set S3_ENDPOINT')
  // Some may have been stored again while the store gave no answer.
  const { rows } = await pool.query<{ sha256: string }>(
    'select sha256 from unnest($1::text[]) as sha256 where sha256 not in (select sha256 from blobs where sha256 = any($1) and erased_at is null)',
    [sha256s],
  )
  for (const { sha256 } of rows) await blobStore.erase(sha256)
})
