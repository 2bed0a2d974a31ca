// The GraphQL type of generated files.
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { Node } from '../../kit/node.ts'
import { inSql } from '../../kit/sql/index.ts'
import { ArtifactTypeEnum } from './enums.ts'
import { artifactUrl, artifactUrlInSql, pageUrl, pageUrlInSql } from './url.ts'

export const ArtifactType = builder.prismaObject('Artifact', {
  interfaces: [Node],
  description: 'One generated file of a receipt or statement: an ISO 20022-style message, or the evidence bundle.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    type: t.expose('type', {
      type: ArtifactTypeEnum,
      description: 'The type of its message; `EVIDENCE` for the bundle.',
    }),
    version: t.exposeString('version', { description: 'Message definition, for instance `pain.001.001.09`.' }),
    name: t.exposeString('name', { description: 'File name.' }),
    mediaType: t.exposeString('mediaType', { description: 'Media type of the file.' }),
    sha256: t.expose('sha256', { type: 'Hash32', description: 'SHA-256 of the file, 0x-prefixed.' }),
    url: t.field({
      type: 'URL',
      description: 'URL to download the file.',
      extensions: inSql(artifactUrlInSql),
      resolve: (artifact, _, { publicBaseUrl }) => artifactUrl(publicBaseUrl, artifact),
    }),
    pageUrl: t.field({
      type: 'URL',
      nullable: true,
      description: 'URL of the message as an HTML page to read and print; null for the bundle.',
      extensions: inSql(pageUrlInSql),
      resolve: (artifact, _, { publicBaseUrl }) => pageUrl(publicBaseUrl, artifact),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was generated.' }),
  }),
})

export const ArtifactConnection = connectionType(ArtifactType, 'Artifact', 'A file')
