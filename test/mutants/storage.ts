import type { Mutant } from './mutant.ts'

const s3 = 'src/adapters/s3-store.ts'
const store = 'src/modules/artifacts/store.ts'
const objects = ['e2e/object-store']

export const storage: Mutant[] = [
  {
    file: s3,
    text: 'body.length !== size || hashOf(body) !== sha256',
    instead: 'body.length !== size',
    tests: objects,
    harm: 'a changed file is served as evidence',
  },
  {
    file: s3,
    text: ` && codeIn(body) === 'NoSuchKey'`,
    instead: ` && codeIn(body) === ''`,
    tests: objects,
    harm: 'a lost bundle counts as an outage, and no alarm is raised',
  },
  {
    file: store,
    text: '  await blobStore.write(hash, bytes)\n',
    instead: '',
    tests: objects,
    harm: 'a row names a file that does not exist',
  },
  {
    file: 'src/modules/artifacts/deflated.ts',
    text: 'if (sha256(file) !== hash) throw',
    instead: 'if (file.length === 0) throw',
    tests: ['unit/stored-file'],
    harm: 'a changed file is served as evidence',
  },
  {
    file: 'src/modules/iso20022/xml.ts',
    text: `shape += "''"`,
    instead: `shape += '#'`,
    tests: ['unit/known-shapes'],
    harm: 'texts of a message appear in the wrong elements',
  },
  {
    file: 'src/adapters/exact-prisma.ts',
    text: "        if (typeof value === 'string') row[column] = quoted(value)\n",
    instead: '',
    tests: ['http/nested'],
    harm: 'an amount behind a relation loses digits',
  },
  {
    file: 'src/modules/verification/reprove.ts',
    text: "if (isDamage(error)) return 'unavailable' as const\n",
    instead: "return 'unavailable' as const\n",
    tests: objects,
    harm: 'an outage of the store raises the alarm for lost evidence',
  },
  {
    file: 'src/modules/verification/verify.ts',
    text: `if (error instanceof AppError && error.code === 'file_store_unavailable') throw error\n`,
    instead: '',
    tests: objects,
    harm: 'while the store is down, valid evidence fails verification, and paid verifications are charged',
  },
  {
    file: 'src/modules/evidence/retire-key.ts',
    text: 'where a.signed_by = $1',
    instead: 'where a.signed_by <> $1',
    tests: objects,
    harm: 'a key is retired while bundles that it signed wait, and they never verify',
  },
  {
    file: 'src/modules/artifacts/tasks.ts',
    text: `({ organisation }) => organisation.evidence.store.mode === 'ipfs'`,
    instead: '() => app.publisher !== null',
    tests: ['e2e/publish'],
    harm: 'a bundle that only holders of its id should see is published permanently',
  },
  {
    file: 'src/adapters/ipfs-node.ts',
    text: ' && data.Hash === cid',
    instead: '',
    tests: ['e2e/publish'],
    harm: 'a CID is stored under which the node has another file',
  },
]
