// An S3-compatible server for the benchmarks that run with OBJECT_STORE=1. It prints its URL as a service does.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

const directory = await mkdtemp(join(tmpdir(), 'quittance-bench-objects-'))
const address = '127.0.0.1'
const configureBuckets = [{ name: 'evidence' }]
const { port } = await new S3rver({ port: 0, address, silent: true, directory, configureBuckets }).run()
console.log(`REST http://${address}:${port}`)
process.once('SIGTERM', async () => {
  await rm(directory, { recursive: true, force: true })
  process.exit(0)
})
