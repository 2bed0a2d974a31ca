// The GraphQL type of a file, shared by the modules whose fields return a file.
import { builder } from '../../kit/builder.ts'
import type { ArtifactFile } from './read-file.ts'

export const FileType = builder.objectRef<ArtifactFile>('File').implement({
  description: 'A file with its bytes.',
  fields: t => ({
    name: t.exposeString('name', { description: 'File name.' }),
    mediaType: t.exposeString('mediaType', { description: 'Media type of the file.' }),
    sha256: t.expose('sha256', { type: 'Hash32', description: 'SHA-256 of the file, 0x-prefixed.' }),
    content: t.expose('content', { type: 'Base64', description: 'The bytes of the file.' }),
  }),
})
