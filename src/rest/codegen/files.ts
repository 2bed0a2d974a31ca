// What OpenAPI says of a route that answers with a file.
import type { JsonSchema } from '../scalars.ts'
import type { Annotation } from './annotation.ts'

const string = { type: 'string' }
const etag = { description: 'SHA-256 of the bytes, 0x-prefixed, in quotes.', required: true, schema: string }

/** `binary` is for tools of OpenAPI 3.0, which know no other word for it. */
const bytesOf = (type: string) => ({ schema: { ...string, format: 'binary', contentMediaType: type } })

/** Bytes are anything's type, and what a client without a use for the others understands. */
const types = ({ mediaTypes = [] }: Annotation) => ['application/octet-stream', ...mediaTypes]

export const fileAnswer = (annotation: Annotation): JsonSchema => ({
  description:
    'The bytes, under the media type of the file; as `application/octet-stream` to who accepts nothing else.',
  headers: {
    ETag: etag,
    'Content-Disposition': { description: '`inline`, with the name of the file.', required: true, schema: string },
  },
  content: Object.fromEntries(types(annotation).map(type => [type, bytesOf(type)])),
})

export const unchanged = { description: 'The caller has this file already.', headers: { ETag: etag } }

export const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the copy there is: 304 when the file is still the same.',
  schema: string,
}
