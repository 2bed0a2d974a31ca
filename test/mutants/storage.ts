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
    harm: 'a lost bundle is taken for an outage, and nobody is alarmed',
  },
  {
    file: store,
    text: '  await blobStore.write(hash, bytes)\n',
    instead: '',
    tests: objects,
    harm: 'a row names a file that is nowhere',
  },
  {
    file: 'src/adapters/exact-prisma.ts',
    text: "        if (typeof value === 'string') row[column] = quoted(value)\n",
    instead: '',
    tests: ['db/nested'],
    harm: 'an amount behind a relation loses digits',
  },
  {
    file: 'src/modules/verification/reprove.ts',
    text: 'if (isDamage(error)) return null\n',
    instead: 'return null\n',
    tests: objects,
    harm: 'an outage of the store raises the alarm of lost evidence',
  },
  {
    file: 'src/modules/verification/verify.ts',
    text: `if (error instanceof AppError && error.code === 'file_store_unavailable') throw error\n`,
    instead: '',
    tests: objects,
    harm: 'while the store is down, sound evidence is judged, and paid verifications are charged',
  },
  {
    file: 'src/modules/evidence/retire-key.ts',
    text: "a.signed_by = $1\n       or a.signed_by is null and coalesce(position(convert_to($2, 'UTF8') in b.bytes) > 0, true)",
    instead: `position(convert_to($2, 'UTF8') in b.bytes) > 0 and $1 <> ''`,
    tests: objects,
    harm: 'a key is retired while bundles wait that it signed, and they never verify',
  },
  {
    file: 'src/modules/artifacts/tasks.ts',
    text: `({ organisation }) => organisation.evidence.store.mode === 'ipfs'`,
    instead: '() => app.publisher !== null',
    tests: ['e2e/publish'],
    harm: 'what was to stay with those who know its id is public for good',
  },
  {
    file: 'src/adapters/ipfs-node.ts',
    text: ' && data.Hash === cid',
    instead: '',
    tests: ['e2e/publish'],
    harm: 'a CID is kept under which the node has another file',
  },
]
